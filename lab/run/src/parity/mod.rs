//! Is behaviour the same? Exit code, stdout and warnings of every variant
//! against the baseline's; or, where a study names a reader of logs, the tests,
//! messages and crashes that both sides' logs tell of ([`karat_compare`]).

mod bytes;
mod check;
mod logs;

pub(crate) use check::{ParityError, check, expect};
