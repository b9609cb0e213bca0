//! The two searches of a file: one that passes most routines, and one of what it leaves open.

use super::begins::begins;
use super::certain::Handlers;
use super::concerned::{Handed, concerned, holding};
use super::for_callers::{is_named, needs, origins};
use super::reach::{Node, Origin, Own, Search, Seen};
use super::verdicts::Verdicts;
use super::writer::Writer;
use karat_binary::numbers::NumberSet;
use karat_flow::cells::Detection;
use karat_flow::classes::Classes;
use karat_flow::facts::Facts;
use karat_flow::facts::oracle::Oracle;
use karat_flow::program::Program;
use karat_flow::sweep::{Facts as Swept, Sweep};
use karat_model::leaks::{AboveBaseline, Reach};
use std::cell::OnceCell;
use std::collections::HashMap;

/// What the search for leaks goes by.
#[derive(Clone, Copy)]
pub(super) struct File<'p> {
    pub program: &'p Program<'p>,
    pub sweep: &'p Sweep,
    pub classes: &'p Classes,
    pub detection: &'p Detection,
    pub oracle: &'p Oracle<'p>,
    pub asking: &'p NumberSet<u32>,
    /// See [`begins`], which is asked once for all searches.
    pub begins: &'p OnceCell<NumberSet<u32>>,
    pub let_go: &'p dyn Fn(),
}

impl<'p> File<'p> {
    /// The states of all functions above the baseline, or of all that execute `xgetbv`.
    pub fn states(self, origin: Origin) -> Vec<AboveBaseline> {
        let facts = (0u32..).zip(&self.sweep.facts);
        let is_one = |facts: &Swept| match origin {
            Origin::Kernels => facts.above() > 0,
            Origin::Asking => facts.xgetbv().is_some(),
        };
        let above = facts.filter(|(_, facts)| is_one(facts));
        let above: Vec<u32> = above.map(|(routine, _)| routine).collect();
        if above.is_empty() {
            return Vec::new();
        }
        let holding = holding(self.program, self.sweep, self.detection);
        let concerned = concerned(self.program, self.detection, self.asking, &holding);
        let (first, mut writer) = self.search(
            &above,
            origin,
            Some(&concerned),
            Seen::of(self.program),
            HashMap::new(),
        );
        (self.let_go)();
        let mut out = Vec::new();
        let mut open = Vec::new();
        let mut again = Vec::new();
        let mut nodes = Vec::new();
        for (routine, own) in &first {
            (self.let_go)();
            let state = writer.function(*routine, own);
            match state.reach {
                Reach::Guarded | Reach::Unreferenced => out.push(state),
                Reach::Leak | Reach::Insufficient => again.push(*routine),
                Reach::Exported | Reach::Unknown => {
                    nodes.extend(own.nodes());
                    open.push((*routine, own, state));
                }
            }
        }
        (self.let_go)();
        let handed = match open.is_empty() || self.oracle.is_spent() {
            true => Vec::new(),
            false => Handed::new(
                self.program,
                self.sweep,
                self.detection,
                self.oracle,
                &holding,
            )
            .nodes(&writer.search, nodes),
        };
        let is_spent = self.oracle.is_spent();
        for (routine, own, state) in open {
            match !is_spent && own.nodes().any(|node| handed[node]) {
                true => again.push(routine),
                false => out.push(state),
            }
        }
        // In the order of the first search.
        again.sort_unstable();
        let seen = std::mem::take(&mut writer.search.seen);
        // Those that are not searched again are above the baseline all the same.
        let rest = first
            .iter()
            .filter(|(routine, _)| again.binary_search(routine).is_err());
        let needs = needs(&writer.search.nodes, rest);
        drop(writer);
        (self.let_go)();
        if !again.is_empty() {
            let (second, mut writer) = self.search(&again, origin, None, seen, needs);
            for (routine, own) in &second {
                (self.let_go)();
                out.push(writer.function(*routine, own));
            }
        }
        out
    }

    /// Searches from functions above the baseline to where they are entered. What is not
    /// `concerned` is passed; without that nothing is. `needs` is what others need where they are entered.
    fn search(
        self,
        above: &[u32],
        origin: Origin,
        concerned: Option<&'p NumberSet<u32>>,
        seen: Seen,
        mut needs: HashMap<u64, Facts>,
    ) -> (Vec<(u32, Own)>, Writer<'p>) {
        let File {
            program,
            sweep,
            classes,
            ..
        } = self;
        let mut search = Search::new(
            program,
            sweep,
            classes,
            self.detection,
            self.oracle,
            self.asking,
            concerned,
        );
        (search.origin, search.seen) = (origin, seen);
        let mut found: Vec<(u32, Own)> = Vec::new();
        // What runs by itself comes first: where the search comes to its limit, that is known.
        let begins = self.begins.get_or_init(|| begins(program));
        let (first, rest): (Vec<u32>, Vec<u32>) =
            above.iter().partition(|one| begins.contains(one));
        let mut start = |search: &mut Search<'p>, routines: Vec<u32>| {
            self.oracle.starting(|| {
                for routine in routines {
                    if search.is_code(routine) {
                        let own = search.start(routine);
                        search.originate(&own);
                        found.push((routine, own));
                    }
                }
            });
        };
        start(&mut search, first);
        self.oracle.beginning(|| search.run(self.let_go));
        start(&mut search, rest);
        search.run(self.let_go);
        search.end_all();
        found.sort_unstable_by_key(|(routine, _)| *routine);
        needs.extend(self::needs(&search.nodes, found.iter()));
        let origins = origins(&search.nodes, &found);
        let verdicts = Verdicts::of(&search.nodes, &needs, &|node| is_named(program, node));
        let mut writer = Writer {
            program,
            classes,
            sweep,
            search,
            verdicts,
            needs,
            origins,
            for_callers: OnceCell::new(),
            asks: sweep.facts.iter().any(|facts| facts.asks) || !self.detection.asking.is_empty(),
            handlers: Handlers::default(),
            exports_above: OnceCell::new(),
            distances: OnceCell::new(),
        };
        let left = writer.left_to_callers(&found);
        if !left.is_empty() {
            let is_left = |node: &Node| {
                let lacks = left.get(&node.address);
                lacks.is_some_and(|lacks| node.need.without(*lacks).is_none())
            };
            let nodes = &writer.search.nodes;
            writer.verdicts = Verdicts::of(nodes, &writer.needs, &|node| {
                is_named(program, node) || is_left(node)
            });
        }
        (found, writer)
    }
}
