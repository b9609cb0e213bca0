//! From instructions above the baseline backwards: who gets there without a gate?
//!
//! A *node* is a place where a routine is entered and from where an offending
//! instruction, or a call to such a node, is reached without a gate. Nodes are
//! followed to their callers by direct calls ("hard"), and by pointers and
//! branches on what may be a flag ("soft"), which prove nothing. A node carries what
//! the code behind it needs and no gate so far implies, and the arguments that must be
//! set for it to be reached.

use super::compared::Equality;
use super::installers::Installers;
use super::kept::Keepers;
use super::numbered::{ByVariable, Pick};
use super::registrars::Registry;
use super::tables::Named;
use super::uses::Use;
use super::ways::{Standing, keep, push};
use karat_binary::numbers::{NumberMap, NumberSet};
use karat_flow::cells::Detection;
use karat_flow::classes::Classes;
use karat_flow::facts::Facts;
use karat_flow::facts::oracle::Oracle;
use karat_flow::facts::routine::Told;
use karat_flow::program::{Entry, Program};
use karat_flow::reading::{Known, Reading};
use karat_flow::state::Source;
use karat_flow::sweep::{Sweep, to};
use karat_model::leaks::{Certainty, GateKind};
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::num::NonZeroU32;
use std::rc::Rc;

/// Pointers followed from a function towards an entry.
const SOFT: u8 = 3;
/// Nodes at most: beyond, states are unknown.
const NODES: usize = 150_000;
/// Callers of one node that are read.
pub(super) const CALLERS: usize = 2000;
/// Places where one routine is entered, at most: with more it is not looked into.
pub(super) const ENTRIES: usize = 16;
/// Gates kept for each node.
pub(super) const GATES: usize = 4;
/// Instructions from which code that nothing says is one function is not gone through: from
/// each place where it is entered there would be a way to each that it leads to.
const STRETCH: u32 = 4000;
/// Nodes that are followed until most of what was read of the file's bytes may be given back.
const LET_GO: usize = 100;
/// Readings kept at a time.
const KEPT: usize = 3000;
/// Instructions that are followed to know what routines do with tables that they name: a routine
/// that names hundreds would be gone through as often.
const USES: u64 = 3_000_000;

/// A gate on the way to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub kind: GateKind,
    pub routine: u32,
    pub at: u64,
    pub source: Option<Source>,
    /// What is there behind it; nothing when that is not known.
    pub features: Facts,
    pub confidence: Certainty,
}

/// Why nothing is known behind a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Nothing in the file refers to it.
    Unreferenced,
    /// A word of data at this address holds it, and no code is seen to call from there.
    Table(u64),
    /// The search was ended.
    Far,
    /// It is used at more places than are looked at.
    Many,
    /// It is used in a long stretch of code that nothing says is one function.
    Stretch(u32),
    /// This routine takes it behind a gate that is not enough, where a value that was not
    /// followed decides too.
    Open(u32),
    /// It is only exported, by a program or as Rust exports.
    Exported,
}

impl Doubt {
    /// Whether more may lead there than is seen.
    pub fn is_open(self) -> bool {
        self != Self::Unreferenced
    }
}

/// A place where a routine is entered.
pub(crate) struct Node {
    pub address: u64,
    pub routine: u32,
    pub entry: Option<Entry>,
    pub doubt: Option<Doubt>,
    /// (caller's node, the place there, what makes it soft).
    pub up: Vec<(usize, u64, Option<Soft>)>,
    /// By the node that is in `up`: a gate there that does not imply enough. Most have none.
    pub short: Vec<(usize, Found)>,
    pub gates: Vec<Found>,
    /// What is needed and not implied by what is behind it.
    pub need: Facts,
    /// The arguments that are set where it is reached.
    pub arguments: Facts,
    pub(super) softness: u8,
    pub standing: Standing,
    /// How many of its uses were looked at, and whether one of them leads there.
    pub(super) looked_at: (u32, bool),
    /// The node with the same hash before it, counted from 1.
    same: Option<NonZeroU32>,
}

impl Node {
    /// The gate on the way to a node above that does not imply enough.
    pub fn short_of(&self, up: usize) -> Option<Found> {
        let mut all = self.short.iter();
        all.find(|(to, _)| *to == up).map(|(_, gate)| *gate)
    }

    /// Notes such a gate; the last on the way to a node counts.
    pub(super) fn add_short(&mut self, up: usize, gate: Found) {
        match self.short.iter_mut().find(|(to, _)| *to == up) {
            Some((_, known)) => *known = gate,
            None => push(&mut self.short, (up, gate)),
        }
    }
}

/// Why an edge proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Soft {
    /// The address is taken there.
    Pointer,
    /// It is called there through a pointer whose values were followed: that is as good
    /// as a call, but for what was not seen to be stored.
    Called,
    /// A branch there may be on a flag.
    Flag(u64),
    /// A branch there is on an answer, and which feature it asks for is not known.
    Gate(u64, Source),
    /// It goes by an argument that the call there gives, and which one is not known.
    Argument,
    /// The routine is too large, or entered at too many places, to be looked into.
    Large,
    /// Its jumps were not understood.
    Unclear,
}

impl Soft {
    /// Whether a way goes on over it.
    pub fn is_way(this: Option<Self>) -> bool {
        this.is_none_or(|soft| soft == Self::Called)
    }
}

/// What is asked of a way to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// What is needed and not implied so far.
    pub need: Facts,
    /// The arguments that are set.
    pub arguments: Facts,
}

impl Way {
    pub(super) fn of(node: &Node) -> Self {
        Self {
            need: node.need,
            arguments: node.arguments,
        }
    }

    pub fn needing(need: Facts) -> Self {
        Self {
            need,
            arguments: Facts::NONE,
        }
    }

    pub fn without_arguments(self) -> Self {
        Self::needing(self.need)
    }
}

/// What a routine has above the baseline.
#[derive(Default)]
pub(super) struct Above {
    /// How many instructions; of `xgetbv`, one.
    pub count: u32,
    /// Address of the first.
    pub first: u64,
    /// Their extension sets.
    pub sets: Vec<u8>,
}

/// How a function above the baseline stands by itself.
#[derive(Default)]
pub(crate) struct Own {
    /// (node, the offending instruction reached from there, a gate before it that does
    /// not imply enough).
    pub open: Vec<(usize, u64, Option<Found>)>,
    pub guards: Vec<Found>,
    /// (node, why it proves nothing) of instructions behind what may be a flag,
    /// or where no jump that is understood leads.
    pub soft: Vec<(usize, u64, Soft)>,
}

impl Own {
    /// The nodes by which it is judged.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        let open = self.open.iter().map(|(node, ..)| *node);
        open.chain(self.soft.iter().map(|(node, ..)| *node))
    }
}

/// Which instructions a search starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// All above the baseline but `xgetbv`.
    Kernels,
    /// `xgetbv`, by which a program asks.
    Asking,
}

/// The search.
pub(crate) struct Search<'p> {
    pub program: &'p Program<'p>,
    pub sweep: &'p Sweep,
    pub classes: &'p Classes,
    pub detection: &'p Detection,
    pub nodes: Vec<Node>,
    pub oracle: &'p Oracle<'p>,
    /// By the hash of what tells nodes apart: the node that was found last. A table with all of
    /// that would be larger than the nodes.
    by_hash: NumberMap<u64, u32>,
    pub(super) queue: VecDeque<usize>,
    pub(super) seen: Seen,
    /// By extension set: what the baseline lacks of it.
    pub(super) needs: Vec<Facts>,
    /// Routines that call one that branches on an answer, or call such a one.
    pub(super) asking: &'p NumberSet<u32>,
    /// Routines that answers may come to; without them all are looked into.
    pub(super) concerned: Option<&'p NumberSet<u32>>,
    /// Whether the file has resolvers of indirect functions.
    pub(super) has_resolvers: bool,
    /// Which instructions it starts at: kernels', if nothing else is set.
    pub(super) origin: Origin,
    /// Instructions that may still be followed to see what is done with tables.
    pub(super) left_for_uses: u64,
}

/// What was seen of routines: the same in every search of a file.
#[derive(Default)]
pub(crate) struct Seen {
    readings: NumberMap<u32, Option<Rc<Reading>>>,
    /// By routine: whether it is code at all, once that was asked.
    codes: Vec<Cell<Option<bool>>>,
    /// Places where routines are entered.
    pub(super) entries: NumberMap<u32, Rc<[u64]>>,
    /// By code that has a table.
    pub(super) uses: HashMap<Named, Option<Use>>,
    /// Routines that pick kernels by a word of flags that they are given.
    pub(super) installers: Option<Rc<Installers>>,
    /// Routines that read words of flags in members of structures.
    pub(super) keepers: Option<Keepers>,
    /// What the numbers say that a variable holds.
    pub(super) numbers: ByVariable,
    /// By routine: the variables by whose numbers it picks elements of tables.
    pub(super) picks: NumberMap<u32, Rc<[Pick]>>,
    /// What is registered in tables whose elements answers pick.
    pub(super) registry: Registry,
    /// By routine: its branches on whether a value is a function's address.
    pub(super) equalities: NumberMap<u32, Rc<[Equality]>>,
}

impl Seen {
    /// Nothing of a program.
    pub fn of(program: &Program<'_>) -> Self {
        Self {
            codes: vec![Cell::new(None); program.routines.len()],
            ..Self::default()
        }
    }
}

impl<'p> Search<'p> {
    pub fn new(
        program: &'p Program<'p>,
        sweep: &'p Sweep,
        classes: &'p Classes,
        detection: &'p Detection,
        oracle: &'p Oracle<'p>,
        asking: &'p NumberSet<u32>,
        concerned: Option<&'p NumberSet<u32>>,
    ) -> Self {
        Self {
            program,
            sweep,
            classes,
            detection,
            oracle,
            nodes: Vec::new(),
            by_hash: NumberMap::default(),
            queue: VecDeque::new(),
            seen: Seen::of(program),
            needs: (0..=255u8)
                .map(|set| Facts::of(classes.missing(set).iter().map(String::as_str)))
                .collect(),
            asking,
            concerned,
            has_resolvers: (program.entries.values()).any(|entry| *entry == Entry::Resolver),
            origin: Origin::Kernels,
            left_for_uses: USES,
        }
    }

    /// Whether a routine is passed without being looked into: nothing in it asks.
    pub fn is_passed(&self, routine: u32) -> bool {
        self.concerned
            .is_some_and(|concerned| !concerned.contains(&routine))
    }

    /// What a routine has of what the search starts at.
    pub(super) fn above(&self, routine: u32) -> Above {
        let facts = &self.sweep.facts[routine as usize];
        let set = self.classes.xgetbv();
        match (self.origin, facts.xgetbv()) {
            (Origin::Kernels, _) => Above {
                count: facts.above(),
                first: facts.first(),
                sets: facts.set_indices().collect(),
            },
            (Origin::Asking, None) => Above::default(),
            (Origin::Asking, Some(first)) => Above {
                count: 1,
                first,
                sets: vec![set],
            },
        }
    }

    /// Whether a routine has what the search starts at.
    pub(super) fn is_above(&self, routine: u32) -> bool {
        let facts = &self.sweep.facts[routine as usize];
        match self.origin {
            Origin::Kernels => facts.above() > 0,
            Origin::Asking => facts.xgetbv().is_some(),
        }
    }

    /// Whether a routine is a long stretch of code that nothing says is one function.
    pub(super) fn is_stretch(&self, routine: u32) -> bool {
        let facts = &self.sweep.facts[routine as usize];
        self.program.routines[routine as usize].is_guess && facts.instructions > STRETCH
    }

    /// A routine's reading, kept for a while.
    pub fn reading(&mut self, routine: u32) -> Option<Rc<Reading>> {
        if let Some(known) = self.seen.readings.get(&routine) {
            return known.clone();
        }
        if self.seen.readings.len() >= KEPT {
            self.seen.readings.clear();
        }
        let instructions = self.sweep.facts[routine as usize].instructions;
        self.oracle.reads(instructions as usize);
        let reading = Reading::of(self.known(), routine).map(Rc::new);
        self.seen.readings.insert(routine, reading.clone());
        reading
    }

    /// What is known of the CPU at places of a routine, where anything can be.
    pub fn told(&self, routine: u32, reading: &Reading) -> Option<Rc<Told>> {
        let matters = !reading.gates.is_empty()
            || reading.chooses.is_some()
            || self.asking.contains(&routine);
        if !matters {
            return None;
        }
        self.oracle.forget();
        let by_callers = self.told_by_callers(routine);
        by_callers.or_else(|| self.oracle.told(routine))
    }

    /// What is known of a routine by what its callers give, where it asks for bits that facts
    /// do not keep of arguments.
    pub(super) fn told_by_callers(&self, routine: u32) -> Option<Rc<Told>> {
        let coarse = self.oracle.told(routine)?.coarse().next();
        coarse.and_then(|_| self.oracle.told_by_callers(routine))
    }

    /// What readings go by.
    pub(super) fn known(&self) -> Known<'p> {
        Known {
            program: self.program,
            sweep: self.sweep,
            found: self.detection,
        }
    }

    /// Whether a routine is code at all, as far as can be told.
    pub fn is_code(&self, routine: u32) -> bool {
        let is_one = &self.seen.codes[routine as usize];
        let known = is_one.get().unwrap_or_else(|| self.find_code(routine));
        is_one.set(Some(known));
        known
    }

    fn find_code(&self, routine: u32) -> bool {
        let known = &self.program.routines[routine as usize];
        let facts = &self.sweep.facts[routine as usize];
        !facts.undecodable
            && (!known.is_guess
                || !to(&self.sweep.edges, known.start).is_empty()
                || self.is_named(known.start))
    }

    /// Whether something other than a direct call may lead to an address.
    pub(super) fn is_named(&self, address: u64) -> bool {
        !to(&self.sweep.taken, address).is_empty()
            || !to(&self.program.pointers, address).is_empty()
            || self.program.entries.contains_key(&address)
    }

    pub(super) fn expose(&mut self, address: u64, routine: u32, softness: u8, way: Way) -> usize {
        let hash = self
            .by_hash
            .hasher()
            .hash_one((address, way.need, way.arguments));
        let last = self.by_hash.get(&hash).copied();
        let mut same = last;
        while let Some(known) = same {
            let it = &self.nodes[known as usize];
            if (it.address, it.need, it.arguments) == (address, way.need, way.arguments) {
                return known as usize;
            }
            same = it.same.map(|next| next.get() - 1);
        }
        let node = self.nodes.len();
        self.by_hash.insert(hash, node as u32);
        self.nodes.push(Node {
            address,
            routine,
            entry: None,
            doubt: None,
            up: Vec::new(),
            short: Vec::new(),
            gates: Vec::new(),
            need: way.need,
            arguments: way.arguments,
            softness,
            standing: Standing::default(),
            looked_at: (0, false),
            same: last.and_then(|last| NonZeroU32::new(last + 1)),
        });
        self.enqueue(node);
        node
    }

    pub(super) fn enqueue(&mut self, node: usize) {
        match self.is_first(node) {
            true => self.queue.push_front(node),
            false => self.queue.push_back(node),
        }
    }

    /// What ends ways comes first, then what proves them.
    pub(super) fn is_first(&self, node: usize) -> bool {
        let known = &self.nodes[node];
        known.softness == 0 || self.program.entries.contains_key(&known.address)
    }

    /// Follows all nodes to where they end; `let_go` is called now and then, as by
    /// [`look`](super::look).
    pub fn run(&mut self, let_go: &dyn Fn()) {
        let mut steps = 0;
        while let Some(node) = self.queue.pop_front() {
            steps += 1;
            if steps >= LET_GO {
                let_go();
                steps = 0;
            }
            if self.rests(node) {
                continue;
            }
            let is_full = self.nodes.len() > NODES || self.oracle.is_spent();
            if is_full || self.nodes[node].softness > SOFT {
                self.nodes[node].doubt = Some(Doubt::Far);
            } else {
                self.follow(node);
            }
            if self.oracle.is_spent() {
                // What was found last may be a part only.
                let last = &mut self.nodes[node];
                last.doubt = Some(Doubt::Far);
                last.up.clear();
                last.gates.clear();
            }
            self.end(node);
        }
    }

    /// What follows goes by the nodes alone.
    pub fn end_all(&mut self) {
        self.by_hash = NumberMap::default();
        for node in &mut self.nodes {
            node.standing.end();
        }
    }

    pub(super) fn add_gate(&mut self, node: usize, gate: Found) {
        keep(&mut self.nodes[node].gates, gate);
    }
}
