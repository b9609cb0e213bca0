//! Routines that nothing comes to, though all ways were followed and all that refer to them ran:
//! what asks for them never says so.

use crate::machine::Machine;
use karat_flow::sweep::to;

impl Machine<'_> {
    /// Finds those of the routines that are asked about. Of one that nobody who runs refers to
    /// nothing is said: what calls it may be called by another file.
    pub fn find_uncalled(&mut self, asked: &[u32]) {
        let program = self.image.program;
        // A way that reads from nowhere may have been followed wrongly, what was passed over may
        // store what would be called, and the start of a C library that is linked in is not gone
        // through, so that what it keeps of the CPU is not there.
        let is_doubtful = self.has_died || self.passed.is_some() || !self.has_imports;
        if !self.found.is_complete || is_doubtful || program.is_library {
            return;
        }
        let is_run = |at: u64| {
            let from = program.routine_at(at);
            from.is_some_and(|from| self.entered.contains(&from))
        };
        let is_uncalled = |routine: &&u32| {
            let start = program.routines[**routine as usize].start;
            let calls = to(&self.sweep.edges, start);
            let taken = to(&self.sweep.taken, start);
            let mut all = calls.iter().chain(taken).map(|(_, from)| from).peekable();
            !self.found.routines.contains_key(*routine)
                && to(&program.pointers, start).is_empty()
                && all.peek().is_some()
                && all.all(is_run)
        };
        let all = asked.iter().filter(is_uncalled).copied().collect();
        self.found.uncalled = all;
    }
}
