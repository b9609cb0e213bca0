//! What a run's figures are, and how the values within a run spread.

use crate::number;
use crate::wording::plural;
use karat_model::compare::{FigureRow, LogComparison, Spread};
use karat_model::log::Statistic;

/// Which statistic the figures are, as their tools call it.
pub fn statistics(found: &LogComparison) -> Option<String> {
    let count = |s: Statistic| {
        found
            .figures
            .iter()
            .filter(|f| f.statistic == Some(s))
            .count()
    };
    let all = [
        Statistic::Mean,
        Statistic::Median,
        Statistic::Least,
        Statistic::Slope,
    ];
    let named = all.map(|s| (count(s), s.word()));
    let named: Vec<String> = named
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{word} of {}", plural(*count, "figure")))
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "A run is told by the statistic that its tool reports ({}); two different ones are never \
             compared.",
            named.join(", ")
        )
    })
}

/// How the values within single runs spread, and why that is no verdict.
pub fn told(found: &LogComparison) -> Option<String> {
    let spreads = |f: &FigureRow| [f.spread_before, f.spread_after];
    let all: Vec<Spread> = found.figures.iter().flat_map(spreads).flatten().collect();
    // More than tenths of a percent would mean nothing.
    let relative = || all.iter().map(|s| (s.relative * 1e3).round() / 1e3);
    let (low, high) = (relative().reduce(f64::min)?, relative().reduce(f64::max)?);
    let values: u64 = all.iter().map(|s| s.values).sum();
    let range = match number::chosen(low) == number::chosen(high) {
        true => number::chosen(low),
        false => format!("{} to {}", number::chosen(low), number::chosen(high)),
    };
    let verdict = match found.within {
        true => "Here they are judged as if each were a run (--within), which is an assumption.",
        false => {
            "That is no verdict: values of one process share its layout, its memory and its moment, \
             and two processes of one program may differ by more. --within judges them all the same."
        }
    };
    Some(format!(
        "Within single runs there are {values} values, which spread by {range} (between the \
         quartiles). {verdict}"
    ))
}
