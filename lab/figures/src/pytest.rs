//! pytest-benchmark: what `--benchmark-json` writes.
//!
//! `benchmarks[].stats.data[]` are seconds for each round, divided by the
//! round's iterations already. Saved runs (`--benchmark-save`) hold the data only
//! with `--benchmark-save-data`. Source: pytest-benchmark 5.3.1, `stats.py`, and
//! the files it writes.

use crate::collect::{Collector, Ordinals};
use crate::error::ReadError;
use crate::json::parse;
use crate::reader::{Measurement, Reader};
use crate::text::{first_byte, has_all};
use crate::value::Value;
use serde::Deserialize;

pub struct Pytest;

const NAME: &str = "pytest-benchmark";
const EXPECTED: &str = "what `pytest --benchmark-json=FILE` writes";

#[derive(Deserialize)]
struct File {
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    /// File, test and parameters.
    fullname: String,
    stats: Stats,
}

#[derive(Deserialize)]
struct Stats {
    data: Option<Vec<Value>>,
}

impl Reader for Pytest {
    fn name(&self) -> &'static str {
        NAME
    }

    fn recognises(&self, head: &[u8]) -> bool {
        first_byte(head) == Some(b'{') && has_all(head, &["\"machine_info\""])
    }

    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError> {
        let file: File = parse(NAME, EXPECTED, text)?;
        let mut collector = Collector::new(NAME);
        let mut ordinals = Ordinals::default();
        for benchmark in file.benchmarks {
            let name = benchmark.fullname;
            let Some(data) = benchmark.stats.data else {
                let problem = "`stats.data` is missing, so the rounds are lost; run with \
                               --benchmark-json, or save with --benchmark-save-data";
                return Err(ReadError::benchmark(NAME, name, problem));
            };
            let name = ordinals.numbered(name.clone(), name);
            collector.series(&name, "time", "s", Value::plain(data))?;
        }
        collector.finish(EXPECTED)
    }
}
