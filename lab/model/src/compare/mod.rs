//! What a comparison of two sets of logs found: the document of `karat compare`.

mod document;
mod figure;
mod row;
mod side;

pub use crate::log::Shape;
pub use document::{Behaviour, CompareVerdict, FactRow, LogComparison, Normalisation, SCHEMA};
pub use figure::{FigureRow, JudgedFigure, NoiseFrom, SectionRow, Spread};
pub use row::{
    CountClass, CrashRow, MessageRow, TestClass, TestRow, TestSide, Times, UnreadRow, Weight,
};
pub use side::{LogFile, LogSide, Unread};
