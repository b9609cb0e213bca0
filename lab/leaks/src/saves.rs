//! Functions that only save wide registers, and put back what was there: SVML's first functions
//! do, which are called with vectors in them and find the right one.

use super::reach::Own;
use super::writer::Writer;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use karat_flow::program::Entry;

impl Writer<'_> {
    /// Whether a function needs more than the baseline only to save what its caller has in wide
    /// registers, and what is known of its callers is that they are exported: who calls these has
    /// vectors of that width.
    pub(super) fn saves_for_callers(&self, routine: u32, own: &Own) -> bool {
        if !self.program.is_library || own.open.is_empty() {
            return false;
        }
        let is_exported = |routine: u32| {
            let start = self.program.routines[routine as usize].start;
            self.program.entries.get(&start) == Some(&Entry::Exported)
        };
        let mut nodes = own.nodes().map(|node| &self.search.nodes[node]);
        let is_theirs = nodes.all(|node| {
            node.up.is_empty()
                && !node.gates.is_empty()
                && node.gates.iter().all(|gate| is_exported(gate.routine))
        });
        is_theirs && self.only_saves(routine)
    }

    /// Whether all instructions above the baseline move a whole register to the stack or back,
    /// and the first ones to the stack.
    fn only_saves(&self, routine: u32) -> bool {
        let is_above = |it: &Instruction| self.classes.of(it.code()).above != 0;
        let mut all = self
            .program
            .instructions(routine)
            .filter(is_above)
            .peekable();
        let is_first = all
            .peek()
            .is_some_and(|first| first.op0_kind() == OpKind::Memory);
        is_first && all.all(|it| it.mnemonic() == Mnemonic::Vzeroupper || is_move(&it))
    }
}

/// Whether an instruction moves a whole wide register to the stack or from there.
fn is_move(it: &Instruction) -> bool {
    use Mnemonic as M;
    let is_one = matches!(
        it.mnemonic(),
        M::Vmovups
            | M::Vmovupd
            | M::Vmovaps
            | M::Vmovapd
            | M::Vmovdqu
            | M::Vmovdqa
            | M::Vmovdqu32
            | M::Vmovdqu64
            | M::Vmovdqa32
            | M::Vmovdqa64
            | M::Kmovw
            | M::Kmovd
            | M::Kmovq
    );
    let kinds = [it.op0_kind(), it.op1_kind()];
    let is_both = kinds.contains(&OpKind::Memory) && kinds.contains(&OpKind::Register);
    is_one && is_both && matches!(it.memory_base(), Register::RSP | Register::RBP)
}
