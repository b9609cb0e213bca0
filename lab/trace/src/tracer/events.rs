//! What a change of a task means, and what follows.
//!
//! Source: ptrace(2), "Stopped states". An event is in the bits above a stop's signal.

use super::tasks::Task;
use super::{Outcome, Tracer};
use crate::loader::{Found, Loader};
use crate::maps;
use crate::memory::Memory;
use crate::plan::Ending;
use crate::space::Space;
use crate::sys::{self, Change, Go};
use std::io;
use std::time::Instant;

impl Tracer<'_, '_> {
    pub(super) fn changed(&mut self, change: &Change) -> io::Result<()> {
        let (task, status) = (change.task, change.status);
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            return self.ended(change);
        }
        let Some(known) = self.tasks.get_mut(&task) else {
            // Its parent's event is on the way.
            let Change { usage, .. } = *change;
            self.early.insert(
                task,
                Change {
                    task,
                    status,
                    usage,
                },
            );
            return Ok(());
        };
        known.is_running = false;
        let signal = libc::WSTOPSIG(status);
        match status >> 16 {
            libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_CLONE => {
                let child = sys::event_message(task)?;
                self.is_born(task, child, false)?;
                self.resume(task, 0)
            }
            libc::PTRACE_EVENT_VFORK => {
                let child = sys::event_message(task)?;
                known.is_in_vfork = true;
                self.is_born(task, child, true)?;
                self.resume(task, 0)
            }
            libc::PTRACE_EVENT_VFORK_DONE => {
                known.is_in_vfork = false;
                self.resume(task, 0)
            }
            libc::PTRACE_EVENT_EXIT => {
                known.is_ending = true;
                self.resume(task, 0)
            }
            libc::PTRACE_EVENT_EXEC => self.has_execed(task),
            libc::PTRACE_EVENT_STOP => match signal {
                libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU
                    if !self.is_letting_go =>
                {
                    sys::listen(task)
                }
                _ => self.resume(task, 0),
            },
            _ if signal == libc::SIGTRAP | 0x80 => self.at_call(task),
            _ if signal == libc::SIGTRAP => self.trapped(task),
            _ => self.resume(task, signal),
        }
    }

    /// Lets a stopped task go on, with a signal if that is not 0.
    pub(super) fn resume(&mut self, task: i32, signal: i32) -> io::Result<()> {
        if self.is_letting_go {
            return self.let_go(task, signal);
        }
        let Some(known) = self.tasks.get_mut(&task) else {
            return Ok(());
        };
        known.is_running = true;
        let is_blind = known
            .space
            .and_then(|s| self.spaces.get(&s))
            .is_some_and(|s| s.is_blind);
        let how = match known.at_calls || is_blind {
            true => Go::ToSystemCall,
            false => Go::On,
        };
        sys::go(task, how, signal)
    }

    fn ended(&mut self, change: &Change) -> io::Result<()> {
        let (task, status) = (change.task, change.status);
        self.is_gone(task);
        self.early.remove(&task);
        if task != self.root {
            return Ok(());
        }
        self.outcome = Some(Outcome {
            ending: match libc::WIFEXITED(status) {
                true => Ending::Exited(libc::WEXITSTATUS(status)),
                false => Ending::Signalled(libc::WTERMSIG(status)),
            },
            at: Instant::now(),
            user: sys::duration(change.usage.ru_utime),
            system: sys::duration(change.usage.ru_stime),
        });
        self.left_running = self.tasks.len() as u64;
        self.let_all_go()
    }

    /// A task runs another program now, alone in its process and in a new space.
    fn has_execed(&mut self, task: i32) -> io::Result<()> {
        let former = sys::event_message(task)?;
        self.is_gone(former);
        self.is_gone(task);
        if task == self.root {
            self.is_running = true;
        }
        let mut space = Space::new(Memory::open(task)?);
        let mut known = Task::new(task, None);
        known.is_running = false;
        if !self.is_letting_go {
            let maps = maps::of(task)?;
            let (files, planted) = space.look(task, &mut self.sites, &maps)?;
            self.planted += planted;
            for file in files {
                self.mapped[file] += 1;
            }
            let all = (0..self.sites.plan.files.len())
                .all(|file| space.mapped.iter().any(|mapped| mapped.file == file));
            if !all {
                match Loader::plant(task, &space.memory, &maps)? {
                    Found::None => {}
                    Found::Planted(loader) => {
                        space.loader = Some(loader);
                        known.at_calls = true;
                    }
                    Found::Unknown => {
                        space.is_blind = true;
                        self.note(
                            "a dynamic loader has no function that tells of libraries: every \
                             system call was looked at, which is slow"
                                .into(),
                        );
                    }
                }
            }
        }
        known.space = Some(self.add_space(space));
        self.tasks.insert(task, known);
        self.resume(task, 0)
    }
}
