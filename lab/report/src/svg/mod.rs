//! Charts as inline SVG.
//!
//! Horizontal places are percentages and vertical ones are pixels, so a chart
//! fits any width without its text changing size. Colours come from the page's
//! style sheet through classes.

pub mod bar;
pub mod curves;
pub mod forest;
pub mod map;
pub mod marker;
pub mod pen;
pub mod points;
pub mod run_order;
pub mod scale;
pub mod treemap;
