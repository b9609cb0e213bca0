//! Evidence in, reports out.
//!
//! A report is made from [`karat_model::evidence::Evidence`] and from nothing
//! else: no files, no clock, no environment. Every format says the same things
//! in the same words (`wording`, `tables`); each format is one [`Render`]
//! implementation and one arm of [`Format`].
#![forbid(unsafe_code)]

mod advice;
pub mod audit;
pub mod brief;
pub mod compare;
mod format;
mod html;
mod json;
pub mod kernels;
mod markdown;
mod number;
pub mod sarif;
pub mod scan;
pub mod soak;
mod svg;
mod tables;
mod terminal;
mod text;
mod wording;

pub use format::{Format, Render, UnknownFormat, render};
pub use html::Html;
pub use json::Json;
pub use markdown::Markdown;
pub use terminal::Terminal;
