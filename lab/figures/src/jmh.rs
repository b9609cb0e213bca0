//! JMH: what `-rf json` writes.
//!
//! The metric of a benchmark is its mode (`thrpt`, `avgt`, `sample`, `ss`), since
//! one benchmark may run in several; what profilers and counters add
//! (`secondaryMetrics`) is `thrpt:gc.count`. A repetition is an iteration, the
//! forks one after the other (`rawData[fork][iteration]`). In the mode `sample`
//! an iteration is a histogram; its mean is the repetition, as JMH keeps no order
//! inside of it. `scoreUnit` says the direction: `ops/s` higher, `s/op` lower.
//! Source: `JSONResultFormat.java` of JMH 1.37 and the files it writes.

use crate::collect::{Collector, Ordinals, with_parameters};
use crate::error::ReadError;
use crate::json::parse;
use crate::reader::{Measurement, Reader};
use crate::text::{first_byte, has_all};
use crate::value::{Value, checked};
use serde::Deserialize;
use std::collections::BTreeMap;

pub struct Jmh;

const NAME: &str = "jmh";
const EXPECTED: &str = "what JMH writes with `-rf json -rff FILE`";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    benchmark: String,
    mode: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
    primary_metric: Metric,
    #[serde(default)]
    secondary_metrics: BTreeMap<String, Metric>,
}

/// Values, and how often each occurred.
type Histogram = Vec<(Value, u64)>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metric {
    score_unit: String,
    raw_data: Option<Vec<Vec<Value>>>,
    raw_data_histogram: Option<Vec<Vec<Histogram>>>,
}

impl Reader for Jmh {
    fn name(&self) -> &'static str {
        NAME
    }

    fn recognises(&self, head: &[u8]) -> bool {
        first_byte(head) == Some(b'[') && has_all(head, &["\"benchmark\"", "\"mode\""])
    }

    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError> {
        let entries: Vec<Entry> = parse(NAME, EXPECTED, text)?;
        let mut collector = Collector::new(NAME);
        let mut ordinals = Ordinals::default();
        for entry in entries {
            let name = with_parameters(entry.benchmark, &entry.params);
            let name = ordinals.numbered(format!("{name}\0{}", entry.mode), name);
            let metric = entry.primary_metric;
            let unit = metric.score_unit.clone();
            let values = repetitions(metric).map_err(|e| ReadError::benchmark(NAME, &name, e))?;
            if values.is_empty() {
                let problem = "`primaryMetric` holds neither `rawData` nor `rawDataHistogram` \
                               with a value; did the benchmark run?";
                return Err(ReadError::benchmark(NAME, name, problem));
            }
            collector.series(&name, &entry.mode, &unit, values)?;
            for (key, metric) in entry.secondary_metrics {
                let unit = metric.score_unit.clone();
                let values =
                    repetitions(metric).map_err(|e| ReadError::benchmark(NAME, &name, e))?;
                collector.series(&name, &format!("{}:{key}", entry.mode), &unit, values)?;
            }
        }
        collector.finish(EXPECTED)
    }
}

fn repetitions(metric: Metric) -> Result<Vec<f64>, String> {
    if let Some(forks) = metric.raw_data {
        return Ok(Value::plain(forks.into_iter().flatten().collect()));
    }
    let iterations = metric.raw_data_histogram.into_iter().flatten().flatten();
    let means = iterations.filter_map(|histogram| {
        let count: f64 = histogram.iter().map(|(_, n)| *n as f64).sum();
        let total: f64 = histogram.iter().map(|(v, n)| v.0 * *n as f64).sum();
        (count > 0.0).then(|| checked(total / count))
    });
    means.collect()
}
