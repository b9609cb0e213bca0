//! Walks one file's syntax tree and notes every place that has to do with CPU features.

mod conditions;
mod finder;
mod items;
mod tokens;
mod tree;

pub(crate) use finder::Finder;
