//! criterion: its folder, one `sample.json`, and its text.
//!
//! The folder is the source to prefer: it holds every sample. The text
//! `time: [low middle high]` shows an estimate and its interval; the middle
//! becomes the only repetition, so **the text hides how the repetitions spread**.
//! Throughput (`thrpt:`) is computed from the time and not read.
//!
//! Source: the files criterion 0.5.1 writes, its `format.rs` and `report.rs`.

mod folder;
mod run;
mod sample;
mod text;

pub use folder::folder;
pub(crate) use folder::single;
pub use run::{LAST, events, root_of};
pub(crate) use text::estimate;

use crate::collect::Collector;
use crate::error::ReadError;
use crate::reader::{Measurement, Reader};
use crate::text::{first_byte, has_all, lines};

pub(crate) const NAME: &str = "criterion";
const EXPECTED: &str = "criterion's folder (target/criterion), a `sample.json` of it, or lines \
                        `name  time: [low middle high]`";

pub(crate) struct Criterion;

impl Reader for Criterion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn recognises(&self, head: &[u8]) -> bool {
        is_sample(head) || lines(head).any(|(_, line)| text::estimate(&line).is_some())
    }

    /// A `sample.json` does not hold its benchmark's name: alone it is called
    /// `sample`. [`crate::read_path`] finds the name beside the file.
    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError> {
        let mut collector = Collector::new(NAME);
        if first_byte(text) == Some(b'{') {
            collector.series("sample", "time", "ns", sample::times(text)?)?;
        } else {
            text::read(text, &mut collector)?;
        }
        collector.finish(EXPECTED)
    }
}

fn is_sample(head: &[u8]) -> bool {
    first_byte(head) == Some(b'{') && has_all(head, &["\"sampling_mode\"", "\"iters\""])
}
