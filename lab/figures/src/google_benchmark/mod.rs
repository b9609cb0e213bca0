//! google-benchmark: `--benchmark_format=json`, and the text on the console.
//!
//! Every benchmark gives `real` and `cpu`, the times of one iteration. JSON adds
//! its counters: `bytes_per_second` is in `bytes/s`, as its name says; other
//! counters have no unit in the file, so which way they are better is not known.
//! Aggregates (mean, median, …) are ignored, skipped benchmarks left out, failed
//! ones refused.
//!
//! The text is rounded to three digits, and its counters are left out: version
//! 1.7 writes powers of 1024 and of 1000 with the same letters.
//!
//! Source: `docs/user_guide.md`, `json_reporter.cc` and `console_reporter.cc` of
//! google-benchmark 1.7.1.

mod console;
mod json;

pub use console::{Row, is_header, row};

use crate::collect::Collector;
use crate::error::ReadError;
use crate::reader::{Measurement, Reader};
use crate::text::{first_byte, has_all, lines};

pub struct GoogleBenchmark;

const NAME: &str = "google-benchmark";
const EXPECTED: &str = "what a benchmark prints with --benchmark_format=json, or on the console, \
                        with repetitions and not aggregates alone";

impl Reader for GoogleBenchmark {
    fn name(&self) -> &'static str {
        NAME
    }

    fn recognises(&self, head: &[u8]) -> bool {
        if first_byte(head) == Some(b'{') {
            return has_all(head, &["\"context\"", "\"num_cpus\""]);
        }
        lines(head).any(|(_, line)| console::is_header(&line))
    }

    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError> {
        let mut collector = Collector::new(NAME);
        if first_byte(text) == Some(b'{') {
            json::read(text, &mut collector)?;
        } else {
            console::read(text, &mut collector)?;
        }
        collector.finish(EXPECTED)
    }
}

fn failed(name: &str, message: &str) -> ReadError {
    let problem = format!(
        "failed ({message}), and a failed benchmark measures nothing; repair it or leave it out \
         with --benchmark_filter"
    );
    ReadError::benchmark(NAME, name, problem)
}
