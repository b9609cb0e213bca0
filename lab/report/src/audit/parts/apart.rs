//! Code that the totals leave out, or say less about.

use crate::document::{Block, Part};
use karat_model::audit::ApartRegion;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::units;

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let regions = &file.audit.apart;
    if regions.is_empty() {
        return None;
    }
    let line = |r: &ApartRegion| {
        let undecodable = match r.undecodable {
            0 => String::new(),
            n => format!(" ({} positions undecodable)", units::grouped(n)),
        };
        format!(
            "{}: {}{undecodable}; {}",
            r.section,
            units::bytes(r.bytes),
            r.why
        )
    };
    let blocks = regions.iter().map(|r| Block::text(line(r))).collect();
    Some(Part::new("apart", "Told apart from the counts", blocks).folded())
}
