//! `perf bench`: what its benchmarks of the kernel and of memory functions took.
//!
//! The section is the benchmark (`perf bench sched/pipe`); the functions of `mem` are a
//! parameter. Source: perf 6.1.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, short, word};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};

/// What `perf bench` prints.
pub static PERF_BENCH: LineReader = LineReader {
    name: "perf",
    reads: "what `perf bench` prints",
    mark: |line| benchmark(line).is_some(),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    /// `perf bench sched/pipe`; empty outside of a benchmark.
    section: String,
    /// The function that is measured.
    function: String,
    /// The last step of which it was said what it took; more is told of each.
    step: String,
}

const RUNNING: Needle = Needle::new("# Running ");

const WAKE: Wake = Wake {
    first: b"",
    has: &[RUNNING],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.section.is_empty().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.first() == b'#'
            && let Some(name) = benchmark(text)
        {
            self.section = short(&format!("perf bench {name}"));
            self.function.clear();
            self.step.clear();
            return Claim::Owned;
        }
        if self.section.is_empty() {
            return Claim::Passed;
        }
        if let Some(rest) = text.strip_prefix("# function '") {
            self.function = short(rest.split('\'').next().unwrap_or(rest));
            return Claim::Owned;
        }
        if text.starts_with("# ")
            || text.starts_with("[thread ")
            || text.starts_with("Run summary ")
        {
            return Claim::Owned;
        }
        let Some(Found {
            name,
            value,
            unit,
            is_mean,
        }) = found(text)
        else {
            return Claim::Passed;
        };
        let mut figure = figure(&self.section, name, value, unit);
        figure.statistic = is_mean.then_some(Statistic::Mean);
        if !self.function.is_empty() {
            let function = self.function.clone();
            figure.parameters.insert("function".to_owned(), function);
        }
        if let Some(step) = name.strip_suffix(" took") {
            figure.name = short(step);
            self.step = short(step);
        } else if !self.step.is_empty() {
            figure
                .parameters
                .insert("step".to_owned(), self.step.clone());
        }
        out(Event::Figure(figure));
        Claim::Owned
    }
}

/// `# Running 'sched/pipe' benchmark:`, `# Running mem/memcpy benchmark...`.
fn benchmark(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("# Running ")?;
    let (name, end) = rest.split_once(" benchmark")?;
    let name = name.trim_matches('\'');
    ([":", "..."].contains(&end) && name.contains('/')).then_some(name)
}

struct Found<'a> {
    name: &'a str,
    value: f64,
    unit: &'a str,
    is_mean: bool,
}

/// The units of rates and times, and how they are spelled elsewhere.
const UNITS: &[(&str, &str)] = &[
    ("usecs/op", "us/op"),
    ("ops/sec", "op/s"),
    ("operations/sec", "op/s"),
    ("GB/sec", "GB/s"),
    ("MB/sec", "MB/s"),
    ("secs", "s"),
    ("nsecs", "ns"),
    ("usec", "us"),
    ("msec", "ms"),
    ("ms", "ms"),
    ("KB", "KB"),
    ("[sec]", "s"),
];

fn found(text: &str) -> Option<Found<'_>> {
    let unit_of = |word: &str| {
        UNITS
            .iter()
            .find(|(own, _)| *own == word)
            .map(|(_, unit)| *unit)
    };
    let value_of = |text| {
        let (value, rest) = word(text)?;
        let (unit, rest) = word(rest)?;
        Some((number(value)?, unit_of(unit)?, rest))
    };
    // `Total time: 0.143 [sec]`
    if let Some(rest) = text.strip_prefix("Total time: ") {
        let (value, unit, _) = value_of(rest)?;
        let name = "total time";
        return Some(Found {
            name,
            value,
            unit,
            is_mean: false,
        });
    }
    // `Averaged 957952 operations/sec (+- 1.44%), total secs = 1`
    if let Some(rest) = text.strip_prefix("Averaged ") {
        let (value, unit, _) = value_of(rest)?;
        let name = "operations";
        return Some(Found {
            name,
            value,
            unit,
            is_mean: true,
        });
    }
    // `Average build-id injection took: 21.096 msec (+- 1.456 msec)`
    if let Some(rest) = text.strip_prefix("Average ") {
        let end = rest.find(|c: char| c.is_ascii_digit())?;
        let (name, value) = rest.split_at(end);
        let name = name.trim_end_matches([' ', ':']);
        let (value, unit, _) = value_of(value)?;
        return Some(Found {
            name,
            value,
            unit,
            is_mean: true,
        });
    }
    // ` main,  0.371, secs,  NUMA-convergence-latency`
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    if let [_, value, unit, name] = fields[..] {
        let (value, unit) = (number(value)?, unit_of(unit)?);
        return Some(Found {
            name,
            value,
            unit,
            is_mean: false,
        });
    }
    // `Wokeup 2 of 2 threads in 0.4660 ms (+-0.00%)`; of single runs `[Run 1]: Wokeup …`
    if let Some((what, time)) = text.split_once(" threads in ")
        && !text.starts_with('[')
    {
        let (value, unit, _) = value_of(time)?;
        let (name, _) = word(what)?;
        return Some(Found {
            name,
            value,
            unit,
            is_mean: true,
        });
    }
    // `7.189450 usecs/op`
    let (value, unit, rest) = value_of(text)?;
    let name = match unit {
        "us/op" => "operation",
        "op/s" => "operations",
        _ => "throughput",
    };
    rest.is_empty().then_some(Found {
        name,
        value,
        unit,
        is_mean: false,
    })
}
