//! Tasks (threads and first threads of processes), and which space each is in.

use super::Tracer;
use crate::memory::Memory;
use crate::space::Space;
use crate::sys;
use std::fs;
use std::io;

/// One thread.
pub(super) struct Task {
    /// Its process.
    pub process: i32,
    /// Its address space; none before the command's own exec.
    pub space: Option<u32>,
    /// Whether it runs, as far as is known: it has gone on and no stop was seen since.
    pub is_running: bool,
    /// Whether it waits in vfork for its child, and cannot stop.
    pub is_in_vfork: bool,
    /// Whether it ends, and stops no more. The first thread of a process is waited for
    /// only when all its threads have ended.
    pub is_ending: bool,
    /// Whether it stops at system calls: its loader is at work.
    pub at_calls: bool,
    /// Whether the system call that it is in may map code.
    pub is_mapping: bool,
}

impl Task {
    pub(super) fn new(process: i32, space: Option<u32>) -> Self {
        Self {
            process,
            space,
            is_running: true,
            is_in_vfork: false,
            is_ending: false,
            at_calls: false,
            is_mapping: false,
        }
    }
}

impl Tracer<'_, '_> {
    /// A task has made another, of which its event tells.
    pub(super) fn is_born(&mut self, parent: i32, child: i32, is_vfork: bool) -> io::Result<()> {
        let Some(of) = self.tasks.get(&parent) else {
            return Ok(());
        };
        let (space, at_calls) = (of.space, of.at_calls);
        let process = process_of(child).unwrap_or(child);
        let is_thread = process == of.process;
        // Without an answer: what is usual.
        let shares = sys::share_memory(parent, child).unwrap_or(is_thread || is_vfork);
        match is_thread {
            true => self.threads += 1,
            false => self.processes += 1,
        }
        let space = match space {
            Some(space) if !shares => self.fork(parent, child, space)?,
            shared => shared,
        };
        let mut task = Task::new(process, space);
        // A thread that is made by a loader's constructor runs beside it.
        task.at_calls = at_calls && !is_thread;
        self.deferred.extend(self.early.remove(&child));
        // Its first stop may have been seen while others were held, behind its parent's
        // event: whoever waited for another one would wait for ever.
        task.is_running = !self.deferred.iter().any(|change| change.task == child);
        self.tasks.insert(child, task);
        Ok(())
    }

    /// The copy of a space for a child that shares none.
    fn fork(&mut self, parent: i32, child: i32, space: u32) -> io::Result<Option<u32>> {
        let Some(of) = self.spaces.get_mut(&space) else {
            return Ok(None);
        };
        // What other processes have done meanwhile need not trap in every new child.
        of.refresh(parent, &self.sites)?;
        let mut copy = of.forked(Memory::open(child)?);
        // The child's bytes are those of the moment of the fork.
        if self.is_letting_go {
            copy.clear(child, &self.sites)?;
        }
        for mapped in &copy.mapped {
            self.mapped[mapped.file] += 1;
        }
        Ok(Some(self.add_space(copy)))
    }

    pub(super) fn add_space(&mut self, space: Space) -> u32 {
        let id = self.next_space;
        self.next_space += 1;
        self.spaces.insert(id, space);
        id
    }

    /// Forgets a task, and its space if nobody is left in it.
    pub(super) fn is_gone(&mut self, task: i32) {
        let Some(task) = self.tasks.remove(&task) else {
            return;
        };
        if let Some(space) = task.space
            && !self.tasks.values().any(|other| other.space == Some(space))
        {
            self.spaces.remove(&space);
        }
    }
}

/// The process that a task belongs to.
fn process_of(task: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{task}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
    line.trim().parse().ok()
}
