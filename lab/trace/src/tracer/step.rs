//! Over a breakpoint that stays: its instruction is put back, executed alone, and
//! replaced again, while no other thread of the address space runs past it.

use super::Tracer;
use crate::machine::HERE;
use crate::sys::{self, Change, Go};
use std::collections::HashSet;
use std::io;

impl Tracer<'_, '_> {
    /// Executes the one instruction at `address`, where a stopped task stands, and lets
    /// the task go on.
    pub(super) fn step_over(
        &mut self,
        task: i32,
        address: u64,
        original: [u8; 4],
    ) -> io::Result<()> {
        self.hold_others(task)?;
        let space = self.tasks.get(&task).and_then(|known| known.space);
        let Some(space) = space.and_then(|space| self.spaces.get(&space)) else {
            return self.resume(task, 0);
        };
        let length = HERE.trap.len();
        space.memory.write(task, address, &original[..length])?;
        let stepped = self.step(task);
        if let Some(space) = self.tasks.get(&task).and_then(|known| known.space)
            && let Some(space) = self.spaces.get(&space)
        {
            // The space may be gone with the task.
            let _ = space.memory.write(task, address, HERE.trap);
        }
        let Some(signal) = stepped? else {
            return Ok(());
        };
        let Some(info) = signal else {
            return self.resume(task, 0);
        };
        sys::set_signal_info(task, &info)?;
        self.resume(task, info.si_signo)
    }

    /// Stops the running threads of a task's space. Their stops are handled later, in
    /// the order in which they came.
    fn hold_others(&mut self, task: i32) -> io::Result<()> {
        let space = self.tasks.get(&task).and_then(|known| known.space);
        let others = self.tasks.iter().filter(|(number, other)| {
            let can_stop = other.is_running && !other.is_in_vfork && !other.is_ending;
            **number != task && other.space == space && can_stop
        });
        let mut awaited: HashSet<i32> = others.map(|(number, _)| *number).collect();
        awaited.retain(|other| sys::interrupt(*other).is_ok());
        while !awaited.is_empty() {
            let Some(change) = sys::wait(-1)? else {
                return Ok(());
            };
            awaited.remove(&change.task);
            // A thread that calls exec comes back under its process's number.
            if change.status >> 16 == libc::PTRACE_EVENT_EXEC
                && let Ok(former) = sys::event_message(change.task)
            {
                awaited.remove(&former);
            }
            self.defer(change);
        }
        Ok(())
    }

    /// Keeps a change for later.
    fn defer(&mut self, change: Change) {
        if let Some(known) = self.tasks.get_mut(&change.task) {
            known.is_running = false;
        }
        self.deferred.push_back(change);
    }

    /// One step. None when the task stopped for another event, which is handled later;
    /// else a signal that came meanwhile and is still to be delivered, if one did.
    fn step(&mut self, task: i32) -> io::Result<Option<Option<libc::siginfo_t>>> {
        let mut held = None;
        loop {
            sys::go(task, Go::Step, 0)?;
            // The end of a first thread is told only when others' ends have been taken.
            let change = loop {
                match sys::wait(-1)? {
                    Some(change) if change.task == task => break change,
                    Some(other) => self.defer(other),
                    None => return Ok(None),
                }
            };
            let status = change.status;
            if !libc::WIFSTOPPED(status) {
                self.defer(change);
                return Ok(None);
            }
            match (status >> 16, libc::WSTOPSIG(status)) {
                (0, libc::SIGTRAP) => return Ok(Some(held)),
                // A signal to deliver first: the step comes before it.
                (0, _) => held = Some(sys::signal_info(task)?),
                // The stop that another thread's step asked for.
                (libc::PTRACE_EVENT_STOP, libc::SIGTRAP) => {}
                _ => {
                    self.defer(change);
                    return Ok(None);
                }
            }
        }
    }
}
