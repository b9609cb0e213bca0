//! The ways between nodes of the search of [`reach`](super::reach), and which nodes need
//! not be followed: those that can change nothing of what is said of the functions below.
//!
//! Of a function that is reached from an entry nothing more is asked, and of one that is
//! called through pointers from an entry only whether it is reached without. Files with
//! many such functions have ways without number, which all say the same.

use super::for_callers::is_named;
use super::reach::{Found, GATES, Own, Search, Soft};
use karat_flow::program::Entry;

/// A way from a node to one above it.
#[derive(Clone, Copy)]
pub(super) struct Up {
    pub to: usize,
    /// The place there.
    pub at: u64,
    pub soft: Option<Soft>,
    /// A gate there that does not imply enough.
    pub short: Option<Found>,
}

impl Up {
    /// A way without such a gate.
    pub fn by(to: usize, at: u64, soft: Option<Soft>) -> Self {
        Self {
            to,
            at,
            soft,
            short: None,
        }
    }
}

/// Adds to a list that mostly stays alone: it has room for one then, not for four.
pub(super) fn push<T>(list: &mut Vec<T>, one: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(one);
}

/// Adds to the gates before one place, of which a few are kept. One that is less certain than all
/// of these takes the place of the last: code is guarded as surely as its worst gate says.
pub(super) fn keep(gates: &mut Vec<Found>, gate: Found) {
    if gates.len() < GATES {
        push(gates, gate);
    } else if gates.iter().all(|it| gate.confidence < it.confidence)
        && let Some(last) = gates.last_mut()
    {
        *last = gate;
    }
}

/// How a node stands while the search runs.
#[derive(Default)]
pub(crate) struct Standing {
    /// Nodes that lead up to it, and whether that way proves all.
    down: Vec<(u32, bool)>,
    /// A function is judged by it.
    is_origin: bool,
    /// A function is reached from it, not only perhaps.
    is_way: bool,
    /// A way from it ends at an entry, or at what is not known.
    is_open: bool,
    /// It ends at an entry and proves all.
    is_proven: bool,
    /// It was not followed.
    is_resting: bool,
}

impl Standing {
    /// Nothing of it is asked any more.
    pub fn end(&mut self) {
        self.down = Vec::new();
    }
}

impl Search<'_> {
    /// Notes the nodes by which a function is judged.
    pub fn originate(&mut self, own: &Own) {
        let open = own.open.iter().map(|(node, ..)| *node);
        for node in open.chain(own.soft.iter().map(|(node, ..)| *node)) {
            let standing = &mut self.nodes[node].standing;
            (standing.is_origin, standing.is_way) = (true, true);
        }
    }

    /// Notes a way from a node to one above it.
    pub(super) fn lead_up(&mut self, node: usize, way: Up) {
        let Up {
            to,
            at,
            soft,
            short,
        } = way;
        push(&mut self.nodes[node].up, (to, at, soft));
        if let Some(short) = short {
            self.nodes[node].add_short(to, short);
        }
        let proves = soft.is_none() && short.is_none();
        let is_way = self.nodes[node].standing.is_way && Soft::is_way(soft);
        let above = &mut self.nodes[to].standing;
        push(&mut above.down, (node as u32, proves));
        let (is_open, is_proven) = (above.is_open, above.is_proven);
        if std::mem::take(&mut above.is_resting) {
            self.enqueue(to);
        }
        if is_way {
            self.reach_from(to);
        }
        if is_open {
            self.open(node, is_proven && proves);
        }
    }

    /// A function is reached from a node, and so from those above.
    fn reach_from(&mut self, node: usize) {
        if self.nodes[node].standing.is_way {
            return;
        }
        // Most have none above them: the list stays empty.
        let (mut first, mut list) = (Some(node), Vec::new());
        while let Some(node) = first.take().or_else(|| list.pop()) {
            let standing = &mut self.nodes[node].standing;
            if std::mem::replace(&mut standing.is_way, true) {
                continue;
            }
            if std::mem::take(&mut standing.is_resting) {
                self.enqueue(node);
            }
            let ways = self.nodes[node].up.iter();
            list.extend(ways.filter(|way| Soft::is_way(way.2)).map(|way| way.0));
        }
    }

    /// Notes where the ways of a node end that was followed.
    pub(super) fn end(&mut self, node: usize) {
        let known = &self.nodes[node];
        let is_end = known.entry.is_some() || known.doubt.is_some_and(|doubt| doubt.is_open());
        if is_end {
            self.open(node, known.entry.is_some());
        }
    }

    /// A way from a node ends, and so those of all below do.
    fn open(&mut self, node: usize, is_proven: bool) {
        let (mut first, mut list) = (Some((node, is_proven)), Vec::new());
        while let Some((node, is_proven)) = first.take().or_else(|| list.pop()) {
            // An exported function above the baseline, or one that is given a flag, or whose name
            // says what there is, is there for callers who ask.
            let known = &self.nodes[node];
            let is_duty = known.entry == Some(Entry::Exported)
                && (self.is_above(known.routine)
                    || !known.arguments.is_none()
                    || is_named(self.program, known));
            let is_proven = is_proven && !is_duty;
            let standing = &mut self.nodes[node].standing;
            if standing.is_open && (standing.is_proven || !is_proven) {
                continue;
            }
            standing.is_open = true;
            standing.is_proven |= is_proven;
            let down = standing.down.iter();
            list.extend(down.map(|(below, proves)| (*below as usize, is_proven && *proves)));
        }
    }

    /// Whether a node was not followed to its end.
    pub(super) fn is_resting(&self, node: usize) -> bool {
        self.nodes[node].standing.is_resting
    }

    /// Whether a node need not be followed, because all nodes below have ways that say as
    /// much as its own could. It may be asked for again.
    pub(super) fn rests(&mut self, node: usize) -> bool {
        let standing = &self.nodes[node].standing;
        let is_settled = |(below, _): &(u32, bool)| {
            let below = &self.nodes[*below as usize].standing;
            below.is_proven || below.is_open && !standing.is_way
        };
        let rests = !standing.is_origin
            && !standing.down.is_empty()
            && standing.down.iter().all(is_settled);
        self.nodes[node].standing.is_resting = rests;
        rests
    }
}
