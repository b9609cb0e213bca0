//! The writers: one for each format, and each draws any document.

pub mod escape;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod terminal;
