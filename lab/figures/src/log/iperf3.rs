//! iperf3: the rates of sender and receiver over the whole test, as text and as JSON.
//!
//! The rates of the intervals are the samples of the sender's. Source: iperf 3.12.

use super::json_reader::{JsonReader, list, number as json_number};
use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, message, number};
use super::sleep::Wake;
use karat_model::log::{Event, Level, Statistic};

/// iperf3's text.
pub static IPERF3: LineReader = LineReader {
    name: "iperf3",
    reads: "what iperf3 prints",
    mark: |line| line.starts_with("[ ID] Interval"),
    start: |_| Box::new(Log::default()),
};

/// iperf3's JSON.
pub static IPERF3_JSON: JsonReader = JsonReader {
    name: "iperf3",
    reads: "iperf3's JSON (-J)",
    keys: &["\"tcp_mss_default\"", "\"intervals\""],
    read: |document, out| {
        let end = document.get("end")?;
        let rate = |value: &serde_json::Value| json_number(value, "bits_per_second");
        let intervals = list(document, "intervals").iter();
        let samples: Vec<f64> = intervals.filter_map(|i| rate(i.get("sum")?)).collect();
        for (key, name) in [
            ("sum_sent", "sender"),
            ("sum_received", "receiver"),
            ("sum", "sum"),
        ] {
            if let Some(value) = end.get(key).and_then(rate) {
                let samples = if name == "receiver" {
                    &[][..]
                } else {
                    &samples
                };
                give(name, value, "bit/s", samples, out);
            }
        }
        if let Some(error) = document.get("error").and_then(|e| e.as_str()) {
            out(message(Level::Error, None, None, error));
        }
        Some(())
    },
};

fn give(name: &str, value: f64, unit: &str, samples: &[f64], out: &mut Sink<'_>) {
    let mut figure = figure("iperf3", name, value, unit);
    figure.statistic = Some(Statistic::Mean);
    figure.samples = samples.to_vec();
    out(Event::Figure(figure));
}

#[derive(Default)]
struct Log {
    active: bool,
    /// Rates of intervals since the last table began, with their unit.
    samples: Vec<(f64, String)>,
    /// The line of the sum over several streams is the one that counts.
    sums: bool,
}

const INTERVAL: Needle = Needle::new("[ ID] Interval");
const SECONDS: Needle = Needle::new(" sec ");

/// Intervals that are kept.
const MOST: usize = 10_000;

const WAKE: Wake = Wake {
    first: b"",
    has: &[INTERVAL],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if line.has(&INTERVAL) {
            self.active = true;
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        if text.starts_with("- - - -") || text == "iperf Done." {
            self.active = text != "iperf Done.";
            return Claim::Owned;
        }
        if line.first() != b'[' || !line.has(&SECONDS) {
            return Claim::Passed;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let rate = words.windows(2).find(|pair| pair[1].ends_with("bits/sec"));
        let Some((value, unit)) =
            rate.and_then(|pair| Some((number(pair[0])?, pair[1].replace("bits/sec", "bit/s"))))
        else {
            return Claim::Passed;
        };
        let sum = text.starts_with("[SUM]");
        self.sums |= sum;
        match words.last() {
            Some(name @ (&"sender" | &"receiver")) if sum || !self.sums => {
                let of = |(v, u): &(f64, String)| karat_model::units::convert(*v, u, &unit);
                let samples: Vec<f64> = match *name {
                    "sender" => self.samples.iter().filter_map(of).collect(),
                    _ => Vec::new(),
                };
                give(name, value, &unit, &samples, out);
            }
            // Of one of several streams.
            Some(&"sender" | &"receiver") => {}
            _ if self.samples.len() < MOST && !sum => self.samples.push((value, unit)),
            _ => {}
        }
        Claim::Owned
    }
}
