//! A part of a report, apart from how a format draws it.

use super::widths::Width;
use crate::number;
use crate::wording::Tone;
use karat_model::units;

/// One part.
pub struct Part {
    /// Its anchor.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What the part shows and what it does not, for whoever reads it the first time.
    pub note: String,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// A piece of a part.
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Findings: severity, code, place, message.
    Findings(Vec<Entry>),
    /// A table.
    Table(Table),
    /// Areas in proportion to counts; drawn on a page only.
    Map(Map),
}

/// One finding.
pub struct Entry {
    /// Its severity's word and tint.
    pub severity: (&'static str, Tone),
    /// The check.
    pub code: String,
    /// What it is about, or empty.
    pub place: String,
    /// What was found.
    pub message: String,
}

/// Areas of two kinds of instructions.
pub struct Map {
    /// The two kinds.
    pub kinds: [&'static Width; 2],
    /// The areas, the largest first.
    pub areas: Vec<Area>,
}

/// A rectangle of a map.
pub struct Area {
    /// What it stands for.
    pub name: String,
    /// Instructions of the first and the second kind.
    pub counts: [u64; 2],
    /// Where its row is.
    pub anchor: Option<String>,
}

/// Rows under a heading. The first column names the row.
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, those that matter most first.
    pub rows: Vec<Row>,
    /// Rows that the short forms show.
    pub brief: usize,
    /// Rows there are beyond those given.
    pub more: u64,
}

/// A column.
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// What it says, if the heading does not.
    pub meaning: &'static str,
    /// Whether only a page has room for it.
    pub wide: bool,
}

impl Column {
    /// A column for every format.
    pub const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self {
            name,
            meaning,
            wide: false,
        }
    }

    /// A column for the page alone.
    pub const fn wide(name: &'static str, meaning: &'static str) -> Self {
        Self {
            name,
            meaning,
            wide: true,
        }
    }
}

/// A row.
pub struct Row {
    /// Its anchor.
    pub anchor: Option<String>,
    /// One value for each column.
    pub cells: Vec<Value>,
}

impl From<Vec<Value>> for Row {
    fn from(cells: Vec<Value>) -> Self {
        Self {
            anchor: None,
            cells,
        }
    }
}

/// What a cell holds.
pub enum Value {
    /// Words.
    Text(String),
    /// Words with a tint.
    Toned(Tone, String),
    /// A name out of a binary.
    Code(String),
    /// A count.
    Count(u64),
    /// A number of bytes.
    Bytes(u64),
    /// A signed count.
    Change(i64),
    /// A signed number of bytes.
    BytesChange(i64),
    /// A count now and then, as `×3.1` or `+4 %`.
    Ratio(u64, u64),
    /// A share of a whole.
    Share(u64, u64),
    /// An address.
    Address(u64),
    /// The two widest kinds (zmm and ymm) on a scale that ends at the third.
    Bar(u64, u64, u64),
}

impl Value {
    /// The value as text; a bar is none.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) | Self::Toned(_, text) | Self::Code(text) => text.clone(),
            Self::Count(0) => number::MISSING.into(),
            Self::Count(count) => units::grouped(*count),
            Self::Bytes(0) => number::MISSING.into(),
            Self::Bytes(bytes) => units::bytes(*bytes),
            Self::Change(0) | Self::BytesChange(0) => "=".into(),
            Self::Change(change) => sign(*change, units::grouped),
            Self::BytesChange(change) => sign(*change, units::bytes),
            Self::Ratio(now, before) => number::count_change(*now, *before),
            Self::Share(0, _) | Self::Share(_, 0) => number::MISSING.into(),
            Self::Share(part, whole) => match *part as f64 / *whole as f64 {
                share if share < 0.000_05 => "< 0.01 %".into(),
                share => number::percent(share),
            },
            Self::Address(address) => format!("{address:#x}"),
            Self::Bar(..) => String::new(),
        }
    }

    /// What a column is sorted by; none for words, which are sorted as they are.
    pub fn key(&self) -> Option<f64> {
        Some(match self {
            Self::Text(_) | Self::Toned(..) | Self::Code(_) => return None,
            Self::Count(n) | Self::Bytes(n) | Self::Address(n) => *n as f64,
            Self::Change(n) | Self::BytesChange(n) => *n as f64,
            Self::Ratio(now, before) => *now as f64 / (*before).max(1) as f64,
            Self::Share(part, whole) => *part as f64 / (*whole).max(1) as f64,
            Self::Bar(zmm, ymm, _) => (zmm + ymm) as f64,
        })
    }

    /// Whether it is set against the right edge.
    pub fn is_number(&self) -> bool {
        !matches!(
            self,
            Self::Text(_) | Self::Toned(..) | Self::Code(_) | Self::Bar(..)
        )
    }
}

fn sign(change: i64, print: fn(u64) -> String) -> String {
    let sign = if change < 0 { '−' } else { '+' };
    format!("{sign}{}", print(change.unsigned_abs()))
}
