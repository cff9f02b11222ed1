//! A plot of a study as SVG, after Figures 10 to 12 of the thesis: the part of the workloads that each
//! policy simulates in time, over the ratio that was varied.

use std::fmt::Write;

use super::result::StudyResult;

/// The area of the plot in pixels: left, top, right, bottom.
const AREA: (f64, f64, f64, f64) = (72.0, 48.0, 688.0, 388.0);

/// Colours that differ for colour-blind readers, too (Okabe, Ito 2008), and dashes that differ in print.
const LINES: [(&str, &str); 5] = [
    ("#0072b2", "none"),
    ("#d55e00", "7 4"),
    ("#009e73", "2 3"),
    ("#cc79a7", "10 3 2 3"),
    ("#56b4e9", "4 2"),
];

impl StudyResult {
    /// The plot.
    pub fn to_svg(&self) -> String {
        let mut svg = Svg::default();
        let study = &self.study;
        let (left, top, right, bottom) = AREA;
        let rows = study.policies.len().div_ceil(2) as f64;
        let height = bottom + 64.0 + 22.0 * rows + 24.0;
        svg.line(format_args!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" width="720" height="{height}" font-family="sans-serif" font-size="13" fill="#222">"##
        ));
        svg.line(format_args!(r##"<rect width="720" height="{height}" fill="#ffffff"/>"##));
        let title = format!("Simulatable workloads by {} ratio", study.vary.name());
        svg.text((left, 28.0), "start", 16, &title);
        for tenth in 0..=10 {
            let (x, y) = place(10.0 * f64::from(tenth), f64::from(tenth) / 10.0);
            svg.line(format_args!(
                r##"<path d="M{x:.1} {top}V{bottom}M{left} {y:.1}H{right}" stroke="#e4e4e4" fill="none"/>"##
            ));
            svg.text((x, bottom + 20.0), "middle", 13, &(10 * tenth).to_string());
            svg.text((left - 8.0, y + 4.5), "end", 13, &(10 * tenth).to_string());
        }
        svg.line(format_args!(
            r##"<path d="M{left} {top}V{bottom}H{right}" stroke="#222" fill="none"/>"##
        ));
        let axis = format!("{} ratio [%]", study.vary.name());
        svg.text(((left + right) / 2.0, bottom + 44.0), "middle", 14, &axis);
        let middle = (top + bottom) / 2.0;
        svg.line(format_args!(
            r##"<text transform="translate(24 {middle}) rotate(-90)" text-anchor="middle" font-size="14">simulatable [%]</text>"##
        ));
        for (number, policy) in study.policies.iter().enumerate() {
            self.curve(&mut svg, number);
            let x = left + 308.0 * (number % 2) as f64;
            let y = bottom + 72.0 + 22.0 * (number / 2) as f64;
            let (colour, dash) = LINES[number % LINES.len()];
            svg.line(format_args!(
                r##"<path d="M{x} {}h30" stroke="{colour}" stroke-dasharray="{dash}" stroke-width="2.2"/>"##,
                y - 4.5
            ));
            marker(&mut svg, number, (x + 15.0, y - 4.5));
            svg.text((x + 37.0, y), "start", 12, policy.name());
        }
        let note = format!(
            "{} workloads {}, seed {}, simulation computer {} x as fast, horizon {} ms",
            study.workloads,
            study.generator.name(),
            study.seed,
            study.speed,
            study.horizon() as f64 / 1000.0
        );
        svg.text((left, height - 14.0), "start", 11, &note);
        svg.line(format_args!("</svg>"));
        svg.0
    }

    fn curve(&self, svg: &mut Svg, number: usize) {
        let places: Vec<(f64, f64)> = self
            .points
            .iter()
            .map(|point| {
                let part = point.simulatable[number] as f64 / point.accepted.max(1) as f64;
                place(f64::from(point.ratio), part)
            })
            .collect();
        let mut path = String::new();
        for (at, (x, y)) in places.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { "M" } else { "L" });
        }
        let (colour, dash) = LINES[number % LINES.len()];
        svg.line(format_args!(
            r##"<path d="{path}" stroke="{colour}" stroke-dasharray="{dash}" stroke-width="2.2" fill="none"/>"##
        ));
        places.into_iter().for_each(|at| marker(svg, number, at));
    }
}

/// Where a ratio in per cent and a part of one lie.
fn place(ratio: f64, part: f64) -> (f64, f64) {
    let (left, top, right, bottom) = AREA;
    (left + (right - left) * ratio / 100.0, bottom - (bottom - top) * part)
}

/// A mark of the policy of this number: circle, square, triangle, diamond, in turn; hollow, so that curves that
/// lie on each other can be told apart.
fn marker(svg: &mut Svg, number: usize, (x, y): (f64, f64)) {
    let (colour, _) = LINES[number % LINES.len()];
    let shape = match number % 4 {
        0 => "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        1 => "m-3.5 -3.5h7v7h-7z",
        2 => "m0 -5.5l5 8.5h-10z",
        _ => "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
    };
    svg.line(format_args!(
        r##"<path d="M{x:.1} {y:.1}{shape}" fill="none" stroke="{colour}" stroke-width="1.6"/>"##
    ));
}

#[derive(Default)]
struct Svg(String);

impl Svg {
    fn line(&mut self, line: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    /// Text without characters that XML reserves: all of it is ours.
    fn text(&mut self, (x, y): (f64, f64), anchor: &str, size: u32, text: &str) {
        self.line(format_args!(
            r##"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" font-size="{size}">{text}</text>"##
        ));
    }
}
