//! Crates by the names of functions, where line tables say nothing.
//!
//! A name is a weaker witness than a source line: what was inlined into a function
//! is another crate's, and so may be an instance of generic code. It is asked only
//! of code without a line, such as naked assembly and builds without debug
//! information, and what it says is told apart.

use crate::names::crate_of;
use crate::ranges::{AddressRange, Cursor};
use crate::read::symbols::Symbols;
use std::collections::HashMap;

/// Of a function whose name says nothing, until all owners are known.
const UNTOLD: u32 = u32::MAX;

/// What names say.
pub struct ByName {
    /// Owners by line, and behind them the crates of `crates`.
    pub owners: Vec<String>,
    /// How many owners are by line.
    pub by_line: usize,
    /// By function: index into `owners`, or the count of them where its name says
    /// nothing or was not asked.
    pub functions: Vec<u32>,
}

impl ByName {
    /// Asks the names of functions that have code which no range of `by_line` covers.
    pub fn read(symbols: &Symbols<'_>, owners: &[String], by_line: &[AddressRange<u32>]) -> Self {
        // Packages have dashes where crates have underscores.
        let known: HashMap<String, &String> = owners
            .iter()
            .map(|owner| (owner.replace('-', "_"), owner))
            .collect();
        let mut out = Self {
            owners: owners.to_vec(),
            by_line: owners.len(),
            functions: vec![UNTOLD; symbols.functions.len()],
        };
        let mut numbers: HashMap<String, u32> = HashMap::new();
        // Functions whose names are to be asked: most of what is not Rust's has none.
        let functions = symbols.functions.iter();
        let mut is_open: Vec<bool> = functions.map(|function| function.may_be_rust).collect();
        let mut lines = Cursor::new(by_line);
        for range in &symbols.ranges {
            let function = range.value as usize;
            if !is_open[function] || lines.covers(range.start, range.end) {
                continue;
            }
            is_open[function] = false;
            let names = &symbols.functions[function].names;
            let Some(krate) = names.iter().find_map(|name| crate_of(name)) else {
                continue;
            };
            let number = *numbers.entry(krate).or_insert_with_key(|krate| {
                let name = known.get(krate).copied().unwrap_or(krate);
                out.owners.push(name.clone());
                out.owners.len() as u32 - 1
            });
            out.functions[function] = number;
        }
        let none = out.owners.len() as u32;
        let told = out.functions.iter_mut();
        told.filter(|told| **told == UNTOLD)
            .for_each(|told| *told = none);
        out
    }
}
