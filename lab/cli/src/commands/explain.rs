//! `karat explain`: the page about a finding's code.

use crate::say;
use anyhow::Result;
use karat_audit::checks;

/// Prints the page of `code`, or the list of codes.
pub fn run(code: Option<&str>) -> Result<u8> {
    let text = match code {
        Some(code) => page(code)?,
        None => checks::ALL
            .iter()
            .map(|check| format!("{}  {}\n", check.code, check.title))
            .collect(),
    };
    say::result(&text)?;
    Ok(crate::exit::GOOD)
}

fn page(code: &str) -> Result<String> {
    let found = checks::ALL
        .iter()
        .find(|check| check.code.eq_ignore_ascii_case(code));
    found.map(checks::Check::page).ok_or_else(|| {
        super::failed(
            crate::exit::USAGE,
            format!("no code {code}; `karat explain` without one lists all"),
        )
    })
}
