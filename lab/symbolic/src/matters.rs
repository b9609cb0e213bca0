//! Which routines may come to the code that is asked about, by calls, by addresses in code, and
//! by pointers in data: backwards from it.

use crate::panics::is_source;
use iced_x86::{Decoder, DecoderOptions, Mnemonic, OpKind, Register};
use karat_flow::program::Program;
use karat_flow::sweep::{Sweep, to};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Bytes from the beginning of one variable to the next, where both may be one: a table's
/// elements are named one by one, too.
const ELEMENT: u64 = 32;

/// Routines first, then data between two addresses that something names.
type Node = u32;

/// What is asked about, and which routines may come to that, once it is needed.
pub(crate) struct Asked {
    goals: Vec<u32>,
    known: OnceCell<Rc<Matters>>,
}

impl Asked {
    /// `asked` are the routines that are asked about; those that ask the CPU are too.
    pub fn new(sweep: &Sweep, asked: &[u32]) -> Self {
        let asking = (0..).zip(&sweep.facts).filter(|(_, facts)| facts.asks);
        let asking = asking.map(|(number, _)| number);
        Self {
            goals: asking.chain(asked.iter().copied()).collect(),
            known: OnceCell::new(),
        }
    }

    /// Whether it is asked about, or asks the CPU.
    pub fn has(&self, routine: u32) -> bool {
        self.goals.contains(&routine)
    }

    pub fn matters(&self, program: &Program<'_>, sweep: &Sweep) -> Rc<Matters> {
        let of = || Rc::new(Matters::of(program, sweep, &self.goals));
        self.known.get_or_init(of).clone()
    }
}

/// Whether the data at the first of two addresses ends before the second: its symbol says so, or
/// it is a word that the linker made for one address, or a place of a source, or nobody takes its
/// address and all who read or write it do no more.
fn ends_before(program: &Program<'_>, sweep: &Sweep, pair: &[u64]) -> bool {
    let (start, next) = (pair[0], pair[1]);
    if program.is_got(start) || is_source(program, start) {
        return true;
    }
    let variables = &program.variables;
    let at = variables.partition_point(|(at, ..)| *at < start);
    let mut named = variables[at..].iter().take_while(|(at, ..)| *at == start);
    if named.any(|(_, size, _)| *size > 0 && start.saturating_add(*size) <= next) {
        return true;
    }
    let is_plain = |from: &u64| {
        if program.is_arm {
            return false;
        }
        let most = (1..=15).rev();
        let bytes = most
            .filter_map(|size| program.bytes(*from, from.checked_add(size)?))
            .next();
        let Some(bytes) = bytes else {
            return false;
        };
        let it = Decoder::with_ip(64, bytes, *from, DecoderOptions::NONE).decode();
        let is_named = it.is_ip_rel_memory_operand()
            || it.memory_base() == Register::None && it.memory_index() == Register::None;
        is_named
            && it.memory_displacement64() == start
            && it.mnemonic() != Mnemonic::Lea
            && !(0..it.op_count()).any(|at| it.op_kind(at) == OpKind::Immediate64)
            && start.saturating_add(it.memory_size().size() as u64) <= next
    };
    to(&program.pointers, start).is_empty()
        && to(&sweep.taken, start).is_empty()
        && to(&sweep.data, start)
            .iter()
            .all(|(_, from)| is_plain(&from))
}

/// See the module.
pub(crate) struct Matters {
    /// Where data begins that something names; sorted.
    objects: Vec<u64>,
    /// By node: those that it names or calls.
    next: Vec<Vec<Node>>,
    does: Vec<bool>,
    routines: usize,
    /// Data that routines name that may come to it; sorted.
    shared: Vec<u64>,
}

impl Matters {
    /// `asked` are the routines that are asked about.
    pub fn of(program: &Program<'_>, sweep: &Sweep, asked: &[u32]) -> Self {
        let code = |at: &u64| program.is_code(*at);
        let named = sweep.data.iter().map(|(to, _)| to);
        let pointed = program.pointers.iter().map(|(to, _)| to);
        let mut objects: Vec<u64> = named.chain(pointed).filter(|at| !code(at)).collect();
        objects.sort_unstable();
        objects.dedup();
        let routines = program.routines.len();
        let mut all = Self {
            next: vec![Vec::new(); routines + objects.len()],
            does: vec![false; routines + objects.len()],
            objects,
            routines,
            shared: Vec::new(),
        };
        let references = sweep.edges.iter().chain(&sweep.taken).chain(&sweep.data);
        for (to, from) in references {
            if let (Some(from), Some(to)) = (program.routine_at(from), all.node(program, to)) {
                all.next[from as usize].push(to);
            }
        }
        for (to, place) in &program.pointers {
            if let (Some(from), Some(to)) = (all.node(program, place), all.node(program, to)) {
                all.next[from as usize].push(to);
            }
        }
        for (number, pair) in all.objects.windows(2).enumerate() {
            if pair[1] - pair[0] <= ELEMENT && !ends_before(program, sweep, pair) {
                let from = routines + number;
                all.next[from].push((from + 1) as Node);
            }
        }
        all.find(asked);
        all
    }

    /// Finds what may come to these nodes, and data that routines share with those that may.
    fn find(&mut self, asked: &[Node]) {
        let mut before = vec![Vec::new(); self.next.len()];
        for (from, to) in self.next.iter().enumerate() {
            to.iter()
                .for_each(|to| before[*to as usize].push(from as Node));
        }
        let mut waiting = asked.to_vec();
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut self.does[node as usize], true) {
                waiting.extend(&before[node as usize]);
            }
        }
        let own = self.next[..self.routines].iter().zip(&self.does);
        let named = own.filter(|(_, does)| **does).flat_map(|(next, _)| next);
        let data = named.filter_map(|node| (*node as usize).checked_sub(self.routines));
        self.shared = data.map(|number| self.objects[number]).collect();
        self.shared.sort_unstable();
        self.shared.dedup();
    }

    fn node(&self, program: &Program<'_>, at: u64) -> Option<Node> {
        if program.is_code(at) {
            return program.routine_at(at);
        }
        let number = self.objects.partition_point(|start| *start <= at);
        Some((self.routines + number.checked_sub(1)?) as Node)
    }

    /// Whether what is at an address, code or data, may come to it.
    pub fn does(&self, program: &Program<'_>, at: u64) -> bool {
        let is_mapped = program.is_code(at) || program.is_data(at);
        let node = is_mapped.then(|| self.node(program, at)).flatten();
        node.is_some_and(|node| self.does[node as usize])
    }

    /// A routine and all that it calls, and data that they name: starts and ends.
    pub fn reach(&self, routine: u32) -> (Vec<u32>, Vec<(u64, u64)>) {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![routine];
        while let Some(node) = waiting.pop() {
            if seen.insert(node) {
                waiting.extend(&self.next[node as usize]);
            }
        }
        let number = |node: &Node| (*node as usize).checked_sub(self.routines);
        let data = seen.iter().filter_map(number);
        let data = data.map(|number| (self.objects[number], self.end(number)));
        let routines = seen.iter().filter(|node| number(node).is_none());
        (routines.copied().collect(), data.collect())
    }

    /// Where data begins that a routine names itself.
    pub fn named(&self, routine: u32) -> impl Iterator<Item = u64> + '_ {
        let nodes = self.next[routine as usize].iter();
        let numbers = nodes.filter_map(|node| (*node as usize).checked_sub(self.routines));
        numbers.map(|number| self.objects[number])
    }

    /// A routine and those that it calls or names, so many calls deep.
    pub fn near(&self, routine: u32, depth: u32) -> BTreeSet<u32> {
        let mut all = BTreeSet::from([routine]);
        for _ in 0..depth {
            let next = all.iter().flat_map(|node| &self.next[*node as usize]);
            let next: Vec<u32> = next.copied().collect();
            all.extend(next.iter().filter(|node| (**node as usize) < self.routines));
        }
        all
    }

    fn end(&self, number: usize) -> u64 {
        self.objects.get(number + 1).copied().unwrap_or(u64::MAX)
    }

    /// Where the data ends that an address is in.
    pub fn end_of(&self, at: u64) -> u64 {
        match self.objects.partition_point(|start| *start <= at) {
            0 => u64::MAX,
            number => self.end(number - 1),
        }
    }

    /// Whether a routine that may come to it names the data that begins there.
    pub fn is_shared(&self, start: u64) -> bool {
        self.shared.binary_search(&start).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data lies at these addresses.
    const OBJECTS: [u64; 3] = [0x100, 0x140, 0x200];

    /// Six routines, of which the last is asked about: `main` calls 1 and 2; 1 names a table that
    /// points to the kernel, and calls 3; 2 and 3 name a variable that leads nowhere, and 3 one of
    /// its own; 4 calls itself.
    fn matters() -> Matters {
        let (main, table, variable, other, kernel) = (0, 6, 7, 8, 5);
        let mut all = Matters {
            objects: OBJECTS.to_vec(),
            next: vec![
                vec![1, 2],
                vec![table, 3],
                vec![variable],
                vec![variable, other],
                vec![4],
                vec![main],
                vec![kernel],
                vec![],
                vec![],
            ],
            does: vec![false; 9],
            routines: 6,
            shared: Vec::new(),
        };
        all.find(&[kernel]);
        all
    }

    #[test]
    fn what_may_come_there_is_found_backwards() {
        // Through the table, though nothing calls the kernel.
        let does = [true, true, false, false, false, true, true, false, false];
        assert_eq!(matters().does, does);
    }

    #[test]
    fn data_is_shared_that_those_name_who_come_there() {
        let all = matters();
        let shared = OBJECTS.map(|at| all.is_shared(at));
        assert_eq!(shared, [true, false, false]);
        assert!(!all.is_shared(OBJECTS[0] + 8));
        assert!(all.named(3).eq([OBJECTS[1], OBJECTS[2]]));
        assert_eq!(all.named(0).count(), 0);
    }

    #[test]
    fn a_routine_reaches_what_it_calls_and_the_data_of_all() {
        let all = matters();
        let data = [(OBJECTS[1], OBJECTS[2]), (OBJECTS[2], u64::MAX)];
        assert_eq!(all.reach(3), (vec![3], data.to_vec()));
        assert_eq!(all.reach(4), (vec![4], vec![]));
        // By the table too.
        let (routines, data) = all.reach(1);
        assert_eq!(routines, [0, 1, 2, 3, 5]);
        assert_eq!(data.len(), 3);
    }

    #[test]
    fn what_is_near_is_so_many_calls_deep() {
        let all = matters();
        let near = |depth| all.near(0, depth).into_iter().collect::<Vec<_>>();
        assert_eq!(near(0), [0]);
        assert_eq!(near(1), [0, 1, 2]);
        // What only a table points to is not called.
        assert_eq!(near(5), [0, 1, 2, 3]);
    }

    #[test]
    fn data_ends_where_the_next_begins() {
        let all = matters();
        assert_eq!(all.end_of(OBJECTS[0]), OBJECTS[1]);
        assert_eq!(all.end_of(OBJECTS[1] + 8), OBJECTS[2]);
        assert_eq!(all.end_of(OBJECTS[2] + 8), u64::MAX);
        assert_eq!(all.end_of(OBJECTS[0] - 1), u64::MAX);
    }
}
