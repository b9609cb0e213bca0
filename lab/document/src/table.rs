//! Tables, and what their cells hold.

use crate::number;
use crate::wording::Tone;
use karat_model::units;
use karat_model::verdict::{Comparison, Judgement, SpeedRatio};

/// Rows under a heading. The first column names the row.
#[derive(Default)]
pub struct Table {
    /// What it shows. It is said where there are several tables.
    pub caption: String,
    /// The columns. One in which no row says anything is left out.
    pub columns: Vec<Column>,
    /// The rows, those that matter most first.
    pub rows: Vec<Row>,
    /// Rows that a terminal shows, and those that Markdown shows.
    pub brief: [usize; 2],
    /// Rows there are beyond those given.
    pub more: u64,
}

impl Table {
    /// A table whose rows all forms show.
    pub fn new(caption: impl Into<String>, columns: Vec<Column>, rows: Vec<Row>) -> Self {
        Self {
            caption: caption.into(),
            columns,
            rows,
            brief: [usize::MAX; 2],
            more: 0,
        }
    }

    /// The same with at most so many rows in the short forms.
    pub fn brief(self, rows: usize) -> Self {
        Self {
            brief: [rows; 2],
            ..self
        }
    }

    /// The columns that a form draws: `wide` ones on a page only, and none that is silent.
    pub fn kept(&self, wide: bool) -> Vec<usize> {
        let says = |c: usize| {
            let mut cells = self.rows.iter().filter_map(|r| r.cells.get(c));
            c == 0 || self.rows.is_empty() || cells.any(|v| !v.is_silent())
        };
        (0..self.columns.len())
            .filter(|c| (wide || !self.columns[*c].wide) && says(*c))
            .collect()
    }

    /// Whether a column is set against the right edge.
    pub fn is_right(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|r| r.cells.get(column));
        column > 0 && cells.any(Value::is_number)
    }
}

/// A column.
pub struct Column {
    /// Its heading.
    pub name: String,
    /// What it says, if the heading does not.
    pub meaning: String,
    /// Whether only a page has room for it.
    pub wide: bool,
    /// Whether a page tints its cells by their words.
    pub tinted: bool,
}

impl Column {
    /// A column for every format.
    pub fn new(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            meaning: meaning.into(),
            wide: false,
            tinted: false,
        }
    }

    /// A column for the page alone.
    pub fn wide(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            wide: true,
            ..Self::new(name, meaning)
        }
    }

    /// A column of words that its cells are tinted by.
    pub fn tinted(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            tinted: true,
            ..Self::new(name, meaning)
        }
    }

    /// Columns that need no explanation.
    pub fn all<const N: usize>(names: [&str; N]) -> Vec<Self> {
        names.map(|name| Self::new(name, "")).into()
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
    /// A name.
    Code(String),
    /// A figure as text.
    Number(String),
    /// Why there is nothing to show.
    Absent(&'static str),
    /// A comparison.
    Effect(Effect),
    /// One above the others, which are small.
    Stack(Vec<Value>),
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
    /// A length on a scale that ends at the second.
    Meter(u64, u64),
}

/// A comparison: how much, how surely, and the word for it.
pub struct Effect {
    /// The word.
    pub judgement: Judgement,
    /// The change with its interval.
    pub speed: SpeedRatio,
    /// What a page adds.
    pub asides: Vec<String>,
}

impl From<&Comparison> for Effect {
    fn from(c: &Comparison) -> Self {
        let says = |what: &str, speed| format!("{what} {}", number::change(speed));
        let split = c.split.map(|split| {
            [
                says("fastest runs", split.floor),
                says("typical", split.typical),
            ]
        });
        Self {
            judgement: c.judgement,
            speed: c.speed,
            asides: split.map_or_else(Vec::new, Vec::from),
        }
    }
}

impl Value {
    /// Words.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The value as text; a bar is none, and of a stack it is the first.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) | Self::Toned(_, text) | Self::Code(text) | Self::Number(text) => {
                text.clone()
            }
            Self::Absent(why) => (*why).to_owned(),
            Self::Effect(effect) => number::change(effect.speed.estimate),
            Self::Stack(values) => values.first().map_or_else(String::new, Self::text),
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
            Self::Bar(..) | Self::Meter(..) => String::new(),
        }
    }

    /// Whether it says nothing.
    pub fn is_silent(&self) -> bool {
        match self {
            Self::Bar(zmm, ymm, _) => zmm + ymm == 0,
            Self::Meter(length, _) => *length == 0,
            Self::Effect(_) | Self::Stack(_) => false,
            other => matches!(other.text().as_str(), "" | "=" | number::MISSING),
        }
    }

    /// What a column is sorted by; none for words, which are sorted as they are.
    pub fn key(&self) -> Option<f64> {
        Some(match self {
            Self::Count(n) | Self::Bytes(n) | Self::Address(n) => *n as f64,
            Self::Change(n) | Self::BytesChange(n) => *n as f64,
            Self::Ratio(now, before) => *now as f64 / (*before).max(1) as f64,
            Self::Share(part, whole) => *part as f64 / (*whole).max(1) as f64,
            Self::Bar(zmm, ymm, _) => (zmm + ymm) as f64,
            _ => return None,
        })
    }

    /// Whether it is set against the right edge.
    pub fn is_number(&self) -> bool {
        match self {
            Self::Stack(values) => values.first().is_some_and(Self::is_number),
            Self::Number(_) => true,
            Self::Bar(..) => false,
            other => other.key().is_some(),
        }
    }
}

fn sign(change: i64, print: fn(u64) -> String) -> String {
    let sign = if change < 0 { '−' } else { '+' };
    format!("{sign}{}", print(change.unsigned_abs()))
}
