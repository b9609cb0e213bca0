//! sysbench: rates and latencies of a run.
//!
//! Source: sysbench 1.0.20.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, short};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};

/// What sysbench prints.
pub static SYSBENCH: LineReader = LineReader {
    name: "sysbench",
    reads: "what `sysbench … run` prints",
    mark: |line| line.starts_with("sysbench ") && line.contains("(using "),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    active: bool,
    latency: bool,
}

const FIRST: Needle = Needle::new(" (using ");

const WAKE: Wake = Wake {
    first: b"",
    has: &[FIRST],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.has(&FIRST) && text.starts_with("sysbench ") {
            (self.active, self.latency) = (true, false);
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        if let Some((rate, unit)) = text
            .rsplit_once('(')
            .and_then(|(_, rest)| rest.strip_suffix(')')?.split_once(' '))
        {
            let value = number(rate);
            let name = text.split_once(':').map_or("transferred", |(name, _)| name);
            let name = if text.contains(" transferred ") {
                "transferred"
            } else {
                name
            };
            let unit = match unit {
                "per second" | "per sec." => format!("{}/s", noun(name)),
                "MiB/sec" => "MiB/s".to_owned(),
                _ => return Claim::Passed,
            };
            if let Some(value) = value {
                out(Event::Figure(figure("sysbench", name, value, &unit)));
            }
            return Claim::Owned;
        }
        let Some((key, value)) = text.split_once(':') else {
            return Claim::Passed;
        };
        self.latency = match key {
            "Latency (ms)" => true,
            "Threads fairness" | "General statistics" => false,
            _ => self.latency,
        };
        let value = number(value.trim());
        match (key, value) {
            ("events per second", Some(value)) => {
                out(Event::Figure(figure(
                    "sysbench", "events", value, "event/s",
                )));
            }
            // Those of `fileio`; a kind of operation that the test has none of is no figure.
            ("reads/s" | "writes/s" | "fsyncs/s", Some(value)) => {
                let (name, unit) = (key.trim_end_matches("/s"), key.replace("s/s", "/s"));
                if value > 0.0 {
                    out(Event::Figure(figure("sysbench", name, value, &unit)));
                }
            }
            ("read, MiB/s" | "written, MiB/s", Some(value)) => {
                let name = key.trim_end_matches(", MiB/s");
                if value > 0.0 {
                    out(Event::Figure(figure("sysbench", name, value, "MiB/s")));
                }
            }
            ("avg" | "95th percentile", Some(value)) if self.latency => {
                let mut figure = figure("sysbench", "latency", value, "ms");
                if key == "avg" {
                    figure.statistic = Some(Statistic::Mean);
                } else {
                    figure
                        .parameters
                        .insert("percentile".to_owned(), "95".to_owned());
                }
                out(Event::Figure(figure));
            }
            ("execution time (avg/stddev)", _) => self.active = false,
            ("min" | "max" | "sum" | "total number of events", Some(_)) => {}
            _ => return Claim::Passed,
        }
        Claim::Owned
    }
}

/// `Total operations` counts operations.
fn noun(name: &str) -> String {
    let word = name.rsplit(' ').next().unwrap_or(name);
    short(word.trim_end_matches('s'))
}
