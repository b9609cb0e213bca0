//! The verdict, what to do, and why to believe it.

use super::advice;
use crate::document::{Block, Card, Text, Weight};
use crate::wording;
use karat_model::evidence::Evidence;

/// The card of a run.
pub fn card(evidence: &Evidence) -> Card {
    let said = &evidence.verdict;
    let about = match said.verdict {
        None => &said.withheld,
        Some(_) => &said.about,
    };
    let mut blocks = vec![
        Block::Prose(Weight::Strong, advice::advice(evidence).into()),
        Block::text(said.summary.clone()),
    ];
    let variant = advice::to_build(evidence).filter(|v| !v.reproduce.is_empty());
    blocks.extend(variant.map(|v| Block::Commands(v.reproduce.clone())));
    if let Some(open) = advice::open(evidence) {
        blocks.push(Block::text(open.text));
        blocks.extend(open.command.map(|command| Block::Commands(vec![command])));
    }
    let facts = advice::trust(evidence).into_iter();
    let facts = facts.map(|(tone, fact)| Text::default().toned(tone, fact));
    blocks.push(Block::Row(facts.collect()));
    Card {
        sign: (
            wording::verdict_sign(said.verdict),
            wording::verdict_tone(said.verdict),
        ),
        word: wording::verdict(said.verdict).into(),
        about: about.clone().unwrap_or_default().into(),
        blocks,
    }
}
