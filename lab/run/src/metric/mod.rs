//! A workload's metrics, from what a run printed or cost.

mod benchmarks;
mod output;

use crate::modified::Stamps;
use karat_model::measure::Sample;
use karat_model::study::{MetricPlan, MetricSource, Workload};
use karat_model::units::Metric;
use karat_process::Finished;
use karat_process::counters::Count;
use std::path::Path;

/// Why a run gave no usable value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// No line of stdout is a JSON object with the key.
    #[error("no line of stdout is a JSON object with the number `{0}`")]
    NoJson(String),
    /// The regular expression matched nowhere.
    #[error("the metric's regular expression matches nowhere in stdout")]
    NoMatch,
    /// What was found is no number.
    #[error("the metric's value `{0}` is not a number")]
    NotANumber(String),
    /// The program says another unit than the study.
    #[error("the program prints `{found}`, the study says `{expected}`")]
    Unit {
        /// What the program printed.
        found: String,
        /// What the study declares.
        expected: String,
    },
    /// Zero, negative, infinite or NaN.
    #[error("the value {value} of `{metric}` is not a positive finite number{advice}")]
    Unusable {
        /// The metric.
        metric: String,
        /// What it came to.
        value: String,
        /// What to do about it, behind a semicolon; may be empty.
        advice: &'static str,
    },
    /// Memory below karat's own.
    #[error(
        "its peak memory, at most {}, cannot be told from karat's own, which the kernel hands \
         down: `rss` is a metric for programs that use more; take `page-faults`, which counts \
         the memory of small programs too, or judge by `cpu`",
        karat_model::units::bytes(*.0)
    )]
    NoRss(u64),
    /// A benchmark tool's output that cannot be read.
    #[error("{0}")]
    Output(String),
    /// A run gives other metrics than the first one did.
    #[error("{0}")]
    Changed(String),
}

/// One metric of one run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) metric: Metric,
    /// One value, or one for each repetition within the run.
    pub(crate) repetitions: Vec<f64>,
}

impl Reading {
    /// The value that is judged: the mean of the better half of the repetitions.
    pub(crate) fn value(&self) -> f64 {
        let costs: Vec<f64> = self
            .repetitions
            .iter()
            .map(|v| self.metric.cost(*v))
            .collect();
        self.metric.from_cost(karat_judge::faster_half_mean(&costs))
    }
}

/// What a metric may ask of a run beyond its output and its accounts.
pub(crate) struct Extras<'a> {
    /// Where the run took place.
    pub(crate) dir: &'a Path,
    /// Instructions by cachegrind, counted once for each arm and workload.
    pub(crate) cachegrind: Option<u64>,
}

/// The files and folders that a workload's metrics are read from, before its run.
pub(crate) fn stamps(workload: &Workload, dir: &Path) -> Stamps {
    let of_metric = |source: &MetricSource| match source {
        MetricSource::Output { path, .. } => path.as_ref().map(|p| dir.join(p)),
        _ => None,
    };
    let paths = workload.metrics.iter().filter_map(|m| of_metric(&m.source));
    Stamps::of(paths.collect())
}

/// All metrics of a workload in one run; [`Sample::NOT_TOLD`] is the peak memory of a
/// program too small for it, when there is something else to judge by.
///
/// # Errors
/// When a value is missing, unusable, or in another unit than the study's.
pub(crate) fn read(
    workload: &Workload,
    run: &Finished,
    extras: &Extras<'_>,
) -> Result<Vec<Reading>, MetricError> {
    let (mut out, mut untold) = (Vec::new(), Vec::new());
    for plan in &workload.metrics {
        match &plan.source {
            MetricSource::Output { tool, path } => {
                out.extend(benchmarks::read(
                    tool.as_deref(),
                    path.as_deref(),
                    run,
                    extras.dir,
                )?);
            }
            // Nothing else to judge by, or something.
            MetricSource::Rss if run.peak_rss.is_none() => match workload.metrics.len() {
                1 => return Err(MetricError::NoRss(run.rss_floor)),
                _ => untold.push(Reading {
                    metric: plan.metric.clone(),
                    repetitions: vec![Sample::NOT_TOLD],
                }),
            },
            _ => out.push(one(plan, run, extras)?),
        }
    }
    for reading in &out {
        for value in &reading.repetitions {
            check(&reading.metric, *value)?;
        }
    }
    out.extend(untold);
    Ok(out)
}

fn check(metric: &Metric, value: f64) -> Result<(), MetricError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    let advice = match metric.name.as_str() {
        "cpu" | "wall" => "; the run is too short to be timed: give it more work",
        _ => "",
    };
    Err(MetricError::Unusable {
        metric: metric.name.clone(),
        value: value.to_string(),
        advice,
    })
}

fn one(plan: &MetricPlan, run: &Finished, extras: &Extras<'_>) -> Result<Reading, MetricError> {
    let unit = &plan.metric.unit;
    let own = |value: f64| (value, unit.clone());
    let (value, unit) = match &plan.source {
        MetricSource::Cpu => own(run.cpu),
        MetricSource::Wall => own(run.wall),
        MetricSource::Rss => own(run.peak_rss.map_or(Sample::NOT_TOLD, |peak| peak as f64)),
        MetricSource::Faults => own((run.minor_faults + run.major_faults) as f64),
        MetricSource::Cachegrind => own(extras.cachegrind.map_or(f64::NAN, |n| n as f64)),
        MetricSource::Counter(counter) => {
            let named = |c: &&Count| c.event.name() == counter.word();
            let count = run.counts.iter().find(named);
            own(count.map_or(f64::NAN, |c| c.value as f64))
        }
        MetricSource::Json(key) => output::from_json(key, unit, &run.stdout)?,
        MetricSource::Regex(pattern) => output::from_regex(pattern, unit, &run.stdout)?,
        MetricSource::Output { .. } => own(f64::NAN),
    };
    Ok(Reading {
        metric: Metric {
            unit,
            ..plan.metric.clone()
        },
        repetitions: vec![value],
    })
}

/// The readings of a run in the order of the workload's first run.
///
/// # Errors
/// Names the first metric that is missing, new, or in another unit.
pub(crate) fn ordered(
    first: &[Metric],
    mut readings: Vec<Reading>,
) -> Result<Vec<Reading>, MetricError> {
    let changed = |what: String| Err(MetricError::Changed(what));
    let mut out = Vec::new();
    for metric in first {
        let place = readings.iter().position(|r| r.metric.name == metric.name);
        match place.map(|i| readings.swap_remove(i)) {
            None => return changed(format!("no `{}`, which the first run gave", metric.name)),
            Some(r) if r.metric.unit != metric.unit => {
                return changed(format!(
                    "`{}` is in {}, in the first run it was in {}: values in different units \
                     cannot be compared",
                    metric.name,
                    unit_word(&r.metric.unit),
                    unit_word(&metric.unit)
                ));
            }
            Some(r) => out.push(r),
        }
    }
    match readings.first() {
        Some(new) => changed(format!(
            "`{}`, which the first run did not give",
            new.metric.name
        )),
        None => Ok(out),
    }
}

fn unit_word(unit: &str) -> String {
    if unit.is_empty() {
        "no unit".into()
    } else {
        format!("`{unit}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::units::Better;

    fn reading(name: &str, unit: &str, repetitions: &[f64]) -> Reading {
        Reading {
            metric: Metric {
                name: name.into(),
                unit: unit.into(),
                better: Better::Higher,
            },
            repetitions: repetitions.into(),
        }
    }

    #[test]
    fn of_repetitions_the_better_half_counts() {
        // Harmonic, since costs are averaged: of 4 and 5 it is 40/9.
        let value = reading("speed", "GiB/s", &[1.0, 5.0, 2.0, 4.0]).value();
        assert!((value - 40.0 / 9.0).abs() < 1e-12, "{value}");
    }

    #[test]
    fn every_run_gives_what_the_first_one_gave() {
        let first = [reading("a", "ns", &[1.0]), reading("b", "s", &[1.0])];
        let metrics: Vec<Metric> = first.iter().map(|r| r.metric.clone()).collect();
        let turned = vec![first[1].clone(), first[0].clone()];
        assert_eq!(ordered(&metrics, turned).unwrap(), first);
        let said = |readings: &[Reading]| {
            ordered(&metrics, readings.to_vec())
                .unwrap_err()
                .to_string()
        };
        assert!(said(&first[..1]).contains("no `b`"));
        let other = [first[0].clone(), reading("b", "ms", &[1.0])];
        assert!(said(&other).contains("`b` is in `ms`, in the first run it was in `s`"));
        let more = [&first[..], &[reading("c", "", &[1.0])]].concat();
        assert!(said(&more).contains("`c`, which the first run did not give"));
    }

    #[test]
    fn a_value_that_is_no_cost_is_refused_with_advice() {
        let cpu = reading("cpu", "s", &[]).metric;
        let said = |v| check(&cpu, v).unwrap_err().to_string();
        assert!(said(0.0).contains("give it more work"));
        assert!(said(f64::NAN).contains("NaN"));
        assert!(check(&cpu, 1e-9).is_ok());
    }
}
