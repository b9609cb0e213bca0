//! What takes certainty from a way on which no gate was seen: a handler of SIGILL, and branches
//! in a file that asks the CPU.

use super::writer::Writer;
use karat_flow::calls::SIGNALS;
use karat_flow::sweep::to;
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

impl Writer<'_> {
    /// Whether the file catches SIGILL somewhere: code may be tried, and dying of it is no end.
    pub(super) fn catches(&self) -> bool {
        *self.handles.get_or_init(|| {
            let named = self.program.routines.iter().filter(|routine| {
                let mut names = routine.names.iter();
                names.any(|name| SIGNALS.contains(name))
            });
            // In a program that is linked statically.
            let callers = named.flat_map(|routine| to(&self.sweep.edges, routine.start));
            let mut callers = callers.filter_map(|(_, at)| self.program.routine_at(*at));
            !self.sweep.catches.is_empty() || callers.any(|caller| self.sets_handler(caller))
        })
    }

    fn sets_handler(&self, routine: u32) -> bool {
        let told = self.search.oracle.told(routine);
        told.is_some_and(|told| told.catches.is_some())
    }

    /// Whether what the way to a node goes through, or calls, handles SIGILL, where no function
    /// has a name to find it by.
    pub(super) fn catches_on(&self, node: usize) -> bool {
        if self
            .program
            .routines
            .iter()
            .any(|routine| !routine.names.is_empty())
        {
            return false;
        }
        let mut ways = vec![self.search.nodes[node].routine];
        let mut node = node;
        while let Some((up, _)) = self.verdicts.leak[node]
            && up != node
        {
            node = up;
            ways.push(self.search.nodes[node].routine);
        }
        let routine_at = |at: u64| self.program.routine_at(at);
        let calls = self.sweep.edges.iter();
        let on_way = |at: u64| routine_at(at).is_some_and(|one| ways.contains(&one));
        let mut called: Vec<u32> = calls
            .filter(|(_, at)| on_way(*at))
            .filter_map(|(to, _)| routine_at(*to))
            .collect();
        called.sort_unstable();
        called.dedup();
        ways.iter()
            .chain(&called)
            .any(|one| self.sets_handler(*one))
    }

    /// Whether all of the way to a place runs whenever its entry does: no branch decides.
    pub(super) fn is_inevitable(&mut self, node: usize, at: u64) -> bool {
        let mut node = node;
        let mut at = at;
        loop {
            let (routine, address) = {
                let node = &self.search.nodes[node];
                (node.routine, node.address)
            };
            let reading = self.search.reading(routine);
            if !reading.is_some_and(|reading| reading.flow.always(address, at)) {
                return false;
            }
            match self.verdicts.leak[node] {
                Some((up, call)) if up != node => (node, at) = (up, call),
                _ => return true,
            }
        }
    }
}

/// The state of a function to which a way without a gate leads, in a file that handles SIGILL.
pub(super) fn perhaps_tried(mut out: AboveBaseline) -> AboveBaseline {
    out.reach = Reach::Unknown;
    out.confidence = Certainty::Low;
    out.path.clear();
    out.reason = "the file handles SIGILL: this may be code that it tries".into();
    out.obstacle = "the handler of SIGILL".into();
    out
}
