//! Numbers that are measurements: finite and not negative.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

const EXPECTED: &str = "a finite number that is not negative";

/// `value`, if it can be a measurement.
///
/// # Errors
/// With what was found and what was expected.
pub fn checked(value: f64) -> Result<f64, String> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(format!("found {value}, expected {EXPECTED}"))
    }
}

/// A number as text, if it can be a measurement.
///
/// # Errors
/// As [`checked`]; also when it is no number.
pub fn parse(text: &str) -> Result<f64, String> {
    let number = text.parse();
    checked(number.map_err(|_| format!("found `{text}`, expected {EXPECTED}"))?)
}

/// A measurement in JSON. Its error carries the place.
#[derive(Clone, Copy, Debug)]
pub struct Value(pub f64);

impl Value {
    /// The plain numbers; the list is not copied.
    pub fn plain(values: Vec<Value>) -> Vec<f64> {
        values.into_iter().map(|value| value.0).collect()
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Checked in the visitor: only there the error gets the number's place.
        deserializer.deserialize_any(Strict)
    }
}

struct Strict;

impl Visitor<'_> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        checked(value).map(Value).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }
}

/// A number that need not be a measurement. Tools that compute statistics of
/// nothing write NaN, as a bare word or as a string.
#[derive(Clone, Debug)]
pub struct Loose(pub Result<f64, String>);

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Lenient).map(Self)
    }
}

struct Lenient;

impl Visitor<'_> for Lenient {
    type Value = Result<f64, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(checked(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(checked(value as f64))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(checked(value as f64))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Err(format!("found `{value}`, expected {EXPECTED}")))
    }
}
