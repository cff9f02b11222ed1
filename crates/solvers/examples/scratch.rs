//! scratch
use ironbird_kernel::*;
use ironbird_solvers::*;
struct Adv(usize);
impl Block for Adv {
    fn states(&self) -> usize { self.0 }
    fn initial(&self, i: usize) -> f64 { if i < self.0 / 3 { 1.0 } else { 0.0 } }
    #[inline]
    fn derivative<N: Number>(&self, i: usize, at: &impl Point<N>) -> N {
        let n = self.0 as f64;
        let u = at.x(i);
        let left = if i == 0 { N::constant(1.0) } else { at.x(i - 1) };
        (left - u) * n - u * (u - 0.5) * (u - 1.0) * 1000.0
    }
}
struct Buck { rs: f64, rd: f64, next: Time, k: u64, on: bool }
impl Block for Buck {
    fn states(&self) -> usize { 2 }
    fn initial(&self, _: usize) -> f64 { 0.0 }
    fn derivative<N: Number>(&self, i: usize, at: &impl Point<N>) -> N {
        let (uc, il) = (at.x(0), at.x(1));
        if i == 0 { (il - uc / 10.0) / 1e-4 } else {
            ((-il + 24.0 / self.rs) * (self.rs * self.rd / (self.rs + self.rd)) - uc) / 1e-4
        }
    }
    fn crossings(&self) -> usize { 1 }
    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        let id = (at.x(1) * self.rs - 24.0) / (self.rd + self.rs);
        if self.rd < 1.0 { id } else { id * self.rd }
    }
    fn on_crossing(&mut self, _: usize, d: Direction, _: &mut Edit) {
        self.rd = if d == Direction::Rising { 1e-5 } else { 1e5 };
    }
    fn next_time_event(&self) -> Time { self.next }
    fn on_time_event(&mut self, e: &mut Edit) {
        self.on = !self.on;
        self.rs = if self.on { 1e-5 } else { 1e5 };
        self.next = e.now() + Duration::from_us(50);
    }
}

fn sec(s: f64) -> Time { Time::from_ps((s * 1e12) as u64) }
fn main() {
    let n: usize = std::env::args().nth(1).map_or(20000, |a| a.parse().unwrap());
    let tol: f64 = std::env::args().nth(2).map_or(1e-9, |a| a.parse().unwrap());
    let t0 = std::time::Instant::now();
    let mut r = Solver::new(Adv(n), Settings::new(Method::Dopri5).tolerance(tol, tol)).unwrap();
    if std::env::var("D").is_err() { r = Solver::new(Adv(n), Settings::new(Method::Dopri5)).unwrap(); }
 let ts = [0.25, 0.5, 1.0];
    let refs: Vec<Vec<f64>> = ts.iter().map(|t| { if std::env::var("D").is_ok() {r.run(sec(*t)).unwrap();} (0..n).map(|i| r.sample(i, sec(*t)).unwrap_or(0.0)).collect() }).collect();
    println!("dopri {tol} {:?} {:?}", r.statistics(), t0.elapsed());
    for (m, tol) in [(Method::Liqss2, 1e-3), ].into_iter().chain(if std::env::var("D").is_ok() {vec![(Method::Dopri5, 1e-3), (Method::Dopri5, 1e-6)]} else {vec![]}) {
        for rep in 0..3 {
        if rep > 0 && m == Method::Dopri5 { continue }
        let mut s = Solver::new(Adv(n), Settings::new(m).tolerance(tol, tol)).unwrap();
        let mut el = std::time::Duration::ZERO;
        for (k, t) in ts.iter().enumerate() {
            let t0 = std::time::Instant::now();
            s.run(sec(*t)).unwrap();
            el += t0.elapsed();
            let x: Vec<f64> = (0..n).map(|i| s.sample(i, sec(*t)).unwrap()).collect();
            let front = x.iter().position(|v| *v < 0.5);
            let rf = refs[k].iter().position(|v| *v < 0.5);
            let mut errs: Vec<f64> = x.iter().zip(&refs[k]).map(|(a, b)| (a - b).abs()).collect();
            let (f, _) = (rf.unwrap_or(n + 100), 0);
            let away = errs.iter().enumerate().filter(|(i, _)| (*i as i64 - f as i64).abs() > 20).map(|e| *e.1).fold(0.0, f64::max);
            errs.sort_by(f64::total_cmp);
            if rep == 0 { println!("  {m} t={t} front {front:?} ref {rf:?} max err {:.2e} away {:.2e}", errs[n-1], away); }
        }
        let st = s.statistics();
        println!("{m} {tol} steps {} time {:?} ns/step {:.1}", st.steps, el, el.as_nanos() as f64 / st.steps as f64);
        }
    }
    for m in [Method::Liqss2, Method::Qss2,
 Method::Liqss1, Method::Qss3, Method::Rk4, Method::Dopri5] {
        let mut s = Solver::new(Buck { rs: 1e5, rd: 1e5, next: Time::from_ps(0), k: 0, on: false }, Settings::new(m).step(Rate::hz(10_000_000_000))).unwrap();
        if m == Method::Rk4 || (m != Method::Liqss2 && std::env::var("D").is_err()) {continue;}
        let _ = s.block().k;
        let t0 = std::time::Instant::now();
        let mut sum = 0.0;
        let mut min = 0f64;
        for k in 1..=10000u64 {
            let t = Time::from_ps(k * 1_000_000);
            if let Err(e) = s.advance(t) { println!("{m} {e}"); break; }
            if k > 5000 { sum += s.sample(0, t).unwrap(); min = min.min(s.sample(1,t).unwrap()); }
        }
        println!("{m} buck {:?} mean {} {:?} min iL {min}", s.statistics(), sum / 5000.0, t0.elapsed());
    }
}
