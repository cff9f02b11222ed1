//! How large a box must be for what is written in it. All lengths are in pixels of the picture.

use crate::picture::diagram::{Block, LEFT, RIGHT};

/// Size of names, and of everything else that is written.
pub const NAME: f64 = 13.0;
/// Size of types, ports and notes.
pub const SMALL: f64 = 11.0;
/// Height of the part of a component's box that holds name and type.
pub const HEAD: f64 = 42.0;
/// Height of the part of a composite's box that holds its name.
pub const COMPOSITE_HEAD: f64 = 30.0;
/// Distance of ports.
pub const ROW: f64 = 18.0;
const NARROWEST: f64 = 96.0;

/// How wide a text is in a common sans-serif font, rather too wide than too narrow.
pub fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text.chars().map(width_of).sum();
    (ems * size).ceil()
}

fn width_of(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.3,
        'f' | 't' | 'r' | '[' | ']' | '(' | ')' | '-' => 0.37,
        'm' | 'w' | 'M' | 'W' | '…' => 0.95,
        '\u{0}'..='\u{24f}' if c.is_uppercase() => 0.74,
        '\u{0}'..='\u{24f}' => 0.6,
        _ => 1.05,
    }
}

/// Width and height of a component's box.
pub fn of_component(block: &Block) -> (f64, f64) {
    let widest = |side: usize| {
        block.ports[side].iter().map(|port| text_width(port, SMALL)).fold(0.0, f64::max)
    };
    // Names are bold.
    let name = text_width(&block.name, NAME * 1.08);
    let head = name.max(text_width(&block.subtitle, SMALL)) + 28.0;
    let ports = widest(LEFT) + widest(RIGHT) + 36.0;
    let rows = block.ports[LEFT].len().max(block.ports[RIGHT].len());
    let foot = if rows == 0 { 0.0 } else { 6.0 };
    (head.max(ports).max(NARROWEST), HEAD + rows as f64 * ROW + foot)
}

/// Where a port is, from the top of a component's box.
pub fn port_height(port: usize) -> f64 {
    HEAD + (port as f64 + 0.5) * ROW
}
