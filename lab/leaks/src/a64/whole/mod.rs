//! All routines of a file, each entered with what all its callers know.

mod enter;
mod imports;
mod memory;

use super::decode::{Control, control};
use super::features::{Set, TRIED};
use super::given::Given;
use super::program::{Code, Entry, Program};
use super::said;
use super::state::State;
use super::step::{Memory, lose_frame};
use super::sweep::Sweep;
use super::tellers::is_auxval;
use super::value::{Alt, OPAQUE, PLAIN, VAGUE, Val};
use super::walk::{Layout, Walked, walk};
use imports::auxval;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

pub(super) use imports::{OBJECT, import};

/// Changes of what a routine is entered with, before numbers that go on changing are not
/// followed any more.
const STEADY: u32 = 2;
/// Calls that are gone through one in the other, at most.
const DEPTH: u32 = 100;

/// What a routine comes back with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Result {
    pub values: [Val; 2],
    pub has: Set,
    /// What lies behind the arguments then.
    pub given: Given,
}

impl Result {
    pub fn of(values: [Val; 2], has: Set) -> Self {
        Self {
            values,
            has,
            given: Given::default(),
        }
    }

    /// Whether it tells something of the CPU.
    fn says(&self) -> bool {
        let mut slots = self.given.slots.iter().map(|(_, (_, value))| value);
        self.has != 0 || self.values.iter().any(Val::says) || slots.any(Val::says)
    }

    pub fn join(&mut self, other: &Self, lost: &mut Vec<(Val, Set)>) {
        let has = self.has & other.has;
        let (mine, theirs) = (self.has & !has, other.has & !has);
        self.given.join(&other.given, mine, theirs);
        for (a, b) in self.values.iter_mut().zip(&other.values) {
            let (x, y) = (
                a.under(self.has & !has, false),
                b.under(other.has & !has, false),
            );
            *a = x.join(&y);
            if a.as_alts().is_none() {
                lost.push((x, has));
                lost.push((y, has));
            }
        }
        self.has = has;
    }
}

/// One routine.
pub(super) struct Node {
    input: State,
    pub walked: Walked,
    callers: BTreeSet<u64>,
    /// It was gone through.
    is_walked: bool,
    /// Times that what it is entered with changed.
    changes: u32,
    /// Its place among all: what is called comes before who calls it.
    order: u32,
    /// Why it may be entered by a way that is not seen, and what is known on all such ways.
    pub soft: Option<(Set, String)>,
    /// It is entered from outside.
    pub entry: Option<Entry>,
}

impl Node {
    /// Whether a value is what the routine was given as its second argument, a pointer.
    pub fn left(&self, value: &Val) -> bool {
        let is_pointer = |alt: &Alt| alt.value > 0xffff;
        value
            .as_alts()
            .is_some_and(|list| list.iter().all(is_pointer))
            && self.input.get(1) == *value
    }
}

/// What is known before code is gone through.
pub(super) struct Known<'s> {
    /// Extensions that the baseline has, by their names.
    pub extensions: Vec<String>,
    /// The same as features.
    pub baseline: Set,
    pub sweep: &'s Sweep,
    /// Functions from which a way leads to what is above the baseline.
    pub leads: &'s HashSet<u32>,
    /// Functions that are gone through.
    pub concerned: HashSet<u32>,
    /// Instructions that are gone through, at most.
    pub steps: u64,
}

pub(super) struct Whole<'p> {
    pub program: &'p Program<'p>,
    pub known: Known<'p>,
    /// By function: whether it is gone through.
    is_in: Vec<bool>,
    /// Functions that are told something, and are not gone through.
    left_out: HashSet<u32>,
    /// Bytes of data in which a function stores that is not gone through.
    foreign: HashSet<u64>,
    pub nodes: BTreeMap<u64, Node>,
    /// By their [order](Node::order).
    queue: BTreeSet<(u32, u64)>,
    /// Routines that were gone through.
    finished: u32,
    /// By address and bytes: what is stored there.
    cells: BTreeMap<(u64, u32), Val>,
    readers: HashMap<u64, BTreeSet<u64>>,
    /// The blocks of routines that were gone through.
    pub layouts: HashMap<u64, Rc<Layout>>,
    /// By routine: places that jumps by tables lead to.
    pub targets: HashMap<u64, BTreeSet<u64>>,
    /// What `__libc_start_main` calls.
    main: Option<u64>,
    /// Calls that are being gone through, one in the other.
    depth: u32,
    /// An answer went to memory that is not followed.
    has_escaped: bool,
    /// Data whose address is not followed everywhere: what is in it is not known.
    shared: BTreeMap<u64, u64>,
    /// Pointers in tables of which all was entered that they lead to: runs of
    /// [`Program::table`], by where they begin.
    looked_at: BTreeMap<usize, usize>,
    /// The routine that is gone through.
    current: u64,
    /// Instructions gone through.
    pub steps: u64,
    /// Calls to other libraries of which it is not known what they do.
    pub doubts: HashSet<u64>,
    /// Calls and jumps by something that is not understood.
    pub blind: HashSet<u64>,
    /// SIGILL is handled, so that dying of it is no proof.
    pub catches: bool,
}

impl<'p> Whole<'p> {
    pub fn of(program: &'p Program<'p>, known: Known<'p>) -> Self {
        let mut is_in = vec![false; program.symbols.functions.len()];
        for function in &known.concerned {
            is_in[*function as usize] = true;
        }
        let foreign = known.sweep.stored_without(&known.concerned);
        let mut whole = Self {
            program,
            known,
            is_in,
            left_out: HashSet::new(),
            foreign,
            nodes: BTreeMap::new(),
            queue: BTreeSet::new(),
            finished: 0,
            cells: BTreeMap::new(),
            readers: HashMap::new(),
            layouts: HashMap::new(),
            targets: HashMap::new(),
            depth: 0,
            main: None,
            has_escaped: false,
            shared: BTreeMap::new(),
            looked_at: BTreeMap::new(),
            current: 0,
            steps: 0,
            doubts: HashSet::new(),
            blind: HashSet::new(),
            catches: false,
        };
        let entries: Vec<(u64, Entry)> = program.entries.iter().map(|(a, e)| (*a, *e)).collect();
        let has_exports = entries.iter().any(|(_, entry)| *entry == Entry::Exported);
        // What begins by itself comes first: it asks, mostly, and what it is told then is known
        // where others are gone through.
        let (others, first): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|(_, entry)| *entry == Entry::Exported);
        for entries in [first, others] {
            for (address, entry) in entries {
                if !whole.is_concerned(address) {
                    continue;
                }
                match entry {
                    Entry::Start | Entry::Handed => whole.enter(address, &[PLAIN; 8], 0),
                    Entry::Exported => whole.enter(address, &[OPAQUE; 8], 0),
                    Entry::Resolver => whole.resolve(address),
                }
                if let Some(node) = whole.nodes.get_mut(&address) {
                    node.entry = Some(entry);
                }
            }
            whole.run();
        }
        if has_exports {
            // Others may have the addresses of what is exported.
            for address in &program.exported {
                if program.variables.contains_key(address) {
                    whole.share(*address);
                }
            }
        }
        whole.enter_from_others();
        whole.run();
        whole
    }

    /// Whether what lies at an address is gone through.
    pub fn is_concerned(&self, address: u64) -> bool {
        let range = self.program.range(address);
        range.is_none_or(|range| self.is_in[range.value as usize])
    }

    pub fn is_spent(&self) -> bool {
        self.steps > self.known.steps
    }

    pub fn is_above(&self, extension: &str) -> bool {
        !self.known.extensions.iter().any(|name| name == extension)
    }

    /// Routines that are to be gone through, once more perhaps.
    pub(super) fn enqueue(&mut self, routines: impl IntoIterator<Item = u64>) {
        for address in routines {
            let order = self.nodes.get(&address).map_or(u32::MAX, |node| node.order);
            self.queue.insert((order, address));
        }
    }

    fn run(&mut self) {
        while let Some((_, address)) = self.queue.pop_first() {
            if self.is_spent() {
                return;
            }
            self.one(address);
        }
    }

    /// Goes through one routine.
    fn one(&mut self, address: u64) {
        let Some(node) = self.nodes.get_mut(&address) else {
            return;
        };
        node.is_walked = true;
        let input = node.input.clone();
        let before = node.walked.result.clone();
        let caller = std::mem::replace(&mut self.current, address);
        let walked = walk(self, address, &input);
        let after = walked.result.clone();
        let is_resolver = self.program.entries.get(&address) == Some(&Entry::Resolver);
        if is_resolver && let Some(result) = &after {
            self.resolved(result);
        }
        self.current = caller;
        let Some(node) = self.nodes.get_mut(&address) else {
            return;
        };
        node.walked = walked;
        if node.order == u32::MAX {
            self.finished += 1;
            node.order = self.finished;
            if self.queue.remove(&(u32::MAX, address)) {
                self.queue.insert((node.order, address));
            }
        }
        if before != after {
            let callers: Vec<u64> = node.callers.iter().copied().collect();
            self.enqueue(callers);
        }
    }

    /// The registers that a routine may change that calls nobody, as bits.
    pub fn changes(&self, to: u64) -> Option<u32> {
        let range = self.program.range(to).filter(|range| range.start == to)?;
        let is_inside = |to: u64| (range.start..range.end).contains(&to);
        let mut changed = 0;
        let fours = self.program.bytes(to, range.end).chunks_exact(4);
        for (at, four) in (to..).step_by(4).zip(fours) {
            let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            match control(word, at) {
                Control::Call(_) | Control::CallRegister(_) | Control::JumpRegister(_) => {
                    return None;
                }
                // On to another routine.
                Control::Jump(to) | Control::Branch(to, _) if !is_inside(to) => return None,
                Control::Next => {
                    changed |= 1 << (word & 31);
                    // Of loads of pairs the second one, what an address is moved in, and what
                    // atomic instructions swap or say, with its second half.
                    if word >> 25 & 5 == 4 {
                        let swapped = word >> 16 & 31;
                        changed |= 1 << (word >> 5 & 31) | 1 << (word >> 10 & 31);
                        changed |= 1 << swapped | 1 << (swapped | 1);
                    }
                }
                _ => {}
            }
        }
        Some(changed)
    }

    /// A routine is gone through anew, in other blocks.
    pub fn again(&mut self, node: u64) {
        self.layouts.remove(&node);
        self.enqueue([node]);
    }

    /// A call from `node`; what comes back, if it does.
    pub fn call(
        &mut self,
        node: u64,
        to: u64,
        arguments: &[Val],
        given: Given,
        has: Set,
    ) -> Option<Result> {
        let known = self.program.names(to);
        if known.iter().any(|name| is_auxval(name)) || self.program.auxval.contains(&to) {
            return Some(Result::of([auxval(&arguments[0]), PLAIN], has));
        }
        if !self.is_concerned(to) {
            // No answer comes from it, as far as was seen.
            for value in arguments {
                self.lose_code(value, has);
            }
            let mut slots = given.slots.iter().map(|(_, (_, value))| value);
            let is_told = arguments.iter().any(Val::says) || slots.any(Val::says);
            self.leave_out(to, has, is_told);
            let range = self.program.range(to)?;
            let returns = self.known.sweep.returns.contains(&range.value);
            return returns.then(|| Result::of([VAGUE, VAGUE], has));
        }
        let mut state = State::entry(arguments, has);
        state.receive(given);
        self.enter_with(to, state);
        let callee = self.nodes.get(&to)?;
        // What is called comes first: else each of its callers is gone through twice.
        if !callee.is_walked && self.depth < DEPTH && !self.is_spent() {
            self.depth += 1;
            self.queue.remove(&(u32::MAX, to));
            self.one(to);
            self.depth -= 1;
        }
        let callee = self.nodes.get_mut(&to)?;
        // Only now: what it comes back with here is known to this caller.
        callee.callers.insert(node);
        let mut result = callee.walked.result.clone()?;
        if let Some(word) = self.program.said_of(to) {
            result.values[0] = said::value(self.program, &result.values[0], word, 8);
        }
        Some(result)
    }

    /// Notes a function that is not gone through where it is told something, or where it is
    /// behind a gate and leads to what is above the baseline.
    fn leave_out(&mut self, to: u64, has: Set, is_told: bool) {
        if let Some(range) = self.program.range(to)
            && (is_told || has & !TRIED != 0 && self.known.leads.contains(&range.value))
        {
            self.left_out.insert(range.value);
        }
    }

    /// Whether a value may be a function from which a way leads to what is above the baseline.
    fn leads_on(&self, value: &Val) -> bool {
        let mut alts = value.as_alts().unwrap_or(&[]).iter();
        alts.any(|alt| match self.program.code(alt.value) {
            Some(Code::Own(to)) => {
                let range = self.program.range(to);
                range.is_some_and(|range| self.known.leads.contains(&range.value))
            }
            _ => false,
        })
    }

    /// Functions that an answer was seen to come to: what is handed one, who calls what comes
    /// back with one, and who reads where one, or a pointer that it may have chosen, was stored.
    pub fn informed(&self) -> HashSet<u32> {
        let sweep = self.known.sweep;
        let mut out = self.left_out.clone();
        for (address, node) in &self.nodes {
            if let Some(range) = self.program.range(*address)
                && node.walked.result.as_ref().is_some_and(Result::says)
            {
                out.extend(sweep.callers(range.value));
            }
        }
        for ((at, bytes), value) in &self.cells {
            if value.says() || self.leads_on(value) {
                let last = at + u64::from((*bytes).max(1)) - 1;
                let readers = (at >> 3..=last >> 3).filter_map(|part| sweep.readers.get(&part));
                out.extend(readers.flatten());
            }
        }
        out
    }

    /// Whether a routine follows what is behind the address in a register.
    pub fn follows(&self, to: u64, register: u8) -> bool {
        self.nodes
            .get(&to)
            .is_some_and(|node| node.input.frames() >> register & 1 == 1)
    }

    /// A call of what is not known.
    pub fn lose_arguments(&mut self, state: &mut State) {
        for register in 0..9 {
            let value = state.get(register);
            self.lose(&value, state.has);
            lose_frame(state, self, &value);
        }
    }
}
