//! `karat explain`: the page about a finding's code, or about a key of a study.

use crate::say;
use anyhow::Result;
use karat_audit::checks;
use karat_model::study::reference;
use karat_run::pages;
use karat_scan::{PAGES, Page};

/// Prints the page of `what`, or the list of codes and keys.
pub fn run(what: Option<&str>) -> Result<u8> {
    let text = match what {
        Some(key) if key == "study" || key.starts_with("study.") => {
            reference::page(key).map_err(|said| super::failed(crate::exit::USAGE, said))?
        }
        // A table's name and a key's, as in the file. No code has a full stop.
        Some(key) if key.contains('.') => reference::page(&format!("study.{key}"))
            .map_err(|said| super::failed(crate::exit::USAGE, said))?,
        Some(code) => page(code)?,
        None => {
            let all = codes().map(|(code, title)| format!("{code}  {title}\n"));
            let all: String = all.collect();
            format!(
                "{all}\nKeys of a study, such as study.measure.margin\n{}",
                reference::list()
            )
        }
    };
    say::result(&text)?;
    Ok(crate::exit::GOOD)
}

/// Every code with its title.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let audit = checks::ALL.iter().map(|check| (check.code, check.title));
    let scan = PAGES.iter().map(|page| (page.class.code(), page.title));
    let run = pages::PAGES.iter().map(|page| (page.code, page.title));
    audit.chain(run).chain(scan)
}

fn page(code: &str) -> Result<String> {
    let audit = checks::ALL
        .iter()
        .find(|check| check.code.eq_ignore_ascii_case(code));
    let scan = PAGES
        .iter()
        .find(|page| page.class.code().eq_ignore_ascii_case(code));
    let run = pages::PAGES
        .iter()
        .find(|page| page.code.eq_ignore_ascii_case(code));
    let found = audit
        .map(checks::Check::page)
        .or_else(|| run.map(pages::Page::text))
        .or_else(|| scan.map(Page::text));
    found.ok_or_else(|| {
        super::failed(
            crate::exit::USAGE,
            format!("no code {code}; `karat explain` without one lists all"),
        )
    })
}
