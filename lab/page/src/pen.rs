//! The few shapes that charts are drawn with.

use crate::Writer;

/// Pixels as an attribute.
pub fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A chart of a height in pixels. Title and description are for those who do not see it.
pub fn chart(
    w: &mut Writer,
    height: f64,
    title: &str,
    description: &str,
    body: impl FnOnce(&mut Writer),
) {
    let height = px(height);
    let frame = [
        ("class", "chart"),
        ("width", "100%"),
        ("height", height.as_str()),
        ("role", "img"),
    ];
    w.node("svg", &frame, |w| {
        w.element("title", &[], title);
        w.element("desc", &[], description);
        body(w);
    });
}

/// A line between two points.
pub fn line(w: &mut Writer, class: &str, [x1, x2]: [&str; 2], [y1, y2]: [f64; 2]) {
    let (y1, y2) = (px(y1), px(y2));
    let ends = [("x1", x1), ("x2", x2), ("y1", &*y1), ("y2", &*y2)];
    let [a, b, c, d] = ends;
    w.empty("line", &[("class", class), a, b, c, d]);
}

/// A rectangle: from where and how wide, from which height and how high.
pub fn rect(w: &mut Writer, class: &str, [x, width]: [&str; 2], [y, height]: [f64; 2]) {
    let (y, height) = (px(y), px(height));
    let places = [("x", x), ("y", &*y), ("width", width), ("height", &*height)];
    let [a, b, c, d] = places;
    w.empty("rect", &[("class", class), a, b, c, d]);
}

/// Words at a place.
pub fn label(w: &mut Writer, class: &str, x: &str, y: f64, text: &str) {
    let place = [("class", class), ("x", x), ("y", &*px(y))];
    w.element("text", &place, text);
}
