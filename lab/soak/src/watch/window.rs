//! A window after the watching in which system calls are counted.
//!
//! `strace -c -f` stops the program at each system call (ptrace(2)), which slows it down: hence
//! after the watching, and with the throughput in the window beside the count. What it counts
//! does not depend on how fast the program is, as long as an operation needs the same calls.

use super::SoakError;
use super::program::{Load, Program};
use crate::pattern::LinePattern;
use karat_model::soak::{Point, SystemCalls};
use karat_process::{Command, Live};
use std::time::{Duration, Instant};

/// What strace gets to print its summary.
const GRACE: Duration = Duration::from_secs(5);
/// Calls that are told by name.
const NAMED: usize = 5;

/// The count, or why there is none.
pub(super) type Counted = Result<SystemCalls, String>;

/// Counts for `seconds`. The share of the usual throughput is for the caller to set.
pub(super) fn count(
    program: &mut Program,
    load: Option<&mut Load>,
    pattern: Option<&LinePattern>,
    seconds: f64,
) -> Result<Counted, SoakError> {
    let mut command = Command::new("strace");
    command.args(["-c", "-f", "-qq", "-U", "calls,name"]);
    for pid in program.processes() {
        command.args(["-p", &pid.to_string()]);
    }
    let mut strace = match Live::start(&mut command) {
        Ok(strace) => strace,
        Err(error) => {
            return Ok(Err(format!(
                "System calls were not counted: strace cannot be started ({error}); install it."
            )));
        }
    };
    let begun = Instant::now();
    let end = begun + Duration::from_secs_f64(seconds);
    let mut points = Vec::new();
    let mut load = load;
    let mut failed = false;
    while Instant::now() < end && !failed {
        if let Some(load) = load.as_deref_mut() {
            load.keep_going(seconds, 0.0)?;
        }
        let mut lives = vec![&mut strace];
        lives.extend(program.live());
        lives.extend(load.as_deref_mut().and_then(Load::live));
        let mut hear = |place: usize, line: &str| {
            if let Some(point) = pattern
                .filter(|_| place > 0)
                .and_then(|p| p.read(line).point)
            {
                let at = begun.elapsed().as_secs_f64();
                points.push(Point { at, ..point });
            }
        };
        let until = end.min(Instant::now() + Duration::from_millis(200));
        failed = Live::wait_any(&mut lives, until, &mut hear)? == Some(0);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let mut lines = Vec::new();
    strace.end(GRACE, &mut |line| lines.push(line.to_owned()))?;
    let (calls, most) = summary(&lines);
    if failed || most.is_empty() {
        let why = lines.last().map_or("it said nothing", String::as_str);
        return Ok(Err(format!(
            "System calls were not counted: strace ended at once ({why})."
        )));
    }
    Ok(Ok(SystemCalls {
        method: "strace -c -f (ptrace)".to_owned(),
        seconds,
        calls,
        operations: operations(&points, seconds),
        most,
        slowdown: None,
    }))
}

/// All calls, and the most frequent ones: rows of a number and a name.
fn summary(lines: &[String]) -> (u64, Vec<(String, u64)>) {
    let row = |line: &String| {
        let mut words = line.split_whitespace();
        let calls: u64 = words.next()?.parse().ok()?;
        let name = words.next()?;
        (words.next().is_none() && name != "total").then(|| (name.to_owned(), calls))
    };
    let mut rows: Vec<(String, u64)> = lines.iter().filter_map(row).collect();
    let all = rows.iter().map(|r| r.1).sum();
    rows.sort_by_key(|r| std::cmp::Reverse(r.1));
    rows.truncate(NAMED);
    (all, rows)
}

/// Operations in the window. The first line only says where it begins: what it tells
/// happened in part before.
fn operations(points: &[Point], seconds: f64) -> Option<f64> {
    let (first, rest) = points.split_first()?;
    let last = rest.last()?;
    let rates: Vec<f64> = rest.iter().filter_map(|p| p.rate).collect();
    let rate = match (last.total.zip(first.total), rates.is_empty()) {
        (Some((now, then)), _) => (now - then) / (last.at - first.at),
        (None, false) => rates.iter().sum::<f64>() / rates.len() as f64,
        (None, true) => rest.iter().filter_map(|p| p.done).sum::<f64>() / (last.at - first.at),
    };
    (rate.is_finite() && rate > 0.0).then_some(rate * seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_strace_is_read() {
        // strace 6.1, `strace -c -U calls,name`.
        let text = "    calls syscall\n--------- ----------------\n        7 read\n       12 write\n\
                    \x20       1 close\n--------- ----------------\n       20 total\n";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (all, most) = summary(&lines);
        assert_eq!(all, 20);
        let expected = [("write", 12), ("read", 7), ("close", 1)];
        assert_eq!(most, expected.map(|(name, n)| (name.to_owned(), n)));
        assert_eq!(summary(&[]), (0, Vec::new()));
    }

    #[test]
    fn operations_are_those_of_the_whole_window() {
        let total = |at, total| Point {
            at,
            total: Some(total),
            ..Point::default()
        };
        let found = operations(&[total(0.5, 100.0), total(1.5, 300.0)], 4.0);
        assert!((found.unwrap() - 800.0).abs() < 1e-9);
        assert_eq!(operations(&[total(0.5, 100.0)], 4.0), None);
        let rate = |at, rate| Point {
            at,
            rate: Some(rate),
            ..Point::default()
        };
        let found = operations(&[rate(0.5, 999.0), rate(1.0, 10.0), rate(1.5, 30.0)], 4.0);
        assert!((found.unwrap() - 80.0).abs() < 1e-9);
        assert_eq!(operations(&[], 4.0), None);
    }
}
