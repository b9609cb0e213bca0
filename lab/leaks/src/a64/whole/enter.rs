//! Who enters routines: those that are gone through, others, tables, and the loader.

use super::{Node, Result, STEADY, Whole};
use crate::a64::features::{Set, Told};
use crate::a64::program::{Code, Entry, IFUNC_ARGUMENT};
use crate::a64::state::State;
use crate::a64::step::Memory;
use crate::a64::value::{OPAQUE, PLAIN, Val};
use crate::a64::walk::Walked;
use std::collections::{BTreeSet, HashSet};

impl Whole<'_> {
    /// Functions that are called by others than those that are gone through.
    pub(super) fn enter_from_others(&mut self) {
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

    /// A function that a program's `main` hands on is called: Rust's own `main` is. Not one that
    /// something chose which is not understood.
    pub fn handed(&mut self, node: u64, value: &Val) {
        if !self.is_main(node) {
            return;
        }
        for alt in value.as_alts().unwrap_or(&[]) {
            if let Some(Code::Own(to)) = self.program.code(alt.value)
                && let Some(to) = self.nodes.get_mut(&to)
                && alt.has == 0
                && !alt.opaque
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

    /// What a resolver returns is what is called.
    pub(super) fn resolved(&mut self, result: &Result) {
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

    pub(super) fn enter(&mut self, address: u64, arguments: &[Val], has: Set) {
        // Most that tables lead to is not gone through: no state is made for it.
        if self.is_concerned(address) {
            self.enter_with(address, State::entry(arguments, has));
        }
    }

    pub(super) fn enter_with(&mut self, address: u64, state: State) {
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
}
