//! What others do for the same task.

use crate::Body;

/// Another crate's way to do a task.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The [name by which peers know the task](crate::Task::peers), such as
    /// `sha256-many`.
    pub task: &'static str,
    /// Its crate, and how it is called where that is not plain.
    pub name: &'static str,
    /// What a reader must know of this build of it, or nothing.
    pub note: &'static str,
    /// The function.
    pub body: Body,
}
