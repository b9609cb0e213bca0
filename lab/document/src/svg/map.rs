//! A treemap as inline SVG.
//!
//! It is laid out for `WIDTH` pixels and stretched to the page's width.

use crate::wording::{short_path, shortened};
use karat_model::units::grouped;
use karat_page::Writer;
use karat_page::pen;
use karat_page::scale::percent;
use karat_page::treemap::{Rect, squarify};

/// Width the layout is made for, in pixels.
const WIDTH: f64 = 800.0;
/// Height, in pixels.
const HEIGHT: f64 = 230.0;
/// Least height of a rectangle with a name.
const LINE: f64 = 17.0;
/// Least width of one.
const LEAST: f64 = 40.0;
/// Longest name, in characters; what does not fit into the rectangle is cut off.
const NAME: usize = 60;

/// Areas of two kinds of instructions.
pub struct Map {
    /// The two kinds, each by its short name and its long one.
    pub kinds: [[&'static str; 2]; 2],
    /// The areas, the largest first.
    pub areas: Vec<Area>,
}

/// A rectangle of a map.
pub struct Area {
    /// What it stands for.
    pub name: String,
    /// Instructions of the first and the second kind.
    pub counts: [u64; 2],
    /// Where its row is.
    pub anchor: Option<String>,
}

impl Map {
    /// Draws the areas.
    pub fn draw(&self, w: &mut Writer) {
        draw(w, self);
    }
}

fn draw(w: &mut Writer, map: &Map) {
    let (kinds, areas) = (map.kinds, &map.areas);
    let values: Vec<u64> = areas.iter().map(|a| a.counts.iter().sum()).collect();
    let whole = Rect {
        x: 0.0,
        y: 0.0,
        w: WIDTH,
        h: HEIGHT,
    };
    w.node("p", &[("class", "fine")], |w| {
        w.text("Area: number of instructions. ");
        w.element("span", &[("class", "key k1")], kinds[0][1]);
        w.text(" ");
        w.element("span", &[("class", "key k2")], kinds[1][1]);
    });
    let height = HEIGHT.to_string();
    let frame = [
        ("class", "map"),
        ("width", "100%"),
        ("height", height.as_str()),
        ("role", "img"),
        ("aria-label", "Vector instructions as areas"),
    ];
    w.node("svg", &frame, |w| {
        for (area, rect) in areas.iter().zip(squarify(&values, whole)) {
            match &area.anchor {
                Some(anchor) => {
                    let to = format!("#{anchor}");
                    w.node("a", &[("href", &to)], |w| one(w, map, area, rect));
                }
                None => one(w, map, area, rect),
            }
        }
    });
}

fn one(w: &mut Writer, map: &Map, area: &Area, rect: Rect) {
    let [first, second] = area.counts;
    let (x, width) = (rect.x / WIDTH * 100.0, rect.w / WIDTH * 100.0);
    let place = [
        ("x", percent(x)),
        ("y", format!("{:.1}", rect.y)),
        ("width", percent(width)),
        ("height", format!("{:.1}", rect.h)),
    ];
    let place: Vec<(&str, &str)> = place.iter().map(|(n, v)| (*n, v.as_str())).collect();
    // A picture of its own, so that what does not fit is cut off.
    w.node("svg", &place, |w| {
        let text = format!(
            "{}: {} {}, {} {}",
            area.name,
            grouped(first),
            map.kinds[0][0],
            grouped(second),
            map.kinds[1][0]
        );
        w.element("title", &[], &text);
        let share = first as f64 / (first + second).max(1) as f64 * 100.0;
        let fill = |w: &mut Writer, class: &str, x: f64, width: f64| {
            if width >= 0.005 {
                let place = [&*percent(x), &*percent(width)];
                pen::rect(w, class, place, [0.0, rect.h]);
            }
        };
        fill(w, "b2", share, 100.0 - share);
        fill(w, "b1", 0.0, share);
        pen::rect(w, "edge", ["0", "100%"], [0.0, rect.h]);
        if rect.h >= LINE && rect.w >= LEAST {
            let name = shortened(short_path(&area.name), NAME);
            pen::label(w, "name", "5", 13.0, &name);
            if rect.h >= 2.0 * LINE {
                let count = grouped(first + second);
                pen::label(w, "fine", "5", 28.0, &count);
            }
        }
    });
}
