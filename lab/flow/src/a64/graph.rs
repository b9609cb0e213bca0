//! The control-flow graph of a routine of AArch64: instructions of four bytes each.

use crate::blocks::{Decoded, Turn};
use crate::code::Code;
use crate::graph::{Flow, ends_in};
use crate::program::Program;
use crate::sweep::Sweep;
use iced_x86::FlowControl;
use karat_binary::a64::decode::{Control, control};
use std::rc::Rc;

/// Routines with more bytes are not looked into.
const LARGEST: u64 = 400_000;

/// The graph of a routine; none if it is too large. Its instructions are not kept.
pub(crate) fn flow(program: &Program<'_>, sweep: &Sweep, routine: u32) -> Option<Flow> {
    let ranges = &program.routines[routine as usize].ranges;
    let size: u64 = ranges.iter().map(|(start, end)| end - start).sum();
    if size > LARGEST {
        return None;
    }
    let mut found = Decoded::new(ranges, size as u32);
    let mut before = 0;
    for &(start, end) in ranges {
        let bytes = program.bytes(start, end)?;
        let whole = bytes.len() & !3;
        for (number, four) in bytes.chunks_exact(4).enumerate() {
            let place = before + 4 * number;
            found.starts.add(place);
            found.count += 1;
            let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            let (flow, target) = match control(word, start + 4 * number as u64) {
                Control::Next => continue,
                Control::Jump(to) => (FlowControl::UnconditionalBranch, Some(to)),
                Control::Branch(to, _) => (FlowControl::ConditionalBranch, Some(to)),
                Control::Call(to) => (FlowControl::Call, Some(to)),
                Control::CallRegister(_) => (FlowControl::IndirectCall, None),
                Control::JumpRegister(_) => (FlowControl::IndirectBranch, None),
                Control::Return => (FlowControl::Return, None),
                Control::Stop => (FlowControl::Exception, None),
            };
            let is_call = matches!(flow, FlowControl::Call | FlowControl::IndirectCall);
            let is_ended = target.is_some_and(|to| ends_in(program, sweep, program.follow(to)));
            found.turns.push(Turn {
                place: place as u32,
                behind: place as u32 + 4,
                flow,
                comes_back: is_call && !is_ended,
                target,
            });
        }
        found.places.push((before as u32, (before + whole) as u32));
        before += bytes.len();
    }
    if found.count == 0 {
        return None;
    }
    found.starts.count();
    Some(Flow {
        blocks: Rc::new(found.blocks(sweep)),
        code: Code::Gone,
    })
}
