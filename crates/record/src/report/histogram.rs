//! How numbers are spread: bars over an axis.

use maud::{Markup, html};

use super::Histogram;
use super::axis::{Axis, is_drawable, range};
use super::plot::{across, grid, tick_labels, up};

/// A histogram as a figure.
pub(super) fn figure(histogram: &Histogram) -> Markup {
    let drawable =
        |bar: &&(f64, f64, u64)| is_drawable(bar.0) && is_drawable(bar.1) && bar.0 <= bar.1;
    let bars = || histogram.bars.iter().filter(drawable);
    let ends = bars().flat_map(|(from, until, _)| [*from, *until]);
    let (low, high) = range(ends, 0.0);
    let x = Axis::new(low, high, 8.0, 1.0);
    let most = bars().map(|(_, _, count)| *count).max().unwrap_or(0).max(1);
    let y = Axis::new(0.0, most as f64 * 1.06, 4.0, 1.0);
    html! {
        figure class="histogram" {
            figcaption { (histogram.title) }
            div class="frame" {
                span class="y-unit" { (y.unit("how many")) }
                div class="canvas" style="height:10rem" {
                    svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(histogram.title) {
                        (grid(&x, &y))
                        @for (from, until, count) in bars() {
                            rect class="bar" x=(across(&x, *from)) y=(up(&y, *count as f64))
                                width=(across(&x, *until) - across(&x, *from))
                                height=(up(&y, 0.0) - up(&y, *count as f64)) {}
                        }
                    }
                    (tick_labels(&x, &y))
                }
                span class="x-unit" { (x.unit(&histogram.unit)) }
            }
        }
    }
}
