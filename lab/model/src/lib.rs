//! karat's nouns: what a study says, what a run finds, what the judge says.
//!
//! No I/O and no decisions: text in, values out, values in, text out. The words
//! are those of GLOSSARY.md.
#![forbid(unsafe_code)]

pub mod audit;
pub mod audit_document;
pub mod bloat;
pub mod catalogue;
pub mod census;
pub mod compare;
pub mod diagnostic;
pub mod evidence;
pub mod facts;
pub mod finding;
pub mod gates;
pub mod kernels;
pub mod layout;
pub mod leaks;
pub mod log;
pub mod machine;
pub mod measure;
pub mod names;
pub mod package;
pub mod scan;
pub mod soak;
pub mod study;
pub mod survival;
pub mod tried;
pub mod units;
pub mod verdict;
