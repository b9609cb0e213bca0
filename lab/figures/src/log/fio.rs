//! fio: rates and completion latencies of each job, as text and as JSON.
//!
//! Source: fio 3.33.

use super::json_reader::{JsonReader, mean, number as json_number, text as json_text};
use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, message, number, scaled, short};
use super::sleep::Wake;
use karat_model::log::{Event, Level};

/// fio's text.
pub static FIO: LineReader = LineReader {
    name: "fio",
    reads: "what fio prints",
    mark: |line| group(line).is_some() || line.starts_with("fio-"),
    start: |_| Box::new(Log::default()),
};

/// fio's JSON.
pub static FIO_JSON: JsonReader = JsonReader {
    name: "fio",
    reads: "fio's JSON (--output-format=json)",
    keys: &["\"fio version\""],
    read: |document, out| {
        for job in document.get("jobs")?.as_array()? {
            let name = json_text(job, "jobname");
            for way in ["read", "write", "trim"] {
                let Some(part) = job
                    .get(way)
                    .filter(|p| json_number(p, "total_ios") > Some(0.0))
                else {
                    continue;
                };
                let give = |what: &str, value: Option<f64>, unit: &str, out: &mut Sink<'_>| {
                    if let Some(value) = value {
                        out(Event::Figure(figure(
                            name,
                            &format!("{way} {what}"),
                            value,
                            unit,
                        )));
                    }
                };
                give("operations", json_number(part, "iops"), "op/s", out);
                give("bandwidth", json_number(part, "bw_bytes"), "B/s", out);
                let latency = part
                    .get("clat_ns")
                    .and_then(|clat| json_number(clat, "mean"));
                mean(
                    name,
                    &format!("{way} completion latency"),
                    latency,
                    "ns",
                    out,
                );
            }
            if let Some(error) = json_number(job, "error").filter(|error| *error > 0.0) {
                out(message(
                    Level::Error,
                    None,
                    None,
                    &format!("{name}: err= {error}"),
                ));
            }
        }
        Some(())
    },
};

#[derive(Default)]
struct Log {
    job: String,
    way: String,
}

const GROUP: Needle = Needle::new(": (groupid=");
const IOPS: Needle = Needle::new(": IOPS=");
const CLAT: Needle = Needle::new("clat (");

/// `few: (groupid=0, jobs=1): err= 0: pid=9787: …`: the job and its error.
fn group(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(": (groupid=")?;
    let (_, error) = rest.split_once("err=")?;
    Some((name, error.trim_start().split(':').next()?.trim()))
}

const WAKE: Wake = Wake {
    first: b"",
    has: &[GROUP],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.job.is_empty().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.has(&GROUP)
            && let Some((job, error)) = group(text)
        {
            self.job = short(job);
            if error != "0" {
                out(message(
                    Level::Error,
                    None,
                    None,
                    &format!("{job}: err= {error}"),
                ));
            }
            return Claim::Owned;
        }
        if self.job.is_empty() || line.first() != b' ' {
            return Claim::Passed;
        }
        if line.has(&IOPS)
            && let Some((way, rest)) = text.split_once(": IOPS=")
        {
            self.way = short(way);
            let rate = rest.split(',').next().and_then(scaled);
            self.give("operations", rate, "op/s", out);
            if let Some((_, rest)) = rest.split_once("BW=") {
                let value = rest.split(' ').next().unwrap_or("");
                let end = value
                    .find(|c: char| c.is_ascii_alphabetic())
                    .unwrap_or(value.len());
                self.give("bandwidth", number(&value[..end]), &value[end..], out);
            }
            return Claim::Owned;
        }
        if line.has(&CLAT)
            && let Some(rest) = text.strip_prefix("clat (")
            && let Some((unit, rest)) = rest.split_once("):")
            && let Some((_, average)) = rest.split_once("avg=")
        {
            let unit = match unit {
                "nsec" => "ns",
                "usec" => "us",
                "msec" => "ms",
                _ => "s",
            };
            let value = average.trim_start().split(',').next().and_then(scaled);
            mean(
                &self.job,
                &format!("{} completion latency", self.way),
                value,
                unit,
                out,
            );
            return Claim::Owned;
        }
        Claim::Passed
    }
}

impl Log {
    fn give(&self, what: &str, value: Option<f64>, unit: &str, out: &mut Sink<'_>) {
        if let Some(value) = value {
            let name = format!("{} {what}", self.way);
            out(Event::Figure(figure(&self.job, &name, value, unit)));
        }
    }
}
