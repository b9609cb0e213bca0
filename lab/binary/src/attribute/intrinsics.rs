//! Which crate each address is charged to.
//!
//! The innermost source line says it, except inside the wrappers of intrinsics:
//! a vector instruction written as `_mm256_add_epi64` has its line in
//! `core::arch` (or in the C compiler's `avx2intrin.h`), but is the work of the
//! crate that called it. Inline trees know where the call was. Code without a
//! line belongs to the body it is in.

use crate::debug::inlines::{Inlines, NO_PARENT};
use crate::debug::lines::{Lines, Place};
use crate::debug::owner::Origin;
use crate::ranges::{AddressRange, Cursor, push_merged};

/// The owner of each address that has a source line, in one unit whose line table
/// says `places`: sorted, non-overlapping.
pub fn owner_ranges(
    lines: &Lines,
    places: &[AddressRange<Place>],
    inlines: &Inlines<'_>,
) -> Vec<AddressRange<u32>> {
    let callers = callers(lines, inlines);
    let mut bodies = Cursor::new(&inlines.ranges);
    let mut out = Vec::new();
    for range in places {
        let place = range.value;
        let of = &lines.files[place.file as usize];
        if place.has_line && of.origin == Origin::Other {
            let (start, end, value) = (range.start, range.end, of.owner);
            push_merged(&mut out, AddressRange { start, end, value });
            continue;
        }
        let mut start = range.start;
        while start < range.end {
            let (node, until) = bodies.at(start);
            let end = until.min(range.end);
            let own = node.filter(|_| !place.has_line);
            let own = own.and_then(|node| body_file(inlines, node));
            let file = node.and_then(|node| callers[node as usize]).or(own);
            let value = lines.files[file.unwrap_or(place.file) as usize].owner;
            push_merged(&mut out, AddressRange { start, end, value });
            start = end;
        }
    }
    out
}

/// The file that the body of a node is written in.
fn body_file(inlines: &Inlines<'_>, node: u32) -> Option<u32> {
    let frame = inlines.nodes[node as usize].frame?;
    inlines.frames[frame as usize].file
}

/// By node: the file that called the intrinsic which the node is, or which the
/// node is inside of with only `core` between.
fn callers(lines: &Lines, inlines: &Inlines<'_>) -> Vec<Option<u32>> {
    let mut callers: Vec<Option<u32>> = Vec::with_capacity(inlines.nodes.len());
    for (number, node) in inlines.nodes.iter().enumerate() {
        let file = body_file(inlines, number as u32);
        let origin = file.map_or(Origin::Other, |file| lines.files[file as usize].origin);
        let outer = if node.parent == NO_PARENT {
            None
        } else {
            callers[node.parent as usize]
        };
        callers.push(match origin {
            Origin::Intrinsics => outer.or(node.call_file),
            Origin::Core => outer,
            Origin::Other => None,
        });
    }
    callers
}
