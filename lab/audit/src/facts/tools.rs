//! Compilers by the `DW_AT_producer` of their units.

use karat_model::facts::{FileFacts, Tool};
use std::collections::{BTreeMap, BTreeSet};

/// Adds one tool for each compiler and version, with the flags of all its units.
pub fn add_producers(producers: &BTreeMap<String, u64>, out: &mut FileFacts) {
    let mut by_name: BTreeMap<String, (u64, BTreeSet<String>)> = BTreeMap::new();
    for (producer, units) in producers {
        let (name, flags) = split(producer);
        let entry = by_name.entry(name).or_default();
        entry.0 += units;
        entry.1.extend(flags);
    }
    let mut tools: Vec<Tool> = by_name
        .into_iter()
        .map(|(name, (units, flags))| Tool {
            name,
            from: "DWARF".into(),
            units,
            flags: flags.into_iter().collect(),
        })
        .collect();
    tools.sort_by_key(|tool| std::cmp::Reverse(tool.units));
    tools.append(&mut out.tools);
    out.tools = tools;
}

/// GCC puts its flags behind its version; Clang does with `-grecord-command-line`.
fn split(producer: &str) -> (String, Vec<String>) {
    let words: Vec<&str> = producer.split_whitespace().collect();
    let first = words.iter().position(|word| word.starts_with('-'));
    let name = words[..first.unwrap_or(words.len())].join(" ");
    let flags = words[first.unwrap_or(words.len())..].iter();
    let flags = flags.filter(|word| chooses_code(word));
    (name, flags.map(|&word| word.to_owned()).collect())
}

/// Flags that say which instructions come out: of machine and optimisation. Those that
/// every compiler sets by itself say nothing.
fn chooses_code(flag: &str) -> bool {
    let is_machine = flag.starts_with("-m") && !matches!(flag, "-m64" | "-mrelax-all");
    is_machine || flag.starts_with("-O") || flag.starts_with("-flto") || flag == "-ffast-math"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_producer_is_its_name_and_its_flags() {
        let gcc = "GNU C17 12.2.0 -mtune=generic -march=haswell -g -O2 -fno-plt";
        let (name, flags) = split(gcc);
        assert_eq!(name, "GNU C17 12.2.0");
        assert_eq!(flags, ["-mtune=generic", "-march=haswell", "-O2"]);
        let rustc = "clang LLVM (rustc version 1.89.0 (abc 2025-08-01))";
        assert_eq!(split(rustc), (rustc.to_owned(), Vec::new()));
    }
}
