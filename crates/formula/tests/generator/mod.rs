//! Random formulas and signals for the comparisons with other evaluators.

/// A small random generator (SplitMix64), so that cases are the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

pub type Bounds = Option<(u64, u64)>;

pub const SIGNALS: [&str; 3] = ["x", "y", "z"];

/// Arithmetic over the signals.
#[derive(Clone, Debug)]
pub enum Expression {
    Signal(usize),
    Constant(f64),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Absolute(Box<Expression>),
}

/// A formula with bounds in ticks.
#[derive(Clone, Debug)]
pub enum Tree {
    Atom(Expression, &'static str, Expression),
    /// Time compared with a number of ticks.
    Clock(&'static str, u64),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Implies(Box<Tree>, Box<Tree>),
    Always(Bounds, Box<Tree>),
    Eventually(Bounds, Box<Tree>),
    Until(Bounds, Box<Tree>, Box<Tree>),
    For(Box<Tree>, u64),
}

impl Expression {
    fn random(random: &mut Random, depth: u32) -> Self {
        let choice = if depth == 0 { random.below(2) } else { random.below(6) };
        let mut inner = || Box::new(Expression::random(random, depth.saturating_sub(1)));
        match choice {
            2 => Expression::Sum(inner(), inner()),
            3 => Expression::Difference(inner(), inner()),
            4 => Expression::Product(inner(), inner()),
            5 => Expression::Absolute(inner()),
            1 => Expression::Constant(random.below(9) as f64 * 0.5),
            _ => Expression::Signal(random.below(3) as usize),
        }
    }

    /// As our formulas and rtamt's are written; spaces keep `-` and `*` out of names.
    pub fn text(&self) -> String {
        match self {
            Expression::Signal(i) => SIGNALS[*i].to_owned(),
            Expression::Constant(c) => format!("{c:.1}"),
            Expression::Sum(a, b) => format!("({} + {})", a.text(), b.text()),
            Expression::Difference(a, b) => format!("({} - {})", a.text(), b.text()),
            Expression::Product(a, b) => format!("({} * {})", a.text(), b.text()),
            Expression::Absolute(a) => format!("abs({})", a.text()),
        }
    }
}

impl Tree {
    /// A formula of at most `depth` levels above its comparisons. Bounds are at most `reach`;
    /// `with_past` adds what only our language has: `for`, and comparisons with time.
    pub fn random(random: &mut Random, depth: u32, reach: u64, with_past: bool) -> Self {
        if depth == 0 {
            let comparison = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
            if with_past && random.below(6) == 0 {
                return Tree::Clock(comparison, random.below(25) + 100 * random.below(3));
            }
            let left = Expression::random(random, 2);
            return Tree::Atom(left, comparison, Expression::random(random, 1));
        }
        let choice = random.below(if with_past { 9 } else { 8 });
        let first = random.below(reach + 1);
        let bounded = random.below(5) > 0;
        let bounds = bounded.then(|| (first, first + random.below(reach + 1)));
        let mut inner = || {
            let depth = depth - 1 - random.below(2).min(u64::from(depth - 1)) as u32;
            Box::new(Tree::random(random, depth, reach, with_past))
        };
        match choice {
            0 => Tree::Not(inner()),
            1 => Tree::And(inner(), inner()),
            2 => Tree::Or(inner(), inner()),
            3 => Tree::Implies(inner(), inner()),
            4 => Tree::Always(bounds, inner()),
            5 => Tree::Eventually(bounds, inner()),
            6 | 7 => Tree::Until(bounds, inner(), inner()),
            _ => Tree::For(inner(), first),
        }
    }

    /// The formula in our language, with bounds in ticks of the unit `tick`.
    pub fn text(&self, tick: &str) -> String {
        let window = |bounds: &Bounds| {
            bounds.map_or(String::new(), |(a, b)| format!("[{a} {tick}, {b} {tick}]"))
        };
        match self {
            Tree::Atom(a, comparison, b) => format!("({} {comparison} {})", a.text(), b.text()),
            Tree::Clock(comparison, ticks) => format!("(time {comparison} {ticks} {tick})"),
            Tree::Not(a) => format!("(not {})", a.text(tick)),
            Tree::And(a, b) => format!("({} and {})", a.text(tick), b.text(tick)),
            Tree::Or(a, b) => format!("({} or {})", a.text(tick), b.text(tick)),
            Tree::Implies(a, b) => format!("({} implies {})", a.text(tick), b.text(tick)),
            Tree::Always(w, a) => format!("(always{} {})", window(w), a.text(tick)),
            Tree::Eventually(w, a) => format!("(eventually{} {})", window(w), a.text(tick)),
            Tree::Until(w, a, b) => {
                format!("({} until{} {})", a.text(tick), window(w), b.text(tick))
            }
            Tree::For(a, duration) => format!("({} for {duration} {tick})", a.text(tick)),
        }
    }
}

/// The signals x, y and z, as numbers 0, 1 and 2, without units.
pub struct Plain;

impl ironbird_formula::Names for Plain {
    fn signal(
        &self,
        path: &str,
    ) -> Result<ironbird_formula::SignalInfo, ironbird_formula::NoSuchSignal> {
        let index = SIGNALS.iter().position(|name| *name == path);
        let id = index.ok_or(ironbird_formula::NoSuchSignal { nearest: None })? as u32;
        let (unit, kind) = (ironbird_units::Unit::none(), ironbird_formula::SignalKind::Number);
        Ok(ironbird_formula::SignalInfo { id, unit, leaves: 1, kind })
    }
}
