//! `karat explain`: the page about a finding's code.

use crate::say;
use anyhow::Result;
use karat_audit::checks;
use karat_run::pages;
use karat_scan::{PAGES, Page};

/// Prints the page of `code`, or the list of codes.
pub fn run(code: Option<&str>) -> Result<u8> {
    let text = match code {
        Some(code) => page(code)?,
        None => {
            let audit = checks::ALL.iter().map(|check| (check.code, check.title));
            let scan = PAGES.iter().map(|page| (page.class.code(), page.title));
            let run = pages::PAGES.iter().map(|page| (page.code, page.title));
            let all = audit.chain(run).chain(scan);
            all.map(|(code, title)| format!("{code}  {title}\n"))
                .collect()
        }
    };
    say::result(&text)?;
    Ok(crate::exit::GOOD)
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
