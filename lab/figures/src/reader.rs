//! What readers have in common.

use crate::error::ReadError;
use karat_model::units::Better;

/// One metric of one benchmark. Name and metric together are unique in what a
/// reader returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Section, name and parameters, such as `tiny.Tiny.sum (n=64)`. A tool that
    /// uses one name for two benchmarks gets ` #2` behind the second.
    pub name: String,
    /// What was measured, such as `time`, `real` or `ns/op`.
    pub metric: String,
    /// The unit as the tool prints it; empty when it prints none.
    pub unit: String,
    /// Which way is better; [`Better::Lower`] when the unit does not say.
    pub better: Better,
    /// Each a sample, in the order measured; never empty, each finite and not
    /// negative.
    pub repetitions: Vec<f64>,
}

/// Reads the output of one tool.
pub trait Reader: Sync {
    /// The name a study gives to choose it.
    fn name(&self) -> &'static str;

    /// Whether a text that begins like this is the tool's.
    fn recognises(&self, head: &[u8]) -> bool;

    /// All measurements of a text, in the order of their first appearance.
    ///
    /// # Errors
    /// When the text is not the tool's or not whole, holds a value that is no
    /// measurement, tells of a failed benchmark, or has no measurement at all.
    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError>;
}
