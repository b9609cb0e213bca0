//! Many points as few elements.
//!
//! A circle of its own for each of ten thousand samples makes a page slow and long. One
//! path draws them all: each point is a line without length whose round ends make a dot.

use crate::Writer;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Units across a field; its width in pixels is not known.
const ACROSS: f64 = 1000.0;

/// Points of a kind that are drawn one by one.
const MOST: usize = 600;

/// Columns that more points are gathered in.
const COLUMNS: usize = 120;

/// Draws points in a field at `top` of this height: x in percent of the width, y in
/// pixels from the top of the field. The second kind is drawn hollow.
pub fn draw(
    w: &mut Writer,
    (top, height): (f64, f64),
    filled: &[(f64, f64)],
    hollow: &[(f64, f64)],
) {
    let (y, view, height) = (
        format!("{top}"),
        format!("0 0 {ACROSS} {height}"),
        format!("{height}"),
    );
    let frame = [
        ("class", "points"),
        ("y", y.as_str()),
        ("width", "100%"),
        ("height", &height),
        ("viewBox", &view),
        ("preserveAspectRatio", "none"),
    ];
    w.node("svg", &frame, |w| {
        for (class, points) in [("hollow", hollow), ("filled", filled)] {
            if points.is_empty() {
                continue;
            }
            if points.len() > MOST {
                gathered(w, class, points);
                continue;
            }
            let path = dots(points.iter().copied());
            w.empty("path", &[("class", class), ("d", &path)]);
            if class == "hollow" {
                w.empty("path", &[("class", "hole"), ("d", &path)]);
            }
        }
    });
}

/// Dots in units of the field; points in the same place are one.
fn dots(points: impl Iterator<Item = (f64, f64)>) -> String {
    let places: BTreeSet<(i64, i64)> = points
        .map(|(x, y)| {
            (
                (x * ACROSS / 100.0).round() as i64,
                (y * 2.0).round() as i64,
            )
        })
        .collect();
    let mut path = String::new();
    for (x, y) in places {
        let half = if y % 2 == 0 { "" } else { ".5" };
        let _ = write!(path, "M{x} {}{half}h0", y / 2);
    }
    path
}

/// The middle half of each column as a bar, the median as a dot.
fn gathered(w: &mut Writer, class: &str, points: &[(f64, f64)]) {
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); COLUMNS];
    for (x, y) in points {
        let column = (x / 100.0 * COLUMNS as f64) as usize;
        columns[column.min(COLUMNS - 1)].push(*y);
    }
    let mut bars = String::new();
    let mut medians = Vec::new();
    for (nth, column) in columns
        .iter_mut()
        .enumerate()
        .filter(|(_, c)| !c.is_empty())
    {
        column.sort_by(f64::total_cmp);
        let at = |share: usize| column[(column.len() - 1) * share / 4];
        let x = (nth as f64 + 0.5) * 100.0 / COLUMNS as f64;
        let _ = write!(bars, "M{:.0} {:.1}V{:.1}", x * ACROSS / 100.0, at(1), at(3));
        medians.push((x, at(2)));
    }
    w.empty("path", &[("class", "middle"), ("d", &bars)]);
    w.empty(
        "path",
        &[("class", class), ("d", &dots(medians.into_iter()))],
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_a_line_without_length() {
        let points = [(10.0, 3.2), (10.0, 3.2), (50.0, 12.0)];
        assert_eq!(dots(points.into_iter()), "M100 3h0M500 12h0");
    }

    #[test]
    fn however_many_points_the_drawing_stays_small() {
        let many: Vec<(f64, f64)> = (0..100_000)
            .map(|i| (f64::from(i) / 1000.0, f64::from(i * 7 % 240) / 10.0))
            .collect();
        let mut w = Writer::default();
        draw(&mut w, (0.0, 24.0), &many, &[]);
        let out = w.finish();
        assert!(out.len() < 6_000, "{}", out.len());
        assert_eq!(out.matches("<path").count(), 2);
    }
}
