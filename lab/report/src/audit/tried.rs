//! The run on an emulated CPU, beside what the analysis claims.

use crate::document::{Block, Card, Chapter, Text};
use crate::wording::Tone;
use karat_model::tried::{Outcome, Tried};

/// The card of the run.
pub fn chapter(tried: &Tried) -> Chapter {
    let (sign, word) = match tried.outcome {
        Outcome::Died => (("✗", Tone::Bad), "died"),
        Outcome::Lived => (("✓", Tone::Good), "lived"),
        Outcome::Failed => (("!", Tone::Open), "not decided"),
        Outcome::TimedOut => (("!", Tone::Open), "not decided"),
    };
    let mut blocks = vec![
        Block::text(
            Text::default()
                .code(tried.command.join(" "))
                .plain(format!(": {}.", tried.told())),
        ),
        Block::fine(format!(
            "CPU {} for {}, by {}.",
            tried.cpu, tried.isa, tried.emulator
        )),
    ];
    if tried.outcome == Outcome::Lived {
        blocks.push(Block::note(
            "What this run did not reach is not tried: a run that lives is no proof that \
             another does.",
        ));
    }
    if !tried.beyond.is_empty() {
        blocks.push(Block::caveat(format!(
            "QEMU has no CPU of {} alone: this one also has {}. What needs only these and does \
             not ask lives here.",
            tried.isa,
            tried.beyond.join(", ")
        )));
    }
    if !tried.left.is_empty() {
        blocks.push(Block::caveat(format!(
            "It started other programs, which ran on this machine's CPU and not on the emulated \
             one: {}.",
            tried.left.join(", ")
        )));
    }
    if tried.outcome != Outcome::Died && !tried.said.is_empty() {
        blocks.push(Block::list(tried.said.lines().map(str::to_owned)));
    }
    Chapter {
        name: "Tried".into(),
        card: Some(Card {
            sign,
            word: word.into(),
            about: "on an emulated CPU".into(),
            blocks,
        }),
        parts: Vec::new(),
    }
}
