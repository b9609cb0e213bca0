//! hyperfine: what `--export-json` writes.
//!
//! `results[].times[]` are wall times in seconds, one for each run; `user` and
//! `system` are means and are not read. A run that failed (only with
//! `--ignore-failure`) is refused. Source: the files hyperfine 1.15 and 1.20
//! write.

use crate::collect::{Collector, Ordinals, with_parameters};
use crate::error::ReadError;
use crate::json::parse;
use crate::reader::{Measurement, Reader};
use crate::text::{first_byte, has_all};
use crate::value::Value;
use serde::Deserialize;
use std::collections::BTreeMap;

pub struct Hyperfine;

const NAME: &str = "hyperfine";
const EXPECTED: &str = "what `hyperfine --export-json FILE` writes";

#[derive(Deserialize)]
struct File {
    results: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    command: String,
    times: Vec<Value>,
    /// `null`: ended by a signal.
    #[serde(default)]
    exit_codes: Vec<Option<i64>>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

impl Reader for Hyperfine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn recognises(&self, head: &[u8]) -> bool {
        first_byte(head) == Some(b'{') && has_all(head, &["\"results\"", "\"command\""])
    }

    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError> {
        let file: File = parse(NAME, EXPECTED, text)?;
        let mut collector = Collector::new(NAME);
        let mut ordinals = Ordinals::default();
        for outcome in file.results {
            let name = with_parameters(outcome.command, &outcome.parameters);
            if let Some(run) = outcome.exit_codes.iter().position(|c| *c != Some(0)) {
                let how = match outcome.exit_codes[run] {
                    Some(code) => format!("ended with exit code {code}"),
                    None => "was ended by a signal".to_owned(),
                };
                let problem = format!(
                    "run {} of {} {how}, and a failed run measures nothing; repair the command",
                    run + 1,
                    outcome.exit_codes.len()
                );
                return Err(ReadError::benchmark(NAME, name, problem));
            }
            let name = ordinals.numbered(name.clone(), name);
            collector.series(&name, "time", "s", Value::plain(outcome.times))?;
        }
        collector.finish(EXPECTED)
    }
}
