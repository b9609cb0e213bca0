//! What layout alone changes.

use crate::document::{Block, Detail, Fact, Part, Text, Weight};
use crate::evidence::tables::layout;
use crate::wording::{self, heading};
use karat_model::evidence::Evidence;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if detail == Detail::Brief {
        return None;
    }
    let Some(method) = layout::method(evidence) else {
        return super::unmeasured("layout", heading::LAYOUT, detail);
    };
    let mut blocks = vec![Block::text(method)];
    let pilots = evidence.layouts.pilots.iter();
    let pilots = pilots.map(|p| Text::named(&p.workload, layout::pilot(p)));
    blocks.push(Block::List(Weight::Fine, pilots.collect()));
    blocks.extend(layout::remedy(evidence).map(Block::note));
    if detail == Detail::Full {
        let taxes = taxes(evidence);
        if !taxes.is_empty() {
            blocks.push(Block::details("Layout tax by workload and variant", taxes));
        }
        let moved = &evidence.layouts.moved;
        if !moved.is_empty() {
            let moved = moved
                .iter()
                .map(|m| Text::named(&m.variant, layout::moved(m)));
            let moved = vec![Block::List(Weight::Fine, moved.collect())];
            blocks.push(Block::details("How far the code moved", moved));
        }
    }
    let part = Part::new("layout", heading::LAYOUT, blocks);
    Some(match detail {
        Detail::Full => part.note(wording::LAYOUT_NOTE),
        _ => part,
    })
}

fn taxes(evidence: &Evidence) -> Vec<Block> {
    let mut blocks = Vec::new();
    for workload in evidence
        .workloads
        .iter()
        .filter(|w| !w.layout_tax.is_empty())
    {
        let fact = |t: &_| -> Fact {
            let t: &karat_model::layout::LayoutTax = t;
            Fact::new(Text::default().code(&t.variant), layout::tax(t))
        };
        blocks.push(Block::Heading(workload.name.clone().into()));
        blocks.push(Block::Facts(workload.layout_tax.iter().map(fact).collect()));
    }
    blocks
}
