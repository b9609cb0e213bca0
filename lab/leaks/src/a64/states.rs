//! The states of the functions of an AArch64 file that are above a baseline, in the types of
//! the model.

use super::decode::{Control, control, near, page};
use super::features::{OTHER, SVE, SVE2, Set, names, needed, sold};
use super::program::{Entry, Program};
use super::surely::{Rules, backs, leads};
use super::walk::Offence;
use super::whole::Whole;
use karat_binary::a64::{NAMES, classify, names as mnemonics};
use karat_model::leaks::{
    AboveBaseline, Certainty, GateKind, GuardedBy, Offence as First, Reach, Step,
};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// Ways that are looked at from one instruction, at most.
const WAYS: usize = 4000;
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

/// A way from an entry to an instruction above the baseline.
struct Found {
    /// Outermost first.
    path: Vec<(u64, u64)>,
    /// What is asked for on it.
    asked: Set,
    confidence: Certainty,
}

pub(super) struct States<'w, 'p> {
    whole: &'w Whole<'p>,
    back: HashSet<u64>,
    /// By routine: who calls it, from which of its blocks.
    callers: BTreeMap<u64, Vec<(u64, usize, usize)>>,
    /// By function: where its instructions above the baseline are reached.
    reached: BTreeMap<u32, Vec<(u64, usize, Offence)>>,
    /// Functions that code or data refers to.
    referred: HashSet<u32>,
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
            back: backs(whole),
            callers,
            reached,
            referred: referred(whole),
        }
    }

    /// Of some functions those that are not reached, but that something refers to.
    pub fn unreached<'f>(&self, functions: impl Iterator<Item = &'f u32>) -> Vec<u64> {
        let is_idle = |function: &&u32| {
            !self.reached.contains_key(function) && self.referred.contains(function)
        };
        let address =
            |function: &u32| self.whole.program.symbols.functions[*function as usize].address;
        functions.filter(is_idle).map(address).collect()
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
            first: self.first(above.first, first),
            reach: Reach::Unknown,
            lacks: Vec::new(),
            is_dispatcher: false,
            confidence: Certainty::Low,
            path: Vec::new(),
            gates: Vec::new(),
            reason: String::new(),
            obstacle: String::new(),
        };
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
        if !self.whole.catches {
            for (node, block, offence) in open.iter().take(OFFENCES) {
                if let Some(found) = self.way(*node, *block, offence.need) {
                    self.leak(&mut out, offence, found);
                    return out;
                }
            }
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

    fn first(&self, at: u64, word: u32) -> First {
        let name = classify(word).map_or("", |(_, set)| NAMES[usize::from(set)]);
        First {
            mnemonic: mnemonics::name(mnemonics::number(word)).to_string(),
            address: at,
            extensions: vec![name.to_string()],
            location: None,
        }
    }

    fn guarded(&self, out: &mut AboveBaseline, reached: &[(u64, usize, Offence)]) {
        out.reach = Reach::Guarded;
        // Not by the architecture, but by all CPUs that are sold; and the encodings of SVE are
        // told from those of SVE2 in part only.
        let is_sure = reached.iter().all(|(.., offence)| {
            let is_sve = offence.need & SVE != 0 && offence.has & SVE2 == 0;
            offence.need & !offence.has == 0 && !is_sve
        });
        out.confidence = match is_sure {
            true => Certainty::High,
            false => Certainty::Medium,
        };
        let mut gates = Vec::new();
        for (node, _, offence) in reached {
            self.gates(*node, offence.need, &mut gates);
        }
        gates.truncate(GATES);
        for gate in &mut gates {
            gate.confidence = out.confidence;
        }
        out.gates = gates;
    }

    /// Gates above a routine that ask for some of what is needed.
    fn gates(&self, node: u64, need: Set, out: &mut Vec<GuardedBy>) {
        let mut seen = HashSet::from([node]);
        let mut queue = VecDeque::from([node]);
        while let Some(node) = queue.pop_front() {
            if out.len() >= GATES || seen.len() > 64 {
                return;
            }
            let Some(known) = self.whole.nodes.get(&node) else {
                continue;
            };
            let mut is_found = false;
            for gate in &known.walked.gates {
                if sold(gate.has) & need == 0 || out.iter().any(|known| known.address == gate.at) {
                    is_found |= sold(gate.has) & need != 0;
                    continue;
                }
                is_found = true;
                out.push(GuardedBy {
                    kind: GateKind::Branch,
                    function: self.whole.program.name(node),
                    address: gate.at,
                    asks: "what the kernel tells of the CPU".into(),
                    features: names(gate.has),
                    confidence: Certainty::High,
                });
            }
            if is_found {
                continue;
            }
            for &(caller, block, at) in self.callers.get(&node).into_iter().flatten() {
                let call = &self.whole.nodes[&caller].walked.blocks[block].calls[at];
                if call.is_pointer
                    && call.has & need != 0
                    && !out.iter().any(|g| g.address == call.at)
                {
                    out.push(GuardedBy {
                        kind: GateKind::Pointer,
                        function: self.whole.program.name(caller),
                        address: call.at,
                        asks: "which pointer was chosen".into(),
                        features: names(call.has),
                        confidence: Certainty::High,
                    });
                } else if seen.insert(caller) {
                    queue.push_back(caller);
                }
            }
            if self.callers.get(&node).is_none()
                && let Some(resolver) = self.resolver(node)
            {
                out.push(GuardedBy {
                    kind: GateKind::Ifunc,
                    function: self.whole.program.name(resolver),
                    address: resolver,
                    asks: "which function a resolver returns".into(),
                    features: names(need),
                    confidence: Certainty::High,
                });
            }
        }
    }

    /// The resolver that returns a routine.
    fn resolver(&self, node: u64) -> Option<u64> {
        let resolvers = self
            .whole
            .program
            .entries
            .iter()
            .filter(|(_, e)| **e == Entry::Resolver);
        let mut returning = resolvers.filter(|(address, _)| {
            let result = self
                .whole
                .nodes
                .get(address)
                .and_then(|n| n.walked.result.as_ref());
            let alts = result.and_then(|result| result.values[0].as_alts());
            alts.is_some_and(|alts| alts.iter().any(|alt| alt.value == node))
        });
        returning.next().map(|(address, _)| *address)
    }

    fn leak(&self, out: &mut AboveBaseline, offence: &Offence, found: Found) {
        let program = self.whole.program;
        out.reach = match found.asked {
            0 => Reach::Leak,
            _ => Reach::Insufficient,
        };
        out.confidence = found.confidence;
        out.first = self.first(offence.at, offence.word);
        out.path = (found.path.iter())
            .map(|(node, at)| Step {
                function: program.name(*node),
                address: *at,
                location: None,
            })
            .collect();
        if found.asked == 0 {
            return;
        }
        for (node, _) in found.path.iter().rev() {
            let Some(known) = self.whole.nodes.get(node) else {
                continue;
            };
            for gate in known
                .walked
                .gates
                .iter()
                .filter(|gate| gate.has & found.asked != 0)
            {
                if out.gates.len() < GATES && !out.gates.iter().any(|g| g.address == gate.at) {
                    out.gates.push(GuardedBy {
                        kind: GateKind::Branch,
                        function: program.name(*node),
                        address: gate.at,
                        asks: "what the kernel tells of the CPU".into(),
                        features: names(gate.has),
                        confidence: found.confidence,
                    });
                }
            }
        }
        if out.gates.is_empty() {
            out.gates.push(GuardedBy {
                kind: GateKind::Pointer,
                function: program.name(found.path.first().map_or(0, |(node, _)| *node)),
                address: found.path.first().map_or(0, |(_, at)| *at),
                asks: "which pointer was chosen".into(),
                features: names(found.asked),
                confidence: found.confidence,
            });
        }
    }

    /// A way from an entry on which what is needed is surely not asked for.
    fn way(&self, node: u64, block: usize, need: Set) -> Option<Found> {
        for may_doubt in [false, true] {
            let rules = Rules {
                need,
                back: &self.back,
                may_doubt,
            };
            // By node and block: where it leads on to, and what is known on it.
            let mut before: BTreeMap<(u64, usize), Option<((u64, usize), u64)>> = BTreeMap::new();
            before.insert((node, block), None);
            let mut queue = VecDeque::from([((node, block), 0, false)]);
            while let Some(((node, block), asked, is_pointer)) = queue.pop_front() {
                if before.len() > WAYS {
                    return None;
                }
                let known = self.whole.nodes.get(&node)?;
                if !leads(&known.walked, |number| number == block, rules) {
                    continue;
                }
                let asked = asked | known.walked.blocks[block].has;
                if let Some(entry) = known.entry {
                    let mut path = Vec::new();
                    let mut at = (node, block);
                    while let Some(Some((next, place))) = before.get(&at) {
                        path.push((at.0, *place));
                        at = *next;
                    }
                    let end = &self.whole.nodes[&at.0].walked.blocks[at.1];
                    let last = end.offences.iter().find(|o| o.need & !sold(o.has) != 0);
                    path.push((at.0, last.map_or(end.start, |o| o.at)));
                    // What another feature implies is not known.
                    let is_sure =
                        !may_doubt && !is_pointer && entry != Entry::Exported && asked & OTHER == 0;
                    return Some(Found {
                        path,
                        asked,
                        confidence: match is_sure {
                            true => Certainty::High,
                            false => Certainty::Medium,
                        },
                    });
                }
                for &(caller, from, at) in self.callers.get(&node).into_iter().flatten() {
                    let call = &self.whole.nodes[&caller].walked.blocks[from].calls[at];
                    if call.opaque
                        || rules.is_closed(call.has)
                        || before.contains_key(&(caller, from))
                    {
                        continue;
                    }
                    before.insert((caller, from), Some(((node, block), call.at)));
                    queue.push_back((
                        (caller, from),
                        asked | call.has,
                        is_pointer || call.is_pointer,
                    ));
                }
            }
        }
        None
    }

    /// Why a state is not known, and what stands in the way.
    fn why(&self, open: &[&(u64, usize, Offence)]) -> (String, String) {
        let program = self.whole.program;
        let need = open.first().map_or(0, |(.., o)| o.need);
        let mut seen: HashSet<u64> = open.iter().map(|(node, ..)| *node).collect();
        let mut queue: VecDeque<u64> = seen.iter().copied().collect();
        while let Some(address) = queue.pop_front() {
            let Some(node) = self.whole.nodes.get(&address) else {
                continue;
            };
            let name = program.name(address);
            if let Some(at) = node.walked.opaque.first() {
                return (
                    format!("the branch at {at:#x} in {name} may ask: which feature is not known"),
                    format!("the branch at {at:#x} in {name}"),
                );
            }
            if let Some(soft) = &node.soft {
                return (
                    format!("{name} is called through a pointer: {soft}"),
                    soft.clone(),
                );
            }
            if let Some(at) = node.walked.unclear {
                return (
                    format!("the jump at {at:#x} in {name} is not followed"),
                    format!("the jump at {at:#x} in {name}"),
                );
            }
            if let Some(at) = node.walked.orphans.first() {
                return (
                    format!("no branch of {name} leads to its code at {at:#x}"),
                    format!("the code at {at:#x} in {name}"),
                );
            }
            if node.entry == Some(Entry::Exported) {
                return (
                    format!("{name} is exported: its callers may ask"),
                    format!("callers of {name}"),
                );
            }
            for &(caller, block, at) in self.callers.get(&address).into_iter().flatten() {
                let call = &self.whole.nodes[&caller].walked.blocks[block].calls[at];
                if need & !sold(call.has) != 0 && seen.insert(caller) {
                    queue.push_back(caller);
                }
            }
        }
        let name = open
            .first()
            .map_or(String::new(), |(node, ..)| program.name(*node));
        (
            format!("a call before {name} may not come back"),
            format!("the way to {name}"),
        )
    }
}

/// Functions that something refers to which is not itself without any reference: those that
/// are reached, those in data, and those that their code refers to.
fn referred(whole: &Whole<'_>) -> HashSet<u32> {
    let program = whole.program;
    let function = |address: u64| program.range(address).map(|range| range.value);
    let mut from: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for range in &program.symbols.ranges {
        let mut last = None;
        for at in (range.start.next_multiple_of(4)..range.end).step_by(4) {
            let Some(word) = program.word(at) else {
                continue;
            };
            let to = match control(word, at) {
                Control::Jump(to) | Control::Branch(to, _) | Control::Call(to) => Some(to),
                _ if word & 0x9f00_0000 == 0x1000_0000 => Some(near(word, at)),
                _ if word & 0x9f00_0000 == 0x9000_0000 => {
                    last = Some(page(word, at));
                    None
                }
                _ if word & 0xffc0_0000 == 0x9100_0000 => {
                    last.map(|page| page + u64::from(word >> 10 & 0xfff))
                }
                _ => None,
            };
            if let Some(to) = to.and_then(function)
                && to != range.value
            {
                from.entry(range.value).or_default().push(to);
            }
        }
    }
    let roots = whole
        .nodes
        .keys()
        .chain(program.words.values())
        .chain(program.entries.keys());
    let mut list: Vec<u32> = roots.copied().filter_map(function).collect();
    let mut out = HashSet::new();
    while let Some(one) = list.pop() {
        if out.insert(one) {
            list.extend(from.get(&one).into_iter().flatten());
        }
    }
    out
}

/// What an instruction needs of what a baseline lacks, for tests and counts.
pub(super) fn baseline(extensions: &[String]) -> Set {
    let has = |name: &str| extensions.iter().any(|known| known == name);
    let mut out = 0;
    for (name, word, set) in [
        ("aes", 0x4e28_4820, "aes"),
        ("aes", 0x4ee2_e020, "aes"),
        ("sha2", 0x5e02_4020, "sha2"),
        ("sha2", 0x5e02_0020, "sha2"),
        ("sha3", 0xce62_8020, "sha3"),
        ("sha3", 0xce02_0c20, "sha3"),
        ("sm4", 0xcec0_8420, "sm4"),
        ("sm4", 0xce42_0c20, "sm4"),
    ] {
        if has(name) {
            out |= needed(word, set);
        }
    }
    for name in extensions {
        out |= match name.as_str() {
            "aes" | "sha2" | "sha3" | "sm4" => 0,
            other => needed(0, other),
        };
    }
    super::features::implied(out)
}
