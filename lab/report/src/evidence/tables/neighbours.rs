//! Who else used the measured core.

use crate::number;
use crate::wording::{Tone, plural};
use karat_model::evidence::Evidence;
use karat_model::measure::Neighbours;

/// Share of quiet kept runs below which there was hardly a quiet moment.
const HARDLY: f64 = 0.2;

/// What was seen and done about it; `None` when the core could not be probed.
pub fn line(evidence: &Evidence) -> Option<(Tone, String)> {
    let n = evidence.neighbours.as_ref()?;
    let shared = (1.0 - n.quiet_share).clamp(0.0, 1.0);
    let mut text = if shared < 0.005 && n.repeated == 0 {
        "the core was karat's alone".to_owned()
    } else {
        format!(
            "the core was shared {} of the time: {} of waiting for quiet, {} measured again, {} \
             of the kept runs quiet",
            number::percent_short(shared),
            number::duration(n.waited),
            plural(n.repeated as usize, "run"),
            number::percent_short(kept_quiet(n)),
        )
    };
    if !hardly_quiet(n) {
        return Some((Tone::Even, text));
    }
    text += ". No quiet moment came to most runs: the figures rest on what runs next to each \
             other share";
    Some((Tone::Open, text))
}

/// Whether hardly any run that the verdict rests on was quiet.
pub fn hardly_quiet(n: &Neighbours) -> bool {
    n.kept > 0 && kept_quiet(n) < HARDLY
}

fn kept_quiet(n: &Neighbours) -> f64 {
    f64::from(n.kept_quiet) / f64::from(n.kept)
}
