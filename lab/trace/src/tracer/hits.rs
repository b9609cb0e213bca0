//! Breakpoints that trap.

use super::Tracer;
use crate::machine::HERE;
use crate::plan::{Hit, Site};
use crate::sys;
use std::io;

impl Tracer<'_, '_> {
    /// A task has stopped for a `SIGTRAP`: one of ours, or its own.
    pub(super) fn trapped(&mut self, task: i32) -> io::Result<()> {
        let info = sys::signal_info(task)?;
        if !sys::is_breakpoint(&info) {
            return self.resume(task, libc::SIGTRAP);
        }
        let counter = sys::program_counter(task)?;
        let address = HERE.site_of(counter);
        let space = self.tasks.get(&task).and_then(|known| known.space);
        let Some(known) = space.and_then(|space| self.spaces.get(&space)) else {
            return self.resume(task, libc::SIGTRAP);
        };
        let is_loader = known.loader.as_ref().is_some_and(|l| l.address == address);
        let site = known.site_at(&self.sites, address);
        // A breakpoint of the program's own was never replaced.
        let site = site.filter(|site| self.sites.original[site.file][site.index].is_some());
        if !is_loader && site.is_none() {
            self.note(format!(
                "the program executed a breakpoint of its own, or one that it copied from \
                 its code, at {address:#x}; it was handed to it as SIGTRAP"
            ));
            return self.resume(task, libc::SIGTRAP);
        }
        self.traps += 1;
        sys::set_program_counter(task, address)?;
        unblock_again(task)?;
        match site {
            Some(site) => self.hit(task, space, address, site),
            None => self.at_loader(task),
        }
    }

    fn hit(&mut self, task: i32, space: Option<u32>, address: u64, site: Site) -> io::Result<()> {
        let mut done = Vec::new();
        // Where the site is done, this trap was under way or in another space.
        let was_done = self.sites.done[site.file][site.index];
        if !was_done && !self.is_letting_go {
            let thread = task;
            (self.on_hit)(&Hit { site, thread }, &mut done);
        }
        let is_done = was_done || self.is_letting_go || done.contains(&site);
        for other in &done {
            self.sites.finish(*other);
        }
        if is_done {
            done.push(site);
        }
        if let Some(space) = space.and_then(|space| self.spaces.get_mut(&space)) {
            for site in done {
                space.restore(task, &self.sites, site)?;
            }
        }
        if self.sites.open == 0 && !self.is_letting_go {
            self.let_all_go()?;
        }
        let original = self.sites.original[site.file][site.index];
        match original.filter(|_| !is_done) {
            Some(original) => self.step_over(task, address, original),
            None => self.resume(task, 0),
        }
    }
}

/// Restores the mask of a thread that blocked all signals. The kernel lets a trap
/// through by unblocking `SIGTRAP`; that it was blocked is sure only where all others
/// are, as in a thread that is being made.
fn unblock_again(task: i32) -> io::Result<()> {
    let bit = |signal: i32| 1_u64 << (signal - 1);
    // The first two cannot be blocked; 32 and 33 are the C library's own.
    let never = bit(libc::SIGKILL) | bit(libc::SIGSTOP) | bit(32) | bit(33);
    let mask = sys::signal_mask(task)?;
    let trap = bit(libc::SIGTRAP);
    if mask & trap == 0 && mask | never | trap == u64::MAX {
        sys::set_signal_mask(task, mask | trap)?;
    }
    Ok(())
}
