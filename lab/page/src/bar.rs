//! A bar under a number in a table.

use crate::Writer;
use crate::pen;
use crate::scale::percent;

/// Draws segments side by side, each a length and a class, on a scale that
/// ends at `full`.
pub fn draw(w: &mut Writer, segments: &[(u64, &str)], full: u64) {
    let frame = [
        ("class", "bar"),
        ("width", "100%"),
        ("height", "4"),
        ("aria-hidden", "true"),
    ];
    w.node("svg", &frame, |w| {
        if full == 0 {
            return;
        }
        let mut from = 0.0;
        for (length, class) in segments {
            let width = *length as f64 / full as f64 * 100.0;
            if width > 0.0 {
                let place = [&*percent(from), &*percent(width)];
                pen::rect(w, class, place, [0.0, 4.0]);
            }
            from += width;
        }
    });
}
