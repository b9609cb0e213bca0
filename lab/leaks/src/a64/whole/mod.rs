//! All routines of a file, each entered with what all its callers know.

mod imports;
mod memory;

use super::features::{Set, Told};
use super::given::Given;
use super::program::{Code, Entry, IFUNC_ARGUMENT, Program};
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
        let mut whole = Self {
            program,
            known,
            is_in,
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
            let variables: Vec<u64> = program.variables.keys().copied().collect();
            for address in variables {
                whole.share(address);
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

    /// Functions that are called by others than those that are gone through.
    fn enter_from_others(&mut self) {
        let sweep = self.known.sweep;
        let mut functions: Vec<u32> = self.known.concerned.iter().copied().collect();
        // What is found hangs on the order a little.
        functions.sort_unstable();
        for function in functions {
            let address = self.program.symbols.functions[function as usize].address;
            let by = sweep.by.get(&function).into_iter().flatten();
            let mut others = by.filter(|caller| !self.known.concerned.contains(caller));
            if let Some(other) = others.next() {
                let name = self.program.symbols.readable_name(*other);
                self.enter_softly(address, 0, || format!("{name} leads there"));
            }
        }
        // Tables that they name.
        let mut seen = HashSet::new();
        for &(function, table) in &sweep.tables {
            if !self.known.concerned.contains(&function) {
                self.enter_table(table, &mut seen);
            }
        }
    }

    /// What a table of pointers leads to, and those that it names.
    fn enter_table(&mut self, table: u64, seen: &mut HashSet<u64>) {
        let mut list = vec![table];
        while let Some(table) = list.pop() {
            let end = self
                .program
                .variable(table)
                .map(|(start, size, _)| start + size);
            let mut last = table;
            for (&at, &to) in self.program.words.range(table..) {
                let is_out = match end {
                    Some(end) => at >= end,
                    None => at > last + 24,
                };
                if is_out || !seen.insert(at) {
                    break;
                }
                last = at;
                match self.program.code(to) {
                    Some(Code::Own(to)) => {
                        self.enter_softly(to, 0, || "a table of pointers".into());
                    }
                    Some(_) => {}
                    None => list.push(to),
                }
            }
        }
    }

    /// Whether a routine is the program's `main`.
    pub fn is_main(&self, node: u64) -> bool {
        self.main == Some(node)
    }

    /// A function that a program's `main` hands on is called: Rust's own `main` is.
    pub fn handed(&mut self, node: u64, value: &Val) {
        if !self.is_main(node) {
            return;
        }
        for alt in value.as_alts().unwrap_or(&[]) {
            if let Some(Code::Own(to)) = self.program.code(alt.value)
                && let Some(to) = self.nodes.get_mut(&to)
                && alt.has == 0
                && to.entry.is_none()
            {
                to.entry = Some(Entry::Handed);
            }
        }
    }

    /// Functions that are not reached, but that something refers to, as if a pointer led there.
    pub fn reach(&mut self, functions: &[u64]) {
        for &function in functions {
            let why = || "what leads there was not reached".into();
            self.enter_softly(function, 0, why);
        }
        self.run();
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

    /// What a resolver returns is what is called.
    fn resolved(&mut self, result: &Result) {
        let value = result.values[0].clone();
        for alt in value.as_alts().unwrap_or(&[]) {
            self.enter(alt.value, &[OPAQUE; 8], result.has | alt.has);
            if let Some(node) = self.nodes.get_mut(&alt.value)
                && !alt.opaque
                && node.entry.is_none()
            {
                node.entry = Some(Entry::Resolver);
            } else if alt.opaque {
                self.lose(&value, result.has);
            }
        }
    }

    fn enter(&mut self, address: u64, arguments: &[Val], has: Set) {
        self.enter_with(address, State::entry(arguments, has));
    }

    fn enter_with(&mut self, address: u64, state: State) {
        if !self.program.is_code(address) || !self.is_concerned(address) {
            return;
        }
        let (mut lost, mut again) = (Vec::new(), Vec::new());
        let is_new = match self.nodes.get_mut(&address) {
            Some(node) => {
                let frames = node.input.frames();
                node.changes += 1;
                let is_new = node.input.join(&state, node.changes > STEADY, &mut lost);
                node.changes -= u32::from(!is_new);
                // What callers know of their frames goes by what is followed here.
                if is_new && node.input.frames() != frames {
                    again.extend(&node.callers);
                }
                is_new
            }
            None => {
                let node = Node {
                    input: state,
                    walked: Walked::default(),
                    callers: BTreeSet::new(),
                    is_walked: false,
                    changes: 0,
                    order: u32::MAX,
                    soft: None,
                    entry: None,
                };
                self.nodes.insert(address, node);
                true
            }
        };
        if is_new {
            again.push(address);
        }
        self.enqueue(again);
        for (value, has) in lost {
            self.lose(&value, has);
        }
    }

    /// A routine is gone through anew, in other blocks.
    pub fn again(&mut self, node: u64) {
        self.layouts.remove(&node);
        self.enqueue([node]);
    }

    /// A routine that may be entered by a way that is not seen.
    pub fn enter_softly(&mut self, address: u64, has: Set, why: impl FnOnce() -> String) {
        if let Some(node) = self.nodes.get(&address)
            && (node.soft.as_ref()).is_some_and(|(known, _)| known & !has == 0)
        {
            return;
        }
        self.enter(address, &[OPAQUE; 8], has);
        if let Some(node) = self.nodes.get_mut(&address) {
            match &mut node.soft {
                Some((known, _)) => *known &= has,
                slot => *slot = Some((has, why())),
            }
        }
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
        if known.iter().any(|name| is_auxval(name)) {
            return Some(Result::of([auxval(&arguments[0]), PLAIN], has));
        }
        if !self.is_concerned(to) {
            // No answer comes to it, and none from it.
            for value in arguments {
                self.lose_code(value, has);
            }
            let range = self.program.range(to)?;
            let returns = self.known.sweep.returns.contains(&range.value);
            return returns.then(|| Result::of([VAGUE, VAGUE], has));
        }
        let mut state = State::entry(arguments, has);
        state.receive(given);
        self.enter_with(to, state);
        let callee = self.nodes.get_mut(&to)?;
        callee.callers.insert(node);
        // What is called comes first: else each of its callers is gone through twice.
        if !callee.is_walked && self.depth < DEPTH && !self.is_spent() {
            self.depth += 1;
            self.queue.remove(&(u32::MAX, to));
            self.one(to);
            self.depth -= 1;
        }
        let mut result = self.nodes.get(&to)?.walked.result.clone()?;
        if let Some(word) = self.program.said_of(to) {
            result.values[0] = said::value(self.program, &result.values[0], word, 8);
        }
        Some(result)
    }

    /// Whether a routine follows what is behind the address in a register.
    pub fn follows(&self, to: u64, register: u8) -> bool {
        self.nodes
            .get(&to)
            .is_some_and(|node| node.input.frames() >> register & 1 == 1)
    }

    /// A resolver is run by the loader.
    pub fn resolve(&mut self, resolver: u64) {
        let arguments = [
            Val::told(Told::Hwcap),
            Val::constant(IFUNC_ARGUMENT),
            PLAIN,
            PLAIN,
        ];
        self.enter(resolver, &arguments, 0);
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
