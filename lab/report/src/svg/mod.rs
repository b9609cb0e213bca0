//! Charts as inline SVG.

pub mod curves;
pub mod forest;
pub mod map;
pub mod run_order;
