//! Axes: round numbers at even distances, few enough digits to read.

/// One direction of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// The number at the low end.
    pub min: f64,
    /// The number at the high end.
    pub max: f64,
    /// Places of ticks, as numbers, and what stands there.
    pub ticks: Vec<(f64, String)>,
    /// The power of ten by which what stands at the ticks is to be multiplied.
    pub exponent: i32,
}

impl Axis {
    /// An axis from `min` to `max` with about `wanted` ticks; `scale` is how many of the numbers make
    /// one of what is written.
    pub(super) fn new(min: f64, max: f64, wanted: f64, scale: f64) -> Self {
        let (low, high) = (min / scale, max / scale);
        let step = round_step((high - low) / wanted);
        let largest = low.abs().max(high.abs());
        let exponent = engineering_exponent(largest, step);
        let unit = libm::exp10(f64::from(exponent));
        let decimals = (-libm::floor(libm::log10(step / unit) + 1e-9)).clamp(0.0, 9.0) as usize;
        // 2.5 has one digit more than its magnitude says.
        let is_whole = |x: f64| (x - libm::round(x)).abs() < 1e-6;
        let shift = libm::exp10(decimals as f64);
        let decimals = decimals + usize::from(!is_whole(step / unit * shift));
        let first = libm::ceil(low / step - 1e-9);
        let count = (libm::floor(high / step + 1e-9) - first).clamp(0.0, 40.0) as u32;
        let ticks = (0..=count).map(|number| {
            let place = (first + f64::from(number)) * step;
            let text = format!("{:.decimals$}", place / unit);
            (place * scale, minus(&text))
        });
        Axis { min, max, ticks: ticks.collect(), exponent }
    }

    /// How far along the axis a number lies, from 0 to 1.
    pub(super) fn fraction(&self, number: f64) -> f64 {
        (number - self.min) / (self.max - self.min)
    }

    /// Whether a number lies on the axis.
    pub(super) fn contains(&self, number: f64) -> bool {
        (self.min..=self.max).contains(&number)
    }

    /// `10³ Pa`, `Pa`, `10³`, or nothing.
    pub(super) fn unit(&self, unit: &str) -> String {
        if self.exponent == 0 {
            return unit.to_owned();
        }
        let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        let sign = if self.exponent < 0 { "⁻" } else { "" };
        let text = self.exponent.unsigned_abs().to_string();
        let raised: String = text.bytes().map(|digit| digits[usize::from(digit - b'0')]).collect();
        format!("10{sign}{raised} {unit}").trim_end().to_owned()
    }
}

/// A step of 1, 2, 2.5 or 5 times a power of ten, at least `rough`.
pub(super) fn round_step(rough: f64) -> f64 {
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let magnitude = libm::exp10(libm::floor(libm::log10(rough)));
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    let step = steps.into_iter().find(|step| step * magnitude >= rough * (1.0 - 1e-9));
    step.unwrap_or(10.0) * magnitude
}

/// Zero where numbers read well as they are, else a multiple of three.
fn engineering_exponent(largest: f64, step: f64) -> i32 {
    if largest == 0.0 || ((1e-2..1e5).contains(&largest) && step >= 1e-3) {
        return 0;
    }
    (libm::floor(libm::log10(largest) / 3.0 + 1e-9) as i32) * 3
}

/// A real minus sign, and none before zero.
fn minus(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(number) if number.bytes().all(|b| b == b'0' || b == b'.') => number.to_owned(),
        Some(number) => format!("−{number}"),
        None => text.to_owned(),
    }
}

/// Whether a number can be drawn: what is not finite or absurdly large leaves a gap.
pub(super) fn is_drawable(number: f64) -> bool {
    number.abs() <= 1e100
}

/// The range of `numbers` with some room; around zero if there are none.
pub(super) fn range(numbers: impl Iterator<Item = f64>, room: f64) -> (f64, f64) {
    let (low, high) = numbers
        .filter(|number| is_drawable(*number))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return (0.0, 1.0);
    }
    let (span, largest) = (high - low, low.abs().max(high.abs()));
    if largest < 1e-100 {
        return (-1.0, 1.0);
    }
    if span <= largest * 1e-9 {
        return (low - largest * 0.1, high + largest * 0.1);
    }
    (low - span * room, high + span * room)
}

/// The unit in which a span of time reads best, and how many seconds it has.
pub(super) fn time_unit(seconds: f64) -> (&'static str, f64) {
    match seconds.abs() {
        s if s >= 4.0 * 3600.0 => ("h", 3600.0),
        s if s >= 600.0 => ("min", 60.0),
        s if s >= 1.0 || s == 0.0 => ("s", 1.0),
        s if s >= 1e-3 => ("ms", 1e-3),
        s if s >= 1e-6 => ("µs", 1e-6),
        _ => ("ns", 1e-9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(min: f64, max: f64) -> (Vec<String>, String) {
        let axis = Axis::new(min, max, 5.0, 1.0);
        (axis.ticks.iter().map(|(_, text)| text.clone()).collect(), axis.unit("Pa"))
    }

    #[test]
    fn ticks_are_round_numbers_with_the_digits_they_need() {
        assert_eq!(labels(-1.0, 11.0).0, ["0.0", "2.5", "5.0", "7.5", "10.0"]);
        assert_eq!(labels(0.0, 1.0).0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-40.0, 40.0).0, ["−40", "−20", "0", "20", "40"]);
        assert_eq!(labels(20.13, 20.31).0, ["20.15", "20.20", "20.25", "20.30"]);
    }

    #[test]
    fn large_and_small_numbers_share_a_power_of_ten() {
        let (ticks, unit) = labels(0.0, 101_325.0);
        assert_eq!((ticks[1].as_str(), unit.as_str()), ("25", "10³ Pa"));
        let (ticks, unit) = labels(0.0, 4e-6);
        assert_eq!((ticks[1].as_str(), unit.as_str()), ("1", "10⁻⁶ Pa"));
    }

    #[test]
    fn ranges_of_nothing_and_of_one_number_are_drawable() {
        assert_eq!(range([].into_iter(), 0.05), (0.0, 1.0));
        assert_eq!(range([f64::NAN].into_iter(), 0.05), (0.0, 1.0));
        assert_eq!(range([20.0, 20.0].into_iter(), 0.05), (18.0, 22.0));
        assert_eq!(range([f64::MIN, 1.0, 3.0, f64::MAX].into_iter(), 0.5), (0.0, 4.0));
    }
}
