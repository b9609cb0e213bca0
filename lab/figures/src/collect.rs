//! Gathers values into measurements.

use crate::error::ReadError;
use crate::reader::Measurement;
use crate::value::checked;
use karat_model::units::{Better, better, nanoseconds};
use std::collections::{BTreeMap, HashMap};

/// Measurements in the order of their first value.
pub struct Collector {
    tool: &'static str,
    /// Name, then metric, to the place in the list.
    places: HashMap<String, HashMap<String, usize>>,
    measurements: Vec<Measurement>,
}

impl Collector {
    pub fn new(tool: &'static str) -> Self {
        Self {
            tool,
            places: HashMap::new(),
            measurements: Vec::new(),
        }
    }

    /// One more repetition.
    ///
    /// # Errors
    /// When earlier ones have another unit.
    pub fn add(
        &mut self,
        name: &str,
        metric: &str,
        unit: &str,
        value: f64,
    ) -> Result<(), ReadError> {
        let known = self.place(name, metric, unit);
        if known.unit != unit {
            let problem = format!(
                "`{metric}` is measured in `{}` and in `{unit}`; give the benchmarks different \
                 names",
                known.unit
            );
            return Err(ReadError::benchmark(self.tool, name, problem));
        }
        known.repetitions.push(value);
        Ok(())
    }

    /// One more repetition of a time, converted to the unit of the first.
    ///
    /// # Errors
    /// When earlier ones have a unit that is no time.
    pub fn add_time(
        &mut self,
        name: &str,
        metric: &str,
        unit: &str,
        value: f64,
    ) -> Result<(), ReadError> {
        let tool = self.tool;
        let known = self.place(name, metric, unit);
        if known.unit == unit {
            known.repetitions.push(value);
            return Ok(());
        }
        if let (Some(from), Some(to)) = (nanoseconds(unit), nanoseconds(&known.unit)) {
            let converted = checked(value * (from / to));
            let converted = converted.map_err(|e| ReadError::benchmark(tool, name, e))?;
            known.repetitions.push(converted);
            return Ok(());
        }
        self.add(name, metric, unit, value)
    }

    /// All repetitions of a metric at once. None make no measurement.
    ///
    /// # Errors
    /// When name and metric are taken.
    pub fn series(
        &mut self,
        name: &str,
        metric: &str,
        unit: &str,
        values: Vec<f64>,
    ) -> Result<(), ReadError> {
        if values.is_empty() {
            return Ok(());
        }
        let known = self.place(name, metric, unit);
        if !known.repetitions.is_empty() {
            let problem = format!("`{metric}` is there twice; give the benchmarks different names");
            return Err(ReadError::benchmark(self.tool, name, problem));
        }
        known.repetitions = values;
        Ok(())
    }

    /// The measurement of that name and metric, made if it is new.
    fn place(&mut self, name: &str, metric: &str, unit: &str) -> &mut Measurement {
        let known = self.places.get(name).and_then(|m| m.get(metric)).copied();
        let place = known.unwrap_or_else(|| {
            let metrics = self.places.entry(name.to_owned()).or_default();
            metrics.insert(metric.to_owned(), self.measurements.len());
            self.measurements.push(Measurement {
                name: name.to_owned(),
                metric: metric.to_owned(),
                unit: unit.to_owned(),
                better: better(unit).unwrap_or(Better::Lower),
                repetitions: Vec::new(),
            });
            self.measurements.len() - 1
        });
        &mut self.measurements[place]
    }

    /// What was gathered.
    ///
    /// # Errors
    /// When it is nothing; `expected` says what the reader looks for.
    pub fn finish(self, expected: &'static str) -> Result<Vec<Measurement>, ReadError> {
        if self.measurements.is_empty() {
            return Err(ReadError::Empty {
                tool: self.tool,
                expected,
            });
        }
        Ok(self.measurements)
    }
}

/// Tells benchmarks of one name apart: the second gets ` #2`.
#[derive(Default)]
pub struct Ordinals(HashMap<String, usize>);

impl Ordinals {
    /// `name` with its ordinal among those of the same `key`.
    pub fn numbered(&mut self, key: String, name: String) -> String {
        let count = self.0.entry(key).or_default();
        *count += 1;
        match *count {
            1 => name,
            n => format!("{name} #{n}"),
        }
    }
}

/// `name (a=1, b=2)`, or the name alone.
pub fn with_parameters(name: String, parameters: &BTreeMap<String, String>) -> String {
    if parameters.is_empty() {
        return name;
    }
    let pairs: Vec<String> = parameters.iter().map(|(k, v)| format!("{k}={v}")).collect();
    format!("{name} ({})", pairs.join(", "))
}
