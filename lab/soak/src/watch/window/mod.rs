//! A window after the watching in which system calls are counted: after it, because
//! counting slows the program down; the throughput in the window tells by how much. What is
//! counted does not depend on how fast the program is, as long as an operation needs the
//! same calls.
//!
//! `perf stat` counts in the kernel, where it is allowed to; else `strace -c -f` stops the
//! program at each call (ptrace(2)).

mod perf;
mod strace;

use super::SoakError;
use super::program::{Load, Program};
use crate::pattern::LinePattern;
use karat_model::soak::{Point, SystemCalls};
use karat_process::{Command, Live};
use std::time::{Duration, Instant};

/// What a counter gets to print what it counted.
const GRACE: Duration = Duration::from_secs(5);
/// Longest time that a counter gets to attach itself, and to let go.
const PATIENCE: Duration = Duration::from_secs(30);
/// Calls that are told by name.
const NAMED: usize = 5;

/// The count, or why there is none.
pub(super) type Counted = Result<SystemCalls, String>;

/// All calls, and those with a name.
type Calls = (u64, Vec<(String, u64)>);

/// A way to count.
struct Method {
    /// As the report tells it.
    name: &'static str,
    /// The command that counts the calls of processes for so many seconds.
    command: fn(pids: &[u32], seconds: f64) -> Command,
    /// All calls and those with a name, from the lines that it printed; nothing where they
    /// tell no count.
    read: fn(lines: &[String]) -> Option<Calls>,
    /// Lines of the counter itself between which it counts, and whether it then ends by
    /// itself; without them it counts from its start until it is ended.
    marks: Option<(&'static str, &'static str)>,
}

/// The least dear one first.
const METHODS: [Method; 2] = [perf::METHOD, strace::METHOD];

/// Counts for `seconds`. The share of the usual throughput is for the caller to set.
pub(super) fn count(
    program: &mut Program,
    mut load: Option<&mut Load>,
    pattern: Option<&LinePattern>,
    seconds: f64,
) -> Result<Counted, SoakError> {
    let mut why = Vec::new();
    for method in &METHODS {
        match attempt(method, program, load.as_deref_mut(), pattern, seconds)? {
            Ok(counted) => return Ok(Ok(counted)),
            Err(reason) => why.push(reason),
        }
    }
    Ok(Err(format!(
        "System calls were not counted: {}.",
        why.join("; ")
    )))
}

fn attempt(
    method: &Method,
    program: &mut Program,
    mut load: Option<&mut Load>,
    pattern: Option<&LinePattern>,
    seconds: f64,
) -> Result<Counted, SoakError> {
    let mut command = (method.command)(&program.processes(), seconds);
    let tool = command.get_program().display().to_string();
    let mut counter = match Live::start(&mut command) {
        Ok(counter) => counter,
        Err(error) => return Ok(Err(format!("{tool} cannot be started ({error})"))),
    };
    let started = Instant::now();
    let mut counting = Counting {
        begin: method.marks.is_none().then_some(started),
        ..Counting::default()
    };
    let length = Duration::from_secs_f64(seconds);
    let last = match method.marks {
        Some(_) => started + length + PATIENCE,
        None => started + length,
    };
    let mut exited = false;
    while Instant::now() < last && !exited {
        if let Some(load) = load.as_deref_mut() {
            load.keep_going(seconds, 0.0)?;
        }
        let mut lives = vec![&mut counter];
        lives.extend(program.live());
        lives.extend(load.as_deref_mut().and_then(Load::live));
        let mut hear = |place: usize, line: &str| match place {
            0 => counting.mark(line, method.marks),
            _ => counting.hear(pattern, line),
        };
        let until = last.min(Instant::now() + Duration::from_millis(200));
        exited = Live::wait_any(&mut lives, until, &mut hear)? == Some(0);
    }
    let ended = Instant::now();
    let mut lines = counting.said;
    counter.end(GRACE, &mut |line| lines.push(line.to_owned()))?;
    let early = exited && method.marks.is_none();
    let counted = (method.read)(&lines).filter(|_| !early);
    let (Some((calls, mut most)), Some(begin)) = (counted, counting.begin) else {
        let why = lines.last().map_or("it said nothing", String::as_str);
        return Ok(Err(format!("{tool} counted nothing ({why})")));
    };
    let seconds = (counting.end.unwrap_or(ended) - begin).as_secs_f64();
    most.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    most.truncate(NAMED);
    Ok(Ok(SystemCalls {
        method: method.name.to_owned(),
        seconds,
        calls,
        operations: operations(&counting.points, seconds),
        most,
        slowdown: None,
    }))
}

/// What happens while a counter runs.
#[derive(Default)]
struct Counting {
    /// When it began to count.
    begin: Option<Instant>,
    /// When it ended.
    end: Option<Instant>,
    /// What the program's lines told in between.
    points: Vec<Point>,
    /// The counter's own lines.
    said: Vec<String>,
}

impl Counting {
    fn mark(&mut self, line: &str, marks: Option<(&str, &str)>) {
        let now = Instant::now();
        match marks {
            Some((begin, _)) if line == begin => self.begin = Some(now),
            Some((_, end)) if line == end => self.end = Some(now),
            _ => self.said.push(line.to_owned()),
        }
    }

    fn hear(&mut self, pattern: Option<&LinePattern>, line: &str) {
        let Some(begin) = self.begin.filter(|_| self.end.is_none()) else {
            return;
        };
        if let Some(point) = pattern.and_then(|p| p.read(line).point) {
            let at = begin.elapsed().as_secs_f64();
            self.points.push(Point { at, ..point });
        }
    }
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

    #[test]
    fn only_what_happens_between_the_marks_counts() {
        let marks = Some(("begin", "end"));
        let pattern = LinePattern::new(r"(?<done>\d+)").unwrap();
        let mut counting = Counting::default();
        for (place, line) in [
            (1, "1"),
            (0, "begin"),
            (1, "2"),
            (1, "3"),
            (0, "a count"),
            (0, "end"),
            (1, "4"),
        ] {
            match place {
                0 => counting.mark(line, marks),
                _ => counting.hear(Some(&pattern), line),
            }
        }
        let done: Vec<f64> = counting.points.iter().filter_map(|p| p.done).collect();
        assert_eq!(done, [2.0, 3.0]);
        assert!(counting.begin.is_some() && counting.end.is_some());
        assert_eq!(counting.said, ["a count"]);
    }
}
