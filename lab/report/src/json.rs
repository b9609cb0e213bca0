//! The evidence itself, pretty printed.

use crate::Render;
use karat_model::evidence::Evidence;

/// Renders the evidence as JSON; what it says is defined by the committed
/// schema.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl Render for Json {
    fn render(&self, evidence: &Evidence) -> String {
        let mut text = serde_json::to_string_pretty(evidence)
            .expect("evidence has string keys only, so it always serialises");
        text.push('\n');
        text
    }
}
