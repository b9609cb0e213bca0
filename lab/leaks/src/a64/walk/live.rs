//! Registers that calls keep and in which nothing is read any more: what lies there goes nowhere,
//! though it meets something else.

use super::Layout;
use crate::a64::decode::{Control, control};
use crate::a64::whole::Whole;
use karat_symbolic::arm_registers;

/// x19 to x28.
const KEPT: u64 = 0x3ff << 19;

/// By block: which of these are read behind its beginning by nobody, as bits.
pub(super) fn dead(whole: &Whole<'_>, layout: &Layout, ways: &[Vec<u32>]) -> Vec<u32> {
    let own: Vec<(u64, u64, u64)> = (layout.blocks.iter())
        .map(|&(start, end)| used(whole, start, end))
        .collect();
    let pads = || (layout.orphans.iter()).filter_map(|at| layout.number(*at));
    let mut live = vec![0; ways.len()];
    loop {
        // The unwinder may lead there from anywhere.
        let thrown = pads().fold(0, |all, number| all | live[number]);
        let mut changed = false;
        for &block in layout.by_rank.iter().rev() {
            let block = block as usize;
            let (reads, writes, behind) = own[block];
            let next = ways[block].iter().map(|to| live[*to as usize]);
            let out = next.fold(behind | thrown, |all, one| all | one);
            let known = (reads | out & !writes) & KEPT;
            changed |= known != live[block];
            live[block] = known;
        }
        if !changed {
            return live.iter().map(|live| (KEPT & !live) as u32).collect();
        }
    }
}

/// What a block reads before it writes it, what it writes, and what may be read behind it where
/// it leaves the routine.
fn used(whole: &Whole<'_>, start: u64, end: u64) -> (u64, u64, u64) {
    let (mut reads, mut writes, mut behind) = (0, 0, 0);
    let fours = whole.program.bytes(start, end).chunks_exact(4);
    for (at, four) in (start..).step_by(4).zip(fours) {
        let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let (read, written) = arm_registers(word);
        reads |= read & !writes;
        writes |= written;
        let range = whole.program.range(at);
        let is_out = |to: u64| range.is_none_or(|range| !(range.start..range.end).contains(&to));
        behind = match control(word, at) {
            Control::Return | Control::JumpRegister(_) => KEPT,
            Control::Jump(to) | Control::Branch(to, _) if is_out(to) => KEPT,
            // On to what follows the routine.
            Control::Stop | Control::Jump(_) => 0,
            _ if is_out(at + 4) => KEPT,
            _ => 0,
        };
    }
    (reads, writes, behind)
}
