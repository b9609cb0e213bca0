//! What readers of logs are made of: lines and what is looked for in them, pieces of
//! lines, JSON and XML documents, and what a reader is.
//!
//! The readers themselves are in `karat-figures` (benchmark tools, load generators,
//! counters) and in `karat-readers` (tests, builds, crashes), which also goes through
//! logs. Nothing here knows a tool.
//!
//! No text makes any of this panic, whatever its bytes.
#![forbid(unsafe_code)]

pub mod error;
pub mod json;
pub mod json_reader;
pub mod line;
pub mod line_reader;
pub mod reader;
pub mod scan;
pub mod shape;
pub mod sleep;
pub mod text;
pub mod xml;
pub mod xml_reader;
