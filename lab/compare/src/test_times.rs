//! Times of tests, which are compared as figures are.

use karat_model::log::{Figure, Test};
use karat_model::units::Better;
use std::collections::BTreeMap;

/// The section of the times that tests took.
pub(super) const TEST_TIMES: &str = "Test times";

/// A test's time as a figure.
pub(super) fn of_test(test: &Test, seconds: f64) -> Figure {
    let name = match test.suite.as_str() {
        "" => test.name.clone(),
        suite => format!("{suite}: {}", test.name),
    };
    Figure {
        section: TEST_TIMES.to_owned(),
        name,
        parameters: BTreeMap::new(),
        value: seconds,
        statistic: None,
        samples: Vec::new(),
        unit: "s".to_owned(),
        better: Some(Better::Lower),
    }
}
