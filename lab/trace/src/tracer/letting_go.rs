//! The end of tracing: all breakpoints are taken out, and every task goes on alone.

use super::Tracer;
use crate::sys::{self, Go};
use std::io;

impl Tracer<'_, '_> {
    /// From now on every task is let go at its next stop, which is asked for.
    pub(super) fn let_all_go(&mut self) -> io::Result<()> {
        self.is_letting_go = true;
        for (id, space) in &mut self.spaces {
            let task = self.tasks.iter().find(|(_, task)| task.space == Some(*id));
            if let Some((task, _)) = task {
                // A process that has just ended has nothing to clear.
                let _ = space.clear(*task, &self.sites);
            }
        }
        for task in self.tasks.keys() {
            // Also those that job control has stopped, which would tell nothing else.
            let _ = sys::interrupt(*task);
        }
        Ok(())
    }

    /// Lets one stopped task go, unless it has trapped already and has not told yet:
    /// without a tracer that signal would kill it.
    pub(super) fn let_go(&mut self, task: i32, signal: i32) -> io::Result<()> {
        if sys::trap_is_pending(task) {
            return sys::go(task, Go::On, signal);
        }
        self.is_gone(task);
        sys::detach(task, signal)
    }
}
