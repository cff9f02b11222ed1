//! Line plots as SVG text.

use std::fmt::Write;

const INK: &str = "#0f172a";
const FAINT: &str = "#475569";
const GRID: &str = "#e2e8f0";
const FONT: &str = "font-family=\"Inter, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\"";

/// Some points under one name.
pub struct Series {
    name: &'static str,
    colour: &'static str,
    dots: bool,
    points: Vec<(f64, f64)>,
}

impl Series {
    /// Points joined by a line.
    pub fn line(name: &'static str, colour: &'static str, points: Vec<(f64, f64)>) -> Self {
        Series { name, colour, dots: false, points }
    }

    /// Points by themselves.
    pub fn dots(name: &'static str, colour: &'static str, points: Vec<(f64, f64)>) -> Self {
        Series { name, colour, dots: true, points }
    }
}

/// One pair of axes.
pub struct Panel {
    title: &'static str,
    labels: [&'static str; 2],
    /// Left, top, width, height.
    place: [f64; 4],
    /// Lowest and highest value and the distance of ticks, for x and y.
    ranges: [(f64, f64, f64); 2],
    series: Vec<Series>,
}

impl Panel {
    pub fn new(title: &'static str, x: &'static str, y: &'static str) -> Self {
        let ranges = [(0.0, 1.0, 1.0); 2];
        Panel { title, labels: [x, y], place: [0.0; 4], ranges, series: Vec::new() }
    }

    pub fn place(mut self, left: f64, top: f64, width: f64, height: f64) -> Self {
        self.place = [left, top, width, height];
        self
    }

    pub fn range(mut self, x: (f64, f64, f64), y: (f64, f64, f64)) -> Self {
        self.ranges = [x, y];
        self
    }

    pub fn draw(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        let [left, top, width, height] = self.place;
        let (x0, x1) = (left + 62.0, left + width - 24.0);
        let (y0, y1) = (top + height - 52.0, top + 64.0);
        let [x, y] = self.ranges;
        let at = |p: (f64, f64)| {
            let across = x0 + (x1 - x0) * (p.0 - x.0) / (x.1 - x.0);
            (across, y0 + (y1 - y0) * (p.1 - y.0) / (y.1 - y.0))
        };
        let text = |svg: &mut String, p: (f64, f64), style: &str, words: &str| {
            writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" {style}>{words}</text>", p.0, p.1)
        };
        let title = format!("font-size=\"15\" font-weight=\"600\" fill=\"{INK}\"");
        text(svg, (x0, top + 28.0), &title, self.title)?;
        let tick = format!("font-size=\"12\" fill=\"{FAINT}\"");
        let line = |svg: &mut String, a: (f64, f64), b: (f64, f64), colour: &str| {
            let (ax, ay, bx, by) = (a.0, a.1, b.0, b.1);
            writeln!(svg, "<path d=\"M{ax:.1} {ay:.1}L{bx:.1} {by:.1}\" stroke=\"{colour}\"/>")
        };
        for k in 0..=((x.1 - x.0) / x.2).round() as i32 {
            let value = x.0 + f64::from(k) * x.2;
            let (across, _) = at((value, y.0));
            line(svg, (across, y0), (across, y1), GRID)?;
            let style = format!("{tick} text-anchor=\"middle\"");
            text(svg, (across, y0 + 18.0), &style, &value.to_string())?;
        }
        for k in 0..=((y.1 - y.0) / y.2).round() as i32 {
            let value = y.0 + f64::from(k) * y.2;
            let (_, up) = at((x.0, value));
            line(svg, (x0, up), (x1, up), GRID)?;
            let style = format!("{tick} text-anchor=\"end\"");
            text(svg, (x0 - 8.0, up + 4.0), &style, &value.to_string())?;
        }
        line(svg, (x0, y0), (x1, y0), FAINT)?;
        line(svg, (x0, y0), (x0, y1), FAINT)?;
        let middle = format!("font-size=\"13\" fill=\"{INK}\" text-anchor=\"middle\"");
        text(svg, ((x0 + x1) / 2.0, y0 + 40.0), &middle, self.labels[0])?;
        let (across, up) = (left + 22.0, (y0 + y1) / 2.0);
        let turned = format!("{middle} transform=\"rotate(-90 {across:.1} {up:.1})\"");
        text(svg, (across, up), &turned, self.labels[1])?;
        let mut key = x0;
        for series in &self.series {
            series.write(svg, &at)?;
            series.write_key(svg, key, top + 46.0)?;
            key += 44.0 + 7.0 * series.name.chars().count() as f64;
        }
        Ok(())
    }
}

impl Series {
    fn write(&self, svg: &mut String, at: &dyn Fn((f64, f64)) -> (f64, f64)) -> std::fmt::Result {
        let colour = self.colour;
        if self.dots {
            for (x, y) in self.points.iter().map(|p| at(*p)) {
                writeln!(
                    svg,
                    "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3.2\" fill=\"{colour}\" stroke=\"#fff\" stroke-width=\"0.8\"/>"
                )?;
            }
            return Ok(());
        }
        write!(
            svg,
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\" d=\""
        )?;
        for (k, (x, y)) in self.points.iter().map(|p| at(*p)).enumerate() {
            write!(svg, "{}{x:.2} {y:.2}", if k == 0 { 'M' } else { 'L' })?;
        }
        writeln!(svg, "\"/>")
    }

    fn write_key(&self, svg: &mut String, left: f64, y: f64) -> std::fmt::Result {
        let colour = self.colour;
        if self.dots {
            let x = left + 11.0;
            writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.8\" fill=\"{colour}\"/>")?;
        } else {
            let right = left + 22.0;
            writeln!(
                svg,
                "<path d=\"M{left:.1} {y:.1}L{right:.1} {y:.1}\" stroke=\"{colour}\" stroke-width=\"2.5\"/>"
            )?;
        }
        let (x, y, name) = (left + 28.0, y + 4.0, self.name);
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"12\" fill=\"{FAINT}\">{name}</text>"
        )
    }
}

/// Panels on a white sheet.
pub struct Picture {
    size: [f64; 2],
    panels: Vec<Panel>,
}

impl Picture {
    pub fn new(width: f64, height: f64) -> Self {
        Picture { size: [width, height], panels: Vec::new() }
    }

    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    pub fn svg(&self) -> String {
        let [width, height] = self.size;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" {FONT}>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#fff\"/>\n"
        );
        for panel in &self.panels {
            panel.write(&mut svg).expect("writing to a string does not fail");
        }
        svg.push_str("</svg>\n");
        svg
    }
}
