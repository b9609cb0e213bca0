//! A squarified treemap: areas in proportion to counts, as near to squares as can be.
//!
//! Source: Bruls, Huizing, van Wijk, "Squarified Treemaps", Proceedings of the Joint
//! Eurographics and IEEE TCVG Symposium on Visualization (VisSym), 2000, pp. 33-42.

/// A rectangle, in the units of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// Lays out `values` (the largest first) in `whole`: one rectangle for each, in the
/// same order; values of zero get none of the area.
pub fn squarify(values: &[u64], whole: Rect) -> Vec<Rect> {
    let total: u64 = values.iter().sum();
    let mut out = Vec::with_capacity(values.len());
    if total == 0 {
        let nothing = Rect {
            w: 0.0,
            h: 0.0,
            ..whole
        };
        return vec![nothing; values.len()];
    }
    let scale = whole.w * whole.h / total as f64;
    let areas: Vec<f64> = values.iter().map(|v| *v as f64 * scale).collect();
    let mut free = whole;
    let mut rest = &areas[..];
    while !rest.is_empty() {
        let side = free.w.min(free.h);
        // Add to the row while that makes its worst rectangle no longer.
        let mut row = 1;
        while row < rest.len() && worst(&rest[..=row], side) <= worst(&rest[..row], side) {
            row += 1;
        }
        let (taken, left) = rest.split_at(row);
        free = place(taken, free, &mut out);
        rest = left;
    }
    out
}

/// The largest ratio of sides in a row of `areas` along a side of this length.
fn worst(areas: &[f64], side: f64) -> f64 {
    let sum: f64 = areas.iter().sum();
    let (side2, sum2) = (side * side, sum * sum);
    areas
        .iter()
        .map(|a| f64::max(side2 * a / sum2, sum2 / (side2 * a)))
        .fold(0.0, f64::max)
}

/// Puts a row along the shorter side of `free`; returns what is left of it.
fn place(areas: &[f64], free: Rect, out: &mut Vec<Rect>) -> Rect {
    let sum: f64 = areas.iter().sum();
    let along_height = free.h <= free.w;
    let side = if along_height { free.h } else { free.w };
    let depth = if side > 0.0 { sum / side } else { 0.0 };
    let mut at = 0.0;
    for area in areas {
        let length = if depth > 0.0 { area / depth } else { 0.0 };
        out.push(match along_height {
            true => Rect {
                x: free.x,
                y: free.y + at,
                w: depth,
                h: length,
            },
            false => Rect {
                x: free.x + at,
                y: free.y,
                w: length,
                h: depth,
            },
        });
        at += length;
    }
    match along_height {
        true => Rect {
            x: free.x + depth,
            w: free.w - depth,
            ..free
        },
        false => Rect {
            y: free.y + depth,
            h: free.h - depth,
            ..free
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Rect = Rect {
        x: 0.0,
        y: 0.0,
        w: 6.0,
        h: 4.0,
    };

    #[test]
    fn the_example_of_the_paper() {
        // Figure 3: 6, 6, 4, 3, 2, 2, 1 in a rectangle of 6 by 4.
        let rects = squarify(&[6, 6, 4, 3, 2, 2, 1], WHOLE);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        // The first two share a column of width 3.
        assert!(near(rects[0].w, 3.0) && near(rects[0].h, 2.0), "{rects:?}");
        assert!(near(rects[1].y, 2.0), "{rects:?}");
        // The next two a row of width 3 and height 7/3.
        assert!(
            near(rects[2].h, 7.0 / 3.0) && near(rects[2].x, 3.0),
            "{rects:?}"
        );
        assert!(
            near(rects[3].y, 0.0) && near(rects[3].h, 7.0 / 3.0),
            "{rects:?}"
        );
    }

    #[test]
    fn areas_are_kept_and_stay_inside() {
        let values = [900, 50, 30, 10, 5, 4, 1, 0];
        let rects = squarify(&values, WHOLE);
        assert_eq!(rects.len(), values.len());
        for (rect, value) in rects.iter().zip(values) {
            let area = 24.0 * value as f64 / 1000.0;
            assert!((rect.w * rect.h - area).abs() < 1e-9, "{rect:?}");
            assert!(rect.x >= -1e-9 && rect.x + rect.w <= 6.0 + 1e-9);
            assert!(rect.y >= -1e-9 && rect.y + rect.h <= 4.0 + 1e-9);
        }
        assert!(squarify(&[], WHOLE).is_empty());
        assert_eq!(squarify(&[0, 0], WHOLE)[1].w, 0.0);
    }
}
