//! Shares of wholes, one bar for each whole, in HTML: a bar is as wide as the page.

use maud::{Markup, html};

use super::Bars;

/// How many colours there are.
const COLOURS: usize = 7;
/// A part that is wider than this has room for its text.
const ROOM: f64 = 0.16;
/// One that is wider than this has room for its share.
const LITTLE_ROOM: f64 = 0.06;

/// Bars as a figure.
pub(super) fn figure(bars: &Bars) -> Markup {
    let is_used = |kind: usize| bars.rows.iter().any(|row| row.parts.iter().any(|p| p.0 == kind));
    html! {
        figure class="bars" {
            figcaption { (bars.title) }
            ul class="legend" {
                @for (number, kind) in bars.kinds.iter().enumerate().filter(|(n, _)| is_used(*n)) {
                    li { i class=(colour(number)) {} (kind) }
                }
            }
            @for row in &bars.rows {
                p { (row.name) }
                div class="shares" role="img" aria-label=(spoken(bars, &row.parts)) {
                    @for (kind, share, text) in &row.parts {
                        @let share = share.clamp(0.0, 1.0);
                        span class=(colour(*kind)) style=(format!("width:{:.3}%", 100.0 * share))
                            title=(format!("{}: {}", name(bars, *kind), percent(share))) {
                            @if share >= ROOM { (text) " " (percent(share)) }
                            @else if share >= LITTLE_ROOM { (percent(share)) }
                        }
                    }
                }
            }
        }
    }
}

/// The first kind has a colour of its own.
fn colour(kind: usize) -> String {
    match kind {
        0 => "first".into(),
        other => format!("b{}", (other - 1) % COLOURS),
    }
}

/// What a part is.
fn name(bars: &Bars, kind: usize) -> &str {
    bars.kinds.get(kind).map_or("", String::as_str)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn spoken(bars: &Bars, parts: &[(usize, f64, String)]) -> String {
    let spoken =
        parts.iter().map(|(kind, share, _)| format!("{}: {}", name(bars, *kind), percent(*share)));
    spoken.collect::<Vec<_>>().join(", ")
}
