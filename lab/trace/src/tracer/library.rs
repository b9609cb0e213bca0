//! Libraries as they come: at the loader's own stops and, while it is at work, at the
//! system calls that map code. The latter see a library before its first instruction
//! runs, resolvers of indirect functions among them.

use super::Tracer;
use crate::maps;
use crate::sys::{self, Call};
use std::io;

impl Tracer<'_, '_> {
    /// A task has stopped before or behind a system call.
    pub(super) fn at_call(&mut self, task: i32) -> io::Result<()> {
        const MMAP: u64 = libc::SYS_mmap as u64;
        const MPROTECT: u64 = libc::SYS_mprotect as u64;
        let call = sys::system_call(task)?;
        let Some(known) = self.tasks.get_mut(&task) else {
            return Ok(());
        };
        match call {
            // The third argument of both is the protection.
            Some(Call::Entry { number, third }) => {
                known.is_mapping =
                    matches!(number, MMAP | MPROTECT) && third & libc::PROT_EXEC as u64 != 0;
            }
            Some(Call::Exit) if known.is_mapping => {
                known.is_mapping = false;
                self.look(task)?;
            }
            _ => {}
        }
        self.resume(task, 0)
    }

    /// A task is at the loader's breakpoint.
    pub(super) fn at_loader(&mut self, task: i32) -> io::Result<()> {
        self.look(task)?;
        let Some(known) = self.tasks.get_mut(&task) else {
            return Ok(());
        };
        let space = known.space.and_then(|space| self.spaces.get(&space));
        let loader = space.and_then(|space| Some((space, space.loader.clone()?)));
        let Some((space, loader)) = loader else {
            return self.resume(task, 0);
        };
        known.at_calls = loader.is_under_way(&space.memory);
        self.step_over(task, loader.address, loader.original)
    }

    /// Looks at what a task has mapped.
    fn look(&mut self, task: i32) -> io::Result<()> {
        if self.is_letting_go {
            return Ok(());
        }
        let space = self.tasks.get(&task).and_then(|known| known.space);
        let Some(space) = space.and_then(|space| self.spaces.get_mut(&space)) else {
            return Ok(());
        };
        let (files, planted) = space.look(task, &mut self.sites, &maps::of(task)?)?;
        self.planted += planted;
        for file in files {
            self.mapped[file] += 1;
        }
        Ok(())
    }
}
