//! The text of an SVG image.

use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// How wide a text is at 11 px, on the safe side.
pub fn width_of(text: &str) -> f64 {
    width_at(11.0, text)
}

/// How wide a text is at a size of letters, on the safe side: letters of Helvetica and its like, in three sorts.
pub fn width_at(size: f64, text: &str) -> f64 {
    let letter = |c: char| match c {
        ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '/' | 'f' | 'i' | 'j' | 'l' | 't' | 'I' => 0.33,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 1.0,
        c if c.is_ascii_uppercase() => 0.78,
        c if c.is_ascii() => 0.58,
        _ => 1.0,
    };
    size * text.chars().map(letter).sum::<f64>()
}

/// The colour of a number, as an angle: neighbours differ well, however many there are.
pub fn hue(number: usize) -> f64 {
    // The golden angle.
    (210.0 + 137.508 * number as f64) % 360.0
}

/// An image that is being written.
pub struct Image {
    text: String,
}

impl Image {
    /// An image of this size.
    pub fn new(title: &str, (width, height): (f64, f64)) -> Self {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ironbird-tasks\" width=\"{width:.0}\" \
             height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>",
            escaped(title)
        );
        Image { text }
    }

    /// A line of text.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), what: &str) {
        let what = escaped(what);
        let _ =
            writeln!(self.text, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{what}</text>");
    }

    /// A box with round corners.
    pub fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), round: f64) {
        let ((x, y), (width, height)) = (corner, size);
        let _ = writeln!(
            self.text,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"{round}\"/>"
        );
    }

    /// Lines and curves, in the language of SVG.
    pub fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.text, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// Begins what belongs together: a colour, and what is shown when one points at it.
    pub fn begin(&mut self, hue: f64, hover: &str) {
        let hover = escaped(hover);
        let _ = writeln!(self.text, "<g style=\"--hue:{hue:.0}\"><title>{hover}</title>");
    }

    /// Ends it.
    pub fn end(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// The whole image.
    pub fn finish(self) -> String {
        self.text + "</svg>\n"
    }
}

/// Text as XML: what XML cannot hold becomes a question mark.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
