//! The figures of Firedancer's benchmarks.
//!
//! Messages of `test_blake3.c`, `test_lthash.c` and others are parts joined by `;`,
//! each a number with its unit, and parameters in brackets behind them:
//!
//! - `~38.910 Gbps throughput / core (par 16 sz 1024)`
//! - `~ 0.844 Gbps per core input;  ~ 5.908 Gbps per core total;  9.478 ns per byte (sz     64)`
//! - `2.97e+05 * 16 blocks / second / core`
//! - `~1.30e+06 hash/s; 767.879 ns per hash`

use super::super::reader::Sink;
use super::super::scan::{figure, word};
use karat_model::log::Event;
use karat_model::units::Better;
use std::collections::BTreeMap;

/// Gives the figures of a message, if it has any. Those without parameters have
/// `last`, the parameters before them.
pub fn read(section: &str, last: &mut BTreeMap<String, String>, text: &str, out: &mut Sink<'_>) {
    let first = text.bytes().find(|byte| !matches!(byte, b' ' | b'~'));
    if !first.is_some_and(|byte| byte.is_ascii_digit()) {
        return;
    }
    let (text, parameters) = parameters(text);
    if !parameters.is_empty() {
        *last = parameters;
    }
    for part in text.split(';') {
        let Some((value, name, unit, better)) = part_of(part) else {
            continue;
        };
        let mut figure = figure(section, &name, value, &unit);
        figure.parameters.clone_from(last);
        figure.better = Some(better);
        out(Event::Figure(figure));
    }
}

/// Splits off `(par 16 sz 1024)`: names and values in turn.
fn parameters(text: &str) -> (&str, BTreeMap<String, String>) {
    let none = BTreeMap::new();
    let Some((front, inside)) = text.trim_end().rsplit_once('(') else {
        return (text, none);
    };
    let Some(inside) = inside.strip_suffix(')') else {
        return (text, none);
    };
    let words: Vec<&str> = inside.split_whitespace().take(16).collect();
    let sound = words.len().is_multiple_of(2)
        && words
            .iter()
            .skip(1)
            .step_by(2)
            .all(|w| w.parse::<f64>().is_ok());
    if !sound {
        return (text, none);
    }
    let pairs = words.chunks_exact(2);
    let pairs = pairs.map(|pair| (pair[0].to_owned(), pair[1].to_owned()));
    (front, pairs.collect())
}

/// Value, name, unit and direction of one part.
fn part_of(part: &str) -> Option<(f64, String, String, Better)> {
    let part = part.trim().trim_start_matches('~').trim_start();
    let (value, rest) = word(part)?;
    let value: f64 = value
        .parse()
        .ok()
        .filter(|v: &f64| v.is_finite() && *v >= 0.0)?;
    let mut rest = rest.trim();
    let mut factor = String::new();
    if let Some(behind) = rest.strip_prefix('*') {
        // A batch of so many blocks: part of the unit, so that the value stays the
        // one in the log.
        let (count, behind) = word(behind)?;
        factor = format!("{} ", count.parse::<u32>().ok()?);
        rest = behind.trim();
    }
    if let Some(what) = rest.strip_prefix("ns per ") {
        let what = what.trim();
        return Some((
            value,
            format!("time per {what}"),
            format!("ns/{what}"),
            Better::Lower,
        ));
    }
    if let Some(what) = rest.strip_prefix("Gbps") {
        let name = match what.trim() {
            // The two forms of one and the same.
            "per core" | "throughput / core" | "" => "throughput",
            "per core input" => "throughput, input",
            "per core total" => "throughput, total",
            other => other,
        };
        return Some((value, name.to_owned(), "Gbps".to_owned(), Better::Higher));
    }
    let words: Vec<&str> = rest.split_whitespace().take(8).collect();
    let what = match words.as_slice() {
        [one] => one.strip_suffix("/s")?.to_owned(),
        [what @ .., "/", "second", "/", "core"] | [what @ .., "/", "second"] => what.join(" "),
        _ => return None,
    };
    let unit = format!("{factor}{}/s", what.rsplit(' ').next().unwrap_or(&what));
    (!what.is_empty()).then_some((value, what, unit, Better::Higher))
}
