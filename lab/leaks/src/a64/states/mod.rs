//! The states of the functions of an AArch64 file that are above a baseline, in the types of
//! the model.

mod gates;
mod leak;
mod referred;
mod unwinder;
mod why;

use super::features::{Set, implied, named, names, sold};
use super::program::{Entry, Program};
use super::walk::Offence;
use super::whole::Whole;
use karat_binary::a64::{NAMES, classify, names as mnemonics};
use karat_model::leaks::{AboveBaseline, Certainty, Offence as First, Reach};
use referred::referred;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Instructions of a function that are looked at, at most.
const OFFENCES: usize = 40;
/// Gates that are named.
const GATES: usize = 4;

/// What is above the baseline in one function, whether it is reached or not.
#[derive(Default)]
pub(super) struct Above {
    pub instructions: u64,
    pub first: u64,
    pub extensions: BTreeSet<&'static str>,
}

/// All functions above the baseline, and how many functions there are.
pub(super) fn above(
    program: &Program<'_>,
    is_above: impl Fn(&str) -> bool,
) -> (BTreeMap<u32, Above>, u64) {
    let mut out: BTreeMap<u32, Above> = BTreeMap::new();
    let mut functions = BTreeSet::new();
    for range in &program.symbols.ranges {
        functions.insert(range.value);
        for at in (range.start.next_multiple_of(4)..range.end).step_by(4) {
            let Some((_, set)) = program.word(at).and_then(classify) else {
                continue;
            };
            let name = NAMES[usize::from(set)];
            if name.is_empty() || !is_above(name) {
                continue;
            }
            let known = out.entry(range.value).or_default();
            if known.instructions == 0 {
                known.first = at;
            }
            known.instructions += 1;
            known.extensions.insert(name);
        }
    }
    (out, functions.len() as u64)
}

pub(super) struct States<'w, 'p> {
    whole: &'w Whole<'p>,
    /// Routines that surely come back, once that is asked.
    back: OnceCell<HashSet<u64>>,
    /// By routine: who calls it, from which of its blocks.
    callers: BTreeMap<u64, Vec<(u64, usize, usize)>>,
    /// By function: where its instructions above the baseline are reached.
    reached: BTreeMap<u32, Vec<(u64, usize, Offence)>>,
    /// Functions that code or data refers to.
    referred: HashSet<u32>,
    /// What tables of pointers in data lead to.
    tabled: HashSet<u64>,
}

impl<'w, 'p> States<'w, 'p> {
    pub fn of(whole: &'w Whole<'p>) -> Self {
        let mut callers: BTreeMap<u64, Vec<(u64, usize, usize)>> = BTreeMap::new();
        let mut reached: BTreeMap<u32, Vec<(u64, usize, Offence)>> = BTreeMap::new();
        for (address, node) in &whole.nodes {
            for (number, block) in node.walked.blocks.iter().enumerate() {
                for (at, call) in block.calls.iter().enumerate() {
                    callers
                        .entry(call.to)
                        .or_default()
                        .push((*address, number, at));
                }
                for offence in &block.offences {
                    if let Some(range) = whole.program.range(offence.at) {
                        let list = reached.entry(range.value).or_default();
                        list.push((*address, number, offence.clone()));
                    }
                }
            }
        }
        Self {
            whole,
            back: OnceCell::new(),
            callers,
            reached,
            referred: referred(whole),
            tabled: whole.program.tabled(),
        }
    }

    /// Functions of which something above the baseline is open.
    pub fn open(&self, above: &BTreeMap<u32, Above>) -> HashSet<u32> {
        let is_guarded = |function: &&u32| {
            let mut reached = self.reached.get(function).into_iter().flatten().peekable();
            reached.peek().is_some()
                && reached.all(|(.., offence)| offence.need & !sold(offence.has) == 0)
        };
        let open = above.keys().filter(|function| !is_guarded(function));
        open.copied().collect()
    }

    /// By function: functions that were seen to call it, through pointers too.
    pub fn seen_callers(&self) -> HashMap<u32, Vec<u32>> {
        let function = |at: &u64| self.whole.program.range(*at).map(|range| range.value);
        let mut out: HashMap<u32, Vec<u32>> = HashMap::new();
        for (to, callers) in &self.callers {
            if let Some(to) = function(to) {
                let callers = callers.iter().filter_map(|(from, ..)| function(from));
                out.entry(to).or_default().extend(callers);
            }
        }
        out
    }

    /// Functions that are to be gone through and were not reached, but that something refers
    /// to: those that come first.
    pub fn unreached(&self, above: &BTreeMap<u32, Above>) -> Vec<u64> {
        let program = self.whole.program;
        let nodes = self.whole.nodes.keys().filter_map(|at| program.range(*at));
        let reached: HashSet<u32> = nodes.map(|range| range.value).collect();
        let concerned = self.whole.known.concerned.iter();
        let idle: HashSet<u32> = concerned
            .filter(|one| !reached.contains(one) && self.referred.contains(one))
            .copied()
            .collect();
        let sweep = self.whole.known.sweep;
        // Who leads to others comes first, and what is above the baseline last.
        let is_first = |one: &&u32| {
            let mut by = sweep.by.get(one).into_iter().flatten();
            !by.any(|caller| idle.contains(caller))
        };
        let is_above = |one: &&u32| above.contains_key(one);
        let mut list: Vec<u32> = idle.iter().filter(is_first).copied().collect();
        if list.iter().any(|one| !is_above(&one)) {
            list.retain(|one| !is_above(&one));
        }
        if list.is_empty() {
            list.extend(&idle);
        }
        let address = |one: &u32| program.symbols.functions[*one as usize].address;
        let mut out: Vec<u64> = list.iter().map(address).collect();
        out.sort_unstable();
        out
    }

    /// The state of one function.
    pub fn state(&self, function: u32, above: &Above) -> AboveBaseline {
        let program = self.whole.program;
        let address = program.symbols.functions[function as usize].address;
        let first = program.word(above.first).unwrap_or(0);
        let mut out = AboveBaseline {
            function: program.name(above.first),
            address,
            instructions: above.instructions,
            extensions: above
                .extensions
                .iter()
                .map(|name| (*name).to_string())
                .collect(),
            first: offence(first, above.first),
            reach: Reach::Unknown,
            lacks: Vec::new(),
            is_dispatcher: false,
            confidence: Certainty::Low,
            path: Vec::new(),
            gates: Vec::new(),
            reason: String::new(),
            obstacle: String::new(),
        };
        if let Some(gate) = self.is_unwinder(function, above) {
            (out.reach, out.confidence) = (Reach::Guarded, Certainty::Medium);
            out.gates = vec![gate];
            return out;
        }
        if self.whole.is_spent() {
            out.reason = "the file is too large to be followed".into();
            out.obstacle = "the size of the file".into();
            return out;
        }
        let Some(reached) = self.reached.get(&function) else {
            let is_referred = self.referred.contains(&function);
            match is_referred {
                true => {
                    out.reason = "what leads there was not reached".into();
                    out.obstacle = format!("the way to {}", out.function);
                }
                false => {
                    out.reach = Reach::Unreferenced;
                    out.confidence = Certainty::Medium;
                    out.reason = "nothing in the file refers to it".into();
                }
            }
            return out;
        };
        let open: Vec<&(u64, usize, Offence)> = (reached.iter())
            .filter(|(.., offence)| offence.need & !sold(offence.has) != 0)
            .collect();
        if open.is_empty() {
            self.guarded(&mut out, reached);
            return out;
        }
        let lacks = open
            .iter()
            .fold(0, |all, (.., o)| all | o.need & !sold(o.has));
        out.lacks = names(lacks);
        let is_own = |(node, ..): &&&(u64, usize, Offence)| {
            let entry = self.whole.nodes.get(node).and_then(|node| node.entry);
            entry == Some(Entry::Exported)
        };
        if open.iter().any(|one| is_own(&one)) {
            out.reach = Reach::Exported;
            out.confidence = Certainty::High;
            out.reason = format!("{} is exported: to ask is its caller's duty", out.function);
            return out;
        }
        let way = |with_theirs| {
            let mut open = open.iter().take(OFFENCES);
            open.find_map(|(node, block, offence)| {
                let found = self.way(*node, *block, offence.need, with_theirs)?;
                Some((offence, found))
            })
        };
        let own = way(false);
        if own.is_none()
            && let Some((_, found)) = way(true)
        {
            self.exported(&mut out, &found);
            return out;
        }
        if let Some((offence, found)) = own.filter(|_| !self.whole.catches) {
            self.leak(&mut out, offence, found);
            return out;
        }
        let (reason, obstacle) = match self.whole.catches {
            true => (
                "the file handles SIGILL: what it lacks may be tried".to_string(),
                "the handler of SIGILL".to_string(),
            ),
            false => self.why(&open),
        };
        (out.reason, out.obstacle) = (reason, obstacle);
        out
    }
}

/// The instruction above the baseline at an address.
pub(crate) fn offence(word: u32, at: u64) -> First {
    let name = classify(word).map_or("", |(_, set)| NAMES[usize::from(set)]);
    First {
        mnemonic: mnemonics::name(mnemonics::number(word)).to_string(),
        address: at,
        extensions: vec![name.to_string()],
        location: None,
    }
}

/// What a baseline of these extensions has.
pub(super) fn baseline(extensions: &[String]) -> Set {
    implied(extensions.iter().fold(0, |all, name| all | named(name)))
}
