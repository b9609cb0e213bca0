//! The console's table: a line for each repetition, aggregates among them.

use super::{NAME, failed};
use crate::collect::Collector;
use crate::error::ReadError;
use crate::text::lines;
use crate::value::parse;
use std::collections::HashSet;

const UNITS: &[&str] = &["ns", "us", "ms", "s"];

/// What the library computes by itself of times (`_cv` is in percent, so it is no
/// row); a user's own statistics cannot be told from benchmarks.
const AGGREGATES: &[&str] = &["_mean", "_median", "_stddev"];

/// A row of the table.
pub struct Row {
    line: usize,
    pub name: String,
    /// Value and unit.
    pub real: (f64, &'static str),
    pub cpu: (f64, &'static str),
    pub iterations: u64,
}

/// The line above the table.
pub fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(4).collect();
    words == ["Benchmark", "Time", "CPU", "Iterations"]
}

/// Adds all repetitions.
pub fn read(text: &[u8], collector: &mut Collector) -> Result<(), ReadError> {
    let mut rows = Vec::new();
    for (number, line) in lines(text) {
        if let Some((name, message)) = line.split_once("ERROR OCCURRED: ") {
            return Err(failed(name.trim(), message.trim()));
        }
        if let Some(row) = row(number, &line) {
            rows.push(row.map_err(|what| ReadError::line(NAME, number, what))?);
        }
    }
    let seen: HashSet<(&str, u64)> = rows
        .iter()
        .map(|row| (row.name.as_str(), row.iterations))
        .collect();
    for row in rows.iter().filter(|row| !is_aggregate(row, &seen)) {
        let problem = |e: ReadError| ReadError::line(NAME, row.line, e.to_string());
        let ((real, real_unit), (cpu, cpu_unit)) = (row.real, row.cpu);
        collector
            .add_time(&row.name, "real", real_unit, real)
            .map_err(problem)?;
        collector
            .add_time(&row.name, "cpu", cpu_unit, cpu)
            .map_err(problem)?;
    }
    Ok(())
}

/// An aggregate has the number of repetitions, two or more, where others have
/// iterations, and stands beside its kin. A benchmark that only has such a name
/// does not.
fn is_aggregate(row: &Row, seen: &HashSet<(&str, u64)>) -> bool {
    let base = AGGREGATES.iter().find_map(|a| row.name.strip_suffix(a));
    base.is_some_and(|base| {
        let beside = |kin: &&str| seen.contains(&(format!("{base}{kin}").as_str(), row.iterations));
        row.iterations >= 2 && AGGREGATES.iter().all(beside)
    })
}

/// `name  time unit  time unit  iterations`; `None` for other lines, and the
/// problem of a line that has this shape but no sound times.
pub fn row(line: usize, text: &str) -> Option<Result<Row, String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // A name may hold blanks, and a label may look like times: the first fit.
    let at = (1..words.len().saturating_sub(4)).find(|&i| {
        let number = |word: &str| word.parse::<f64>().is_ok();
        number(words[i])
            && unit(words[i + 1]).is_some()
            && number(words[i + 2])
            && unit(words[i + 3]).is_some()
            && words[i + 4].parse::<u64>().is_ok()
    })?;
    let (real_unit, cpu_unit) = (unit(words[at + 1])?, unit(words[at + 3])?);
    let iterations = words[at + 4].parse().ok()?;
    let name = words[..at].join(" ");
    let time = |word: &str| parse(word).map_err(|what| format!("`{name}`: {what}"));
    let row = || {
        Ok(Row {
            line,
            real: (time(words[at])?, real_unit),
            cpu: (time(words[at + 2])?, cpu_unit),
            iterations,
            name: name.clone(),
        })
    };
    Some(row())
}

fn unit(word: &str) -> Option<&'static str> {
    UNITS.iter().copied().find(|unit| *unit == word)
}
