//! HTML that cannot forget to escape or to close, and the shapes of charts as inline SVG.
//!
//! Horizontal places are percentages and vertical ones are pixels, so a chart fits any
//! width without its text changing size. Colours come from the page's style sheet through
//! classes. It knows nothing of what is reported.
#![forbid(unsafe_code)]

pub mod bar;
pub mod marker;
mod paths;
pub mod pen;
pub mod points;
mod printable;
pub mod scale;
pub mod treemap;
mod writer;

pub use printable::printable;
pub use writer::{Attributes, Writer};
