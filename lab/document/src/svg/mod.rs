//! Charts as inline SVG.

pub mod curves;
pub mod forest;
pub mod map;
pub mod over_time;
pub mod run_order;
