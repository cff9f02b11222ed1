//! A diagram that was laid out, as an SVG image.

use std::fmt::Write;

use ironbird_tasks::picture::escaped;

use crate::picture::diagram::{Arrow, Diagram, Kind, LEFT, Mark, RIGHT};
use crate::picture::layout::{Area, Layout};
use crate::picture::size::{self, ROW};

/// Around everything.
const MARGIN: f64 = 12.0;
/// How round the corners of arrows are.
const BEND: f64 = 6.0;
/// How far the boxes behind a stacked one look out.
const STACK: f64 = 4.0;

const STYLE: &str = include_str!("style.css");

/// The text of the image.
pub fn write(diagram: &Diagram, layout: &Layout) -> String {
    let whole = layout.areas[0];
    let (width, height) = (whole.width + 2.0 * MARGIN, whole.height + 2.0 * MARGIN);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ironbird-system\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"{} {} {width} {height}\" role=\"img\">",
        -MARGIN, -MARGIN
    );
    let title = if diagram.title.is_empty() { "System" } else { &diagram.title };
    let _ = writeln!(out, "<title>{}</title>\n<style>\n{STYLE}</style>", escaped(title));
    let (x, y) = (-MARGIN, -MARGIN);
    let _ = writeln!(
        out,
        "<rect class=\"paper\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
    );
    if !diagram.title.is_empty() {
        text(&mut out, "title", (4.0, 18.0), &diagram.title);
    }
    for block in 1..diagram.blocks.len() {
        draw_block(diagram, layout, block, &mut out);
    }
    for (arrow, path) in diagram.arrows.iter().zip(&layout.paths) {
        draw_arrow(diagram, arrow, path, &mut out);
    }
    for (number, mark) in diagram.marks.iter().enumerate() {
        let same = |other: &&Mark| (other.block, other.port) == (mark.block, mark.port);
        let before = diagram.marks[..number].iter().filter(same).count();
        draw_mark(mark, layout.areas[mark.block], before, &mut out);
    }
    out + "</svg>\n"
}

fn draw_block(diagram: &Diagram, layout: &Layout, number: usize, out: &mut String) {
    let (block, area) = (&diagram.blocks[number], layout.areas[number]);
    let composite = !block.children.is_empty();
    let class = if composite { "composite" } else { "component" };
    let dormant = if block.dormant { " dormant" } else { "" };
    let path = escaped(&diagram.path(number));
    let _ = writeln!(out, "<g class=\"{class}{dormant}\" data-path=\"{path}\">");
    let hover = if block.dormant {
        format!("{}\nNot there before it is spawned.", block.hover)
    } else {
        block.hover.clone()
    };
    let _ = writeln!(out, "<title>{}</title>", escaped(&hover));
    if block.stacked {
        for behind in [2.0, 1.0] {
            let by = behind * STACK;
            rect(out, "behind", Area { x: area.x + by, y: area.y - by, ..area });
        }
    }
    rect(out, "box", area);
    if composite {
        text(out, "name", (area.x + 12.0, area.y + 20.0), &block.name);
    } else {
        let middle = area.x + area.width / 2.0;
        text(out, "name middle", (middle, area.y + 18.0), &block.name);
        text(out, "small middle", (middle, area.y + 33.0), &block.subtitle);
        if block.ports.iter().any(|ports| !ports.is_empty()) {
            let y = area.y + size::HEAD - 2.0;
            let (x, end) = (area.x, area.x + area.width);
            let _ = writeln!(out, "<path class=\"rule\" d=\"M{x} {y}H{end}\"/>");
        }
        for (port, name) in block.ports[LEFT].iter().enumerate() {
            let y = area.y + size::port_height(port) + 4.0;
            text(out, "port", (area.x + 9.0, y), name);
        }
        for (port, name) in block.ports[RIGHT].iter().enumerate() {
            let y = area.y + size::port_height(port) + 4.0;
            text(out, "port end", (area.x + area.width - 9.0, y), name);
        }
    }
    out.push_str("</g>\n");
}

fn draw_arrow(diagram: &Diagram, arrow: &Arrow, path: &[(f64, f64)], out: &mut String) {
    let kind = if arrow.kind == Kind::Binding { "binding" } else { "link" };
    let broken = if diagram.is_broken(arrow) { " broken" } else { "" };
    let _ =
        writeln!(out, "<g class=\"arrow {kind}{broken}\"><title>{}</title>", escaped(&arrow.hover));
    let line = rounded(path);
    // A wide line that is not seen makes the thin one easy to point at.
    let _ =
        writeln!(out, "<path class=\"reach\" d=\"{line}\"/><path class=\"line\" d=\"{line}\"/>");
    if let Some(&(x, y)) = path.last() {
        let _ = writeln!(out, "<path class=\"tip\" d=\"M{x} {y}l-8 -4v8z\"/>");
        if !arrow.note.is_empty() {
            text(out, "note end", (x - 11.0, y - 4.0), &arrow.note);
        }
    }
    out.push_str("</g>\n");
}

/// A path with round corners.
fn rounded(path: &[(f64, f64)]) -> String {
    let mut line = String::new();
    for (number, &(x, y)) in path.iter().enumerate() {
        let around = number.checked_sub(1).and_then(|before| path.get(before));
        let _ = match (around, path.get(number + 1)) {
            (None, _) => write!(line, "M{x} {y}"),
            (_, None) => write!(line, "L{x} {y}"),
            (Some(&before), Some(&after)) => {
                let (a, b) = (towards((x, y), before), towards((x, y), after));
                write!(line, "L{} {}Q{x} {y} {} {}", a.0, a.1, b.0, b.1)
            }
        };
    }
    line
}

/// The point where a bend begins: not beyond the middle of a short line.
fn towards(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let step = |from: f64, to: f64| from + ((to - from) / 2.0).clamp(-BEND, BEND);
    (step(from.0, to.0), step(from.1, to.1))
}

/// Lightning at a port or at the corner of a block.
fn draw_mark(mark: &Mark, area: Area, before: usize, out: &mut String) {
    let aside = 11.0 * before as f64;
    let (x, y) = match mark.port {
        Some((LEFT, port)) => (area.x - 1.0 - aside, area.y + size::port_height(port) - ROW / 2.0),
        Some((_, port)) => {
            (area.x + area.width + aside, area.y + size::port_height(port) - ROW / 2.0)
        }
        None => (area.x + area.width - 8.0 - aside, area.y),
    };
    let _ = writeln!(
        out,
        "<path class=\"fault\" d=\"M{} {}l-6 9h4l-2 8l8 -11h-4l3 -6z\"><title>{}</title></path>",
        x + 1.0,
        y - 6.0,
        escaped(&mark.text)
    );
}

fn rect(out: &mut String, class: &str, area: Area) {
    let Area { x, y, width, height } = area;
    let _ = writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
    );
}

fn text(out: &mut String, class: &str, (x, y): (f64, f64), what: &str) {
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(what));
}
