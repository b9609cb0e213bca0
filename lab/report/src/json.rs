//! The evidence itself, pretty printed.

use crate::Render;
use karat_model::evidence::Evidence;

/// Renders the evidence as JSON; what it says is defined by the committed
/// schema.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl Render for Json {
    fn render(&self, evidence: &Evidence) -> String {
        let mut text = evidence.to_json();
        text.push('\n');
        text
    }
}
