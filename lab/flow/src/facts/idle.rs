//! Routines that nothing leads to: what they would store no variable ever holds. Libraries keep
//! such, as Intel's SVML has a function that sets its number of the CPU to whatever it is given.

use super::oracle::Oracle;
use crate::distances;
use crate::sweep::within;
use iced_x86::{FlowControl, Mnemonic};
use karat_binary::numbers::NumberSet;
use std::cell::OnceCell;

impl Oracle<'_> {
    /// Whether no way leads into a routine: no call or jump, no address of it in code or data, no
    /// distance in a table, no name that others see, and not from the code before it. Only of one
    /// of which a symbol or the unwind table says where it begins and ends, and that calls nobody:
    /// who is given a variable's address there may be somebody else's to call too.
    /// `far` are functions that tables of distances name, asked for at most once.
    pub(super) fn is_idle(&self, routine: u32, far: &OnceCell<NumberSet<u64>>) -> bool {
        let program = self.program;
        let own = &program.routines[routine as usize];
        if own.is_guess || own.is_open {
            return false;
        }
        let mut ranges = own.ranges.iter().copied();
        let is_inside = |at: u64| program.routine_at(at) == Some(routine);
        let is_alone = ranges.all(|(start, end)| {
            let mut all = [&self.sweep.edges, &self.sweep.taken, &program.pointers].into_iter();
            program.entries.range(start..end).next().is_none()
                && all.all(|list| {
                    let mut uses = within(list, start, end).iter();
                    uses.all(|(_, at)| is_inside(at))
                })
        });
        let stays = |flow| {
            matches!(
                flow,
                FlowControl::Next | FlowControl::Return | FlowControl::ConditionalBranch
            )
        };
        let is_alone = is_alone
            && (program.instructions(routine)).all(|instruction| stays(instruction.flow_control()));
        let named = || distances::named(program, self.sweep);
        is_alone && !self.runs_on_into(routine) && !far.get_or_init(named).contains(&own.start)
    }

    /// Whether the code before a routine may run on into it.
    fn runs_on_into(&self, routine: u32) -> bool {
        let program = self.program;
        let Some(before) = routine.checked_sub(1) else {
            return false;
        };
        let is_padding = |mnemonic| matches!(mnemonic, Mnemonic::Nop | Mnemonic::Int3);
        let last = (program.instructions(before))
            .filter(|instruction| !is_padding(instruction.mnemonic()))
            .last();
        let ends = last.is_some_and(|last| {
            matches!(
                last.flow_control(),
                FlowControl::Return
                    | FlowControl::UnconditionalBranch
                    | FlowControl::IndirectBranch
                    | FlowControl::Exception
            )
        });
        !ends || self.sweep.facts[before as usize].undecodable
    }
}
