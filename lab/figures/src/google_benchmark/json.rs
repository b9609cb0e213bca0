//! The JSON: one object for each repetition, counters as keys of their own.

use super::{EXPECTED, NAME, failed};
use crate::collect::Collector;
use crate::error::ReadError;
use crate::json::parse;
use crate::value::{Loose, Value};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::collections::HashMap;
use std::fmt;

/// The `run_type` of what is no aggregate.
const REPETITION: &str = "iteration";

#[derive(serde::Deserialize)]
struct File {
    benchmarks: Vec<Entry>,
}

/// What an entry is about; aggregates and skipped benchmarks are no repetition.
enum Entry {
    Repetition(Repetition),
    Failed { name: String, message: String },
    Other,
}

struct Repetition {
    name: String,
    index: Option<u64>,
    real: f64,
    cpu: f64,
    unit: String,
    counters: Vec<(String, f64)>,
}

/// Adds all repetitions.
pub fn read(text: &[u8], collector: &mut Collector) -> Result<(), ReadError> {
    let file: File = parse(NAME, EXPECTED, text)?;
    // Repetition 0 again is another benchmark of the same name.
    let mut seen: HashMap<(String, u64), usize> = HashMap::new();
    for entry in file.benchmarks {
        let one = match entry {
            Entry::Repetition(one) => one,
            Entry::Failed { name, message } => return Err(failed(&name, &message)),
            Entry::Other => continue,
        };
        let mut name = one.name;
        if let Some(index) = one.index {
            let count = seen.entry((name.clone(), index)).or_default();
            *count += 1;
            if *count > 1 {
                name = format!("{name} #{count}");
            }
        }
        collector.add_time(&name, "real", &one.unit, one.real)?;
        collector.add_time(&name, "cpu", &one.unit, one.cpu)?;
        for (key, value) in one.counters {
            collector.add(&name, &key, &unit_of(&key), value)?;
        }
    }
    Ok(())
}

/// A counter's unit, if its name says it.
fn unit_of(counter: &str) -> String {
    match counter.strip_suffix("_per_second") {
        Some(what) => format!("{what}/s"),
        None => String::new(),
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `name`, `run_type`, `real_time`, `cpu_time`, `time_unit`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry, A::Error> {
        let mut name: Option<String> = None;
        let mut run_type: Option<String> = None;
        let mut index = None;
        let (mut real, mut cpu) = (None, None);
        let mut unit: Option<String> = None;
        let (mut skipped, mut failed) = (false, false);
        let mut message = String::new();
        let mut counters = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            // Repetitions are checked at once, for the place in the message;
            // aggregates and what does not say yet what it is need not be sound.
            let strict = run_type.as_deref() == Some(REPETITION);
            match key.as_str() {
                "name" => name = Some(map.next_value()?),
                "run_type" => run_type = Some(map.next_value()?),
                "repetition_index" => index = Some(map.next_value()?),
                "real_time" => real = Some(number(&mut map, strict)?),
                "cpu_time" => cpu = Some(number(&mut map, strict)?),
                "time_unit" => unit = Some(map.next_value()?),
                "error_occurred" => failed = map.next_value()?,
                "error_message" => message = map.next_value()?,
                "skipped" => skipped = map.next_value()?,
                "run_name"
                | "label"
                | "skip_message"
                | "aggregate_name"
                | "aggregate_unit"
                | "big_o"
                | "family_index"
                | "per_family_instance_index"
                | "repetitions"
                | "threads"
                | "iterations" => drop(map.next_value::<IgnoredAny>()?),
                _ => {
                    let value = number(&mut map, strict)?;
                    counters.push((key, value));
                }
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("name"))?;
        let run_type = run_type.ok_or_else(|| {
            let problem = format!("`{name}` has no `run_type`; google-benchmark 1.5 writes it");
            A::Error::custom(problem)
        })?;
        if failed {
            return Ok(Entry::Failed { name, message });
        }
        if run_type != REPETITION || skipped {
            return Ok(Entry::Other);
        }
        let sound = |key: &str, value: Loose| {
            let problem = |what| A::Error::custom(format!("`{key}` of `{name}`: {what}"));
            value.0.map_err(problem)
        };
        let time = |key: &'static str, value: Option<Loose>| {
            sound(key, value.ok_or_else(|| A::Error::missing_field(key))?)
        };
        let (real, cpu) = (time("real_time", real)?, time("cpu_time", cpu)?);
        let counters: Result<_, A::Error> = counters
            .into_iter()
            .map(|(key, value)| sound(&key, value).map(|value| (key, value)))
            .collect();
        Ok(Entry::Repetition(Repetition {
            real,
            cpu,
            counters: counters?,
            index,
            unit: unit.ok_or_else(|| A::Error::missing_field("time_unit"))?,
            name,
        }))
    }
}

fn number<'de, A: MapAccess<'de>>(map: &mut A, strict: bool) -> Result<Loose, A::Error> {
    if strict {
        map.next_value().map(|Value(value)| Loose(Ok(value)))
    } else {
        map.next_value()
    }
}
