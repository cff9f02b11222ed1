//! Checks units and shapes of the arithmetic in a formula, and compiles it.

use ironbird_units::{Base, Dimension};

use crate::ast::{Arithmetic, Ast, AstKind, Function};
use crate::check::Checker;
use crate::error::{FormulaError, Problem};
use crate::names::SignalKind;
use crate::scalar::Scalar;

/// The result of arithmetic: one number, or the leaves of a vector.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub leaves: Vec<Scalar>,
    pub dimension: Dimension,
    pub nature: Nature,
    /// How many operations the largest leaf has.
    size: usize,
}

/// What decides, beside its dimension, where a number may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Nature {
    Plain,
    /// `0`: fits every dimension.
    Zero,
    /// A number that was written without unit.
    Bare,
    /// `20 degC`: a point on a scale, not an amount.
    Offset,
    /// A signal in `degC`: a point on a scale too, but its unit is no matter of writing.
    Point,
    /// A point minus a point.
    Difference,
}

type Result<T> = std::result::Result<T, FormulaError>;

/// Larger calculations are refused: `norm(norm(norm(v) * v) * v)` grows with a power of the leaves.
const MOST_OPERATIONS: usize = 1 << 20;

const TEMPERATURE: Dimension = Dimension::of(Base::Kelvin);

impl Checker<'_> {
    pub(crate) fn numbers(&mut self, ast: &Ast) -> Result<Numbers> {
        let numbers = match &ast.kind {
            AstKind::Number(quantity) => {
                let bare = quantity.unit().is_none();
                let nature = match (bare, quantity.unit().has_offset()) {
                    (_, true) => Nature::Offset,
                    (true, _) if quantity.number() == 0.0 => Nature::Zero,
                    (true, _) => Nature::Bare,
                    _ => Nature::Plain,
                };
                let leaves = vec![Scalar::Constant(quantity.value())];
                Numbers { leaves, dimension: quantity.unit().dimension(), nature, size: 1 }
            }
            AstKind::Time => plain(vec![Scalar::Time], Dimension::TIME, 1),
            AstKind::Signal(path) => self.number_signal(path, ast)?,
            AstKind::Negate(inner) => {
                let value = self.amount(inner)?;
                let negated = |leaf| Scalar::Negate(Box::new(leaf)).folded();
                let leaves = value.leaves.into_iter().map(negated).collect();
                plain(leaves, value.dimension, value.size + 1)
            }
            AstKind::Arithmetic(operator, left, right) => {
                self.arithmetic(*operator, ast, left, right)?
            }
            AstKind::Power(base, exponent) => {
                let value = self.single_amount(base)?;
                // An angle is dropped in a product, and so it is in a power.
                let base_dimension = match exponent {
                    1 => value.dimension,
                    _ => value.dimension.with_exponent(Base::Radian, 0),
                };
                let dimension =
                    base_dimension.power(*exponent).ok_or_else(|| self.out_of_range(ast))?;
                let leaf = Scalar::Power(Box::new(value.leaves[0].clone()), *exponent).folded();
                plain(vec![leaf], dimension, value.size + 1)
            }
            AstKind::Call(function, arguments) => self.call(*function, ast, arguments)?,
            _ => {
                let text = self.text(ast);
                return Err(FormulaError::new(Problem::NotANumber { text }, ast.span));
            }
        };
        let finite = |leaf: &Scalar| match leaf {
            Scalar::Constant(c) => c.is_finite(),
            Scalar::Power(..) | Scalar::Call(..) => leaf.settled().is_none_or(f64::is_finite),
            _ => true,
        };
        if !numbers.leaves.iter().all(finite) {
            let text = self.text(ast);
            return Err(FormulaError::new(Problem::NotFinite { text }, ast.span));
        }
        Ok(numbers)
    }

    fn number_signal(&mut self, path: &str, ast: &Ast) -> Result<Numbers> {
        if let Some(value) = self.variable(path) {
            return Ok(plain(vec![Scalar::Constant(value)], Dimension::NONE, 1));
        }
        let signal = self.signal(path, ast)?;
        if signal.kind == SignalKind::Bool {
            let text = self.text(ast);
            return Err(FormulaError::new(Problem::NotANumber { text }, ast.span));
        }
        self.refuse_large(ast, signal.leaves)?;
        let leaves = (signal.place..signal.place + signal.leaves).map(Scalar::Leaf).collect();
        let nature = if signal.unit.has_offset() { Nature::Point } else { Nature::Plain };
        Ok(Numbers { leaves, dimension: signal.unit.dimension(), nature, size: 1 })
    }

    /// Numbers that may be calculated with: no point on a temperature scale.
    fn amount(&mut self, ast: &Ast) -> Result<Numbers> {
        let value = self.numbers(ast)?;
        self.refuse_point(ast, value.nature == Nature::Offset)?;
        Ok(value)
    }

    fn refuse_point(&self, ast: &Ast, refuse: bool) -> Result<()> {
        match &ast.kind {
            AstKind::Number(quantity) if refuse => {
                let (text, kelvin) = (self.text(ast), quantity.number().to_string());
                Err(FormulaError::new(Problem::OffsetLiteral { text, kelvin }, ast.span))
            }
            _ => Ok(()),
        }
    }

    /// One number, not a vector.
    pub(crate) fn single(&mut self, ast: &Ast) -> Result<Numbers> {
        let value = self.numbers(ast)?;
        self.refuse_vector(ast, &value)?;
        Ok(value)
    }

    fn single_amount(&mut self, ast: &Ast) -> Result<Numbers> {
        let value = self.amount(ast)?;
        self.refuse_vector(ast, &value)?;
        Ok(value)
    }

    fn refuse_vector(&self, ast: &Ast, value: &Numbers) -> Result<()> {
        if value.leaves.len() == 1 {
            return Ok(());
        }
        let (text, leaves) = (self.text(ast), value.leaves.len());
        Err(FormulaError::new(Problem::Vector { text, leaves }, ast.span))
    }

    /// The common dimension of two operands that are added or compared.
    pub(crate) fn same_dimension(
        &self,
        (left_ast, left): (&Ast, &Numbers),
        (right_ast, right): (&Ast, &Numbers),
    ) -> Result<Dimension> {
        if left.dimension == right.dimension {
            // `a - b > 2 degC` would compare with 275.15 K.
            let (a, b) = (left.nature, right.nature);
            self.refuse_point(left_ast, (a, b) == (Nature::Offset, Nature::Difference))?;
            self.refuse_point(right_ast, (a, b) == (Nature::Difference, Nature::Offset))?;
            return Ok(left.dimension);
        }
        // Zero kelvin is hardly what a comparison of temperatures with 0 means.
        let fits = |zero: &Numbers, other: &Numbers| {
            zero.nature == Nature::Zero && other.dimension != TEMPERATURE
        };
        if fits(left, right) {
            return Ok(right.dimension);
        }
        if fits(right, left) {
            return Ok(left.dimension);
        }
        let is_bare = |n: &Numbers| matches!(n.nature, Nature::Bare | Nature::Zero);
        let bare = |number: &Ast, other: &Ast, dimension: Dimension| {
            let problem = Problem::BareNumber {
                number: self.text(number),
                other: self.text(other),
                other_is: dimension.describe(),
                unit: match dimension {
                    TEMPERATURE => "degC".to_owned(),
                    other => other.to_string(),
                },
            };
            Err(FormulaError::new(problem, number.span))
        };
        if is_bare(left) {
            return bare(left_ast, right_ast, right.dimension);
        }
        if is_bare(right) {
            return bare(right_ast, left_ast, left.dimension);
        }
        let problem = Problem::Dimensions {
            left: self.text(left_ast),
            left_is: left.dimension.describe(),
            right: self.text(right_ast),
            right_is: right.dimension.describe(),
        };
        Err(FormulaError::new(problem, left_ast.span.to(right_ast.span)))
    }

    fn refuse_large(&self, ast: &Ast, operations: usize) -> Result<()> {
        if operations <= MOST_OPERATIONS {
            return Ok(());
        }
        Err(FormulaError::new(Problem::TooLarge { limit: MOST_OPERATIONS }, ast.span))
    }

    fn out_of_range(&self, ast: &Ast) -> FormulaError {
        FormulaError::new(Problem::DimensionRange { text: self.text(ast) }, ast.span)
    }

    fn arithmetic(
        &mut self,
        operator: Arithmetic,
        ast: &Ast,
        left_ast: &Ast,
        right_ast: &Ast,
    ) -> Result<Numbers> {
        let left = self.amount(left_ast)?;
        let right = match operator {
            // A reading minus a point on the scale is a difference.
            Arithmetic::Subtract => self.numbers(right_ast)?,
            _ => self.amount(right_ast)?,
        };
        let sum = matches!(operator, Arithmetic::Add | Arithmetic::Subtract);
        if !sum {
            // A vector may be scaled; everything else takes single numbers.
            if operator != Arithmetic::Multiply || left.leaves.len() > 1 {
                self.refuse_vector(right_ast, &right)?;
            }
            if operator == Arithmetic::Modulo {
                self.refuse_vector(left_ast, &left)?;
            }
        } else if left.leaves.len() != right.leaves.len() {
            let problem = Problem::Leaves {
                left: self.text(left_ast),
                left_leaves: left.leaves.len(),
                right: self.text(right_ast),
                right_leaves: right.leaves.len(),
            };
            return Err(FormulaError::new(problem, ast.span));
        }
        let dimension = match operator {
            Arithmetic::Multiply | Arithmetic::Divide => {
                let (a, b) = without_angles(left.dimension, right.dimension);
                let combined = if operator == Arithmetic::Multiply { a.times(b) } else { a.per(b) };
                combined.ok_or_else(|| self.out_of_range(ast))?
            }
            _ => self.same_dimension((left_ast, &left), (right_ast, &right))?,
        };
        let count = left.leaves.len().max(right.leaves.len());
        let size = left.size + right.size + 1;
        self.refuse_large(ast, count.saturating_mul(size))?;
        let leaf = |of: &Numbers, i: usize| {
            let single = of.leaves.len() == 1;
            Box::new(of.leaves[if single { 0 } else { i }].clone())
        };
        let leaves: Vec<Scalar> = (0..count)
            .map(|i| Scalar::Binary(operator, leaf(&left, i), leaf(&right, i)).folded())
            .collect();
        // What is constant altogether is found not to be finite.
        let varies = |leaf: &Scalar| !matches!(leaf, Scalar::Constant(_));
        let divides = matches!(operator, Arithmetic::Divide | Arithmetic::Modulo);
        let by_zero = divides && matches!(&right.leaves[..], [one] if one.settled() == Some(0.0));
        if by_zero && leaves.iter().any(varies) {
            let text = self.text(right_ast);
            return Err(FormulaError::new(Problem::DivisionByZero { text }, right_ast.span));
        }
        let is_point = |of: &Numbers| matches!(of.nature, Nature::Point | Nature::Offset);
        let difference = operator == Arithmetic::Subtract && is_point(&left) && is_point(&right);
        let nature = if difference { Nature::Difference } else { Nature::Plain };
        Ok(Numbers { leaves, dimension, nature, size })
    }

    fn call(&mut self, function: Function, ast: &Ast, arguments: &[Ast]) -> Result<Numbers> {
        let (fits, expected) = match function {
            Function::Norm => (!arguments.is_empty(), "at least one argument"),
            Function::Min | Function::Max => (arguments.len() >= 2, "at least two arguments"),
            Function::Atan2 => (arguments.len() == 2, "two arguments"),
            _ => (arguments.len() == 1, "one argument"),
        };
        if !fits {
            let (function, found) = (function.name(), arguments.len());
            let problem = Problem::ArgumentCount { function, expected, found };
            return Err(FormulaError::new(problem, ast.span));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match function {
                Function::Norm => self.amount(argument)?,
                Function::Min | Function::Max | Function::Abs => self.single(argument)?,
                _ => self.single_amount(argument)?,
            });
        }
        let mut dimension = values[0].dimension;
        for (i, value) in values.iter().enumerate().skip(1) {
            // A zero in front of a quantity takes its dimension.
            let so_far = Numbers { dimension, ..values[i - 1].clone() };
            dimension =
                self.same_dimension((&arguments[i - 1], &so_far), (&arguments[i], value))?;
        }
        let angle_or_plain = dimension.is_none() || dimension == Dimension::ANGLE;
        let (fits, expected, result) = match function {
            Function::Norm | Function::Min | Function::Max | Function::Abs => (true, "", dimension),
            Function::Sqrt => match dimension.root() {
                Some(root) => (true, "", root),
                None => (false, "a quantity whose dimension is a square", dimension),
            },
            Function::Sin | Function::Cos | Function::Tan => {
                (angle_or_plain, "an angle (rad)", Dimension::NONE)
            }
            Function::Asin | Function::Acos => {
                (dimension.is_none(), "a plain number", Dimension::ANGLE)
            }
            Function::Atan2 => (true, "", Dimension::ANGLE),
            Function::Sign => (true, "", Dimension::NONE),
            Function::Floor | Function::Ceil | Function::Exp | Function::Ln => {
                (dimension.is_none(), "a plain number", Dimension::NONE)
            }
        };
        if !fits {
            let (text, found) = (self.text(&arguments[0]), dimension.describe());
            let problem = Problem::Argument { function: function.name(), expected, text, found };
            return Err(FormulaError::new(problem, arguments[0].span));
        }
        let size = 1 + values.iter().map(|v| v.leaves.len() * v.size).sum::<usize>();
        self.refuse_large(ast, size)?;
        let leaves = values.into_iter().flat_map(|v| v.leaves).collect();
        Ok(plain(vec![Scalar::Call(function, leaves).folded()], result, size))
    }
}

fn plain(leaves: Vec<Scalar>, dimension: Dimension, size: usize) -> Numbers {
    Numbers { leaves, dimension, nature: Nature::Plain, size }
}

/// The dimensions of two factors. An angle is a ratio of lengths: it counts while it is scaled or
/// measured against time (`rad/s * s`), and vanishes in every other product (`rad/s * m` is `m/s`).
fn without_angles(a: Dimension, b: Dimension) -> (Dimension, Dimension) {
    let keeps_angle = |other: Dimension| other.with_exponent(Base::Second, 0).is_none();
    let strip = |d: Dimension, other: Dimension| {
        if keeps_angle(other) { d } else { d.with_exponent(Base::Radian, 0) }
    };
    (strip(a, b), strip(b, a))
}
