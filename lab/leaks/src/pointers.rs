//! Nodes of the search of [`reach`](super::reach) that are used through a pointer:
//! who takes their address, or names a table that has it.

use super::reach::{Doubt, Found, Search, Soft, Way};
use super::uses::Use;
use super::ways::Up;
use karat_binary::numbers::NumberMap;
use karat_flow::facts::Facts;
use karat_flow::guard::{Gate, Guarding};
use karat_flow::program::{Entry, Word};
use karat_flow::state::Source;
use karat_flow::sweep::{to, within};
use karat_model::leaks::{Certainty, GateKind};

/// Instructions up to which a routine that takes an address is followed to the arguments
/// that it goes by though no branch of it is seen to be on a flag: a conditional move
/// chooses, or flags are combined first.
const SMALL: u32 = 64;
/// A pointer so far behind the name of a table is in another one.
const TABLE: u64 = 4096;

/// Code that has a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Named {
    /// The instruction that names it; the start of a method that it is given to.
    pub at: u64,
    /// Tables between it and the word that is looked for.
    pub depth: u8,
    /// It is the first argument of the routine, a method.
    pub is_given: bool,
}

/// What is known of a pointer to a node where a routine has it.
enum Tells {
    /// It is there only where what the node needs is.
    Enough(Found),
    /// It is there only where something is, and that is not enough.
    Short(Found),
    /// It is there only where these arguments of the routine are set; perhaps also behind
    /// a gate that is not enough.
    Given(Way, Option<Found>),
    /// It was followed to a call of it, whatever the CPU has.
    Called,
    /// It was followed, and is there whatever the CPU has.
    Nothing,
    /// It was not followed.
    Unknown,
}

/// Methods of a trait object that are looked into, at most.
const METHODS: u64 = 32;

impl Search<'_> {
    /// A place that takes the address of a node.
    pub(super) fn pointer(&mut self, node: usize, at: u64, softness: u8) -> bool {
        let Some(user) = self.user(node, at) else {
            return false;
        };
        if self.is_stretch(user) {
            self.nodes[node].doubt = Some(Doubt::Stretch(user));
            return true;
        }
        let address = self.nodes[node].address;
        match self.tells(node, user, at, &[(address, address)], false) {
            Tells::Enough(gate) => self.add_gate(node, gate),
            Tells::Short(gate) => {
                self.lead(node, user, at, softness, false, Some(gate));
            }
            Tells::Given(way, asked) => self.lead_given(node, (user, at), softness, way, asked),
            Tells::Called => self.lead_called(node, user, at, softness),
            Tells::Nothing => {
                self.lead(node, user, at, softness, false, None);
            }
            Tells::Unknown => {
                if !self.is_chosen(node, user, at, false) {
                    self.lead(node, user, at, softness, false, None);
                }
            }
        }
        true
    }

    /// A word of data that has the address of a node: who calls it from there, and
    /// by what do they choose it?
    pub(super) fn table(&mut self, node: usize, word: u64, softness: u8) {
        let mut places = Vec::new();
        self.users(word, 0, &mut places);
        let mut users = Vec::new();
        let address = self.nodes[node].address;
        let anchor = self.anchor(word);
        // A pointer that is called first and replaces itself, as lazy choices do.
        let is_cell = self.detection.cells.has(word) || self.detection.picked.has(word);
        let is_first = is_cell && self.sweep.facts[self.nodes[node].routine as usize].above == 0;
        for place in places {
            let Named { at, depth, .. } = place;
            if let Some(user) = self.user(node, at) {
                if self.is_stretch(user) {
                    self.nodes[node].doubt = Some(Doubt::Stretch(user));
                    continue;
                }
                // What is known of tables of tables is that of the last one.
                let table = if depth == 0 { (anchor, word) } else { (1, 0) };
                match self.tells(node, user, at, &[table, (address, address)], is_first) {
                    Tells::Enough(gate) => {
                        self.add_gate(node, gate);
                        continue;
                    }
                    Tells::Short(gate) => {
                        self.lead(node, user, at, softness, true, Some(gate));
                        continue;
                    }
                    Tells::Given(way, asked) => {
                        self.lead_given(node, (user, at), softness, way, asked);
                        continue;
                    }
                    Tells::Called => {
                        self.lead_called(node, user, at, softness);
                        continue;
                    }
                    Tells::Nothing | Tells::Unknown => {}
                }
                let used = match self.is_passed(user) {
                    true => None,
                    false => self.used(user, place),
                };
                users.push((user, place, used));
            }
        }
        // What those do that choose nothing matters only where another one chooses.
        let is_choice = |(user, _, used): &(u32, Named, Option<Use>)| {
            used.as_ref().and_then(Use::chosen).is_some()
                || self.detection.selects.contains_key(user)
        };
        if users.iter().any(is_choice) {
            for (user, place, used) in &mut users {
                if used.is_none() {
                    *used = self.used(*user, *place);
                }
            }
        }
        let chooses = |used: &Option<Use>| used.as_ref().and_then(Use::chosen);
        let callers: Vec<u32> = users
            .iter()
            .filter(|(.., used)| chooses(used).is_some())
            .map(|(user, ..)| *user)
            .collect();
        let gate = users
            .iter()
            .find_map(|(user, _, used)| Some((*user, chooses(used)?)));
        let mut gate = gate.map(|(routine, (at, source))| Found {
            kind: GateKind::Pointer,
            routine,
            at,
            source: Some(source),
            features: Facts::NONE,
            confidence: Certainty::Low,
        });
        // Those that call no element are asked only where nobody is seen to do so.
        let (mut silent, others): (Vec<_>, Vec<_>) = users
            .into_iter()
            .filter(|(user, _, used)| chooses(used).is_none() && !callers.contains(user))
            .partition(|(.., used)| used.as_ref().is_some_and(|used| used.calls.is_empty()));
        let methods: Vec<u32> = silent
            .extract_if(.., |(_, place, _)| place.is_given)
            .map(|(user, ..)| user)
            .collect();
        if gate.is_none() && others.is_empty() {
            gate = self.selector(&methods);
        }
        if let Some(gate) = &mut gate {
            // What is handed on could be called by others.
            let passes = |used: &Option<Use>| used.as_ref().is_none_or(|used| used.passes);
            if silent.iter().any(|(.., used)| passes(used)) {
                gate.confidence = Certainty::Low;
            }
            self.add_gate(node, *gate);
            silent.clear();
        }
        for (user, Named { at, .. }, used) in others.into_iter().chain(silent) {
            // A call that goes by nothing known is not excused by what is near it.
            let is_seen = used.is_some_and(|used| !used.calls.is_empty());
            if !self.is_chosen(node, user, at, is_seen) {
                self.lead(node, user, at, softness, true, None);
            }
        }
        let node = &mut self.nodes[node];
        if node.up.is_empty() && node.gates.is_empty() {
            node.doubt.get_or_insert(Doubt::Table(word));
        }
    }

    /// A method that stores what answers picked behind the table that it is given.
    /// Where no call of an element is seen, that says a little.
    fn selector(&self, methods: &[u32]) -> Option<Found> {
        let selects = &self.detection.selects;
        let is_one = |method: &&u32| {
            let places = selects.get(method);
            places.is_some_and(|places| places.iter().any(|(number, _)| *number == 0))
        };
        let routine = *methods.iter().find(is_one)?;
        Some(Found {
            kind: GateKind::Pointer,
            routine,
            at: self.program.routines[routine as usize].start,
            source: Some(Source::Call(routine)),
            features: Facts::NONE,
            confidence: Certainty::Low,
        })
    }

    /// What a user of a table does with it.
    fn used(&mut self, user: u32, place: Named) -> Option<Use> {
        if let Some(known) = self.seen.uses.get(&place) {
            return known.clone();
        }
        let used = Use::of(self.known(), user, place);
        self.seen.uses.insert(place, used.clone());
        used
    }

    /// The routine with a place, where that may be a use of a node.
    fn user(&self, node: usize, at: u64) -> Option<u32> {
        let user = self.program.routine_at(at)?;
        (self.is_code(user) && user != self.nodes[node].routine).then_some(user)
    }

    /// What is known where a routine comes to have a pointer, and where it gives it on.
    ///
    /// `is_first`: it is what a variable with a pointer begins with.
    fn tells(
        &mut self,
        node: usize,
        user: u32,
        at: u64,
        ranges: &[(u64, u64)],
        is_first: bool,
    ) -> Tells {
        if let Some(gate) = self.vouched(user, at, self.nodes[node].need) {
            return Tells::Enough(gate);
        }
        if self.is_passed(user) {
            return Tells::Unknown;
        }
        let told = self
            .reading(user)
            .and_then(|reading| self.told(user, &reading))
            .or_else(|| is_first.then(|| self.oracle.told(user)).flatten());
        // Nothing but its arguments counts in what is only small.
        let is_seen = told.is_some();
        // A table goes by an index, which is no flag.
        let own = self.nodes[node].address;
        let is_small =
            ranges == [(own, own)] && self.sweep.facts[user as usize].instructions <= SMALL;
        let told = told.or_else(|| is_small.then(|| self.oracle.told(user)).flatten());
        let Some(told) = told else {
            return Tells::Unknown;
        };
        let address = self.nodes[node].address;
        let here = told.at(at);
        // What holds wherever it is given, and the first such place.
        let find = |all: &NumberMap<u64, (Facts, u64)>| {
            let is_it = |value: &u64| ranges.iter().any(|(a, b)| (*a..=*b).contains(value));
            let found = all.iter().filter(|(value, _)| is_it(value));
            let found = found.map(|(_, given)| *given);
            found.reduce(|(all, first), (one, place)| (all & one, first.min(place)))
        };
        let (handed, given) = (find(&told.handed), find(&told.escapes));
        let place = given.or(handed).map_or(at, |(_, place)| place);
        let (handed, given) = (handed.map(|it| it.0), given.map(|it| it.0));
        let calls = told
            .reached
            .values()
            .flatten()
            .filter(|(to, _)| *to == address);
        let called = calls.map(|(_, facts)| *facts).reduce(|all, one| all & one);
        let given = match (given, called) {
            (Some(given), Some(called)) => Some(given & called),
            (given, called) => given.or(called),
        };
        let need = self.nodes[node].need;
        // What is in the register of an argument may be left over from what chose it.
        let is_left =
            handed.is_some_and(|handed| !need.without((here | handed).together()).is_none());
        let given = given.or(handed);
        let facts = here | given.unwrap_or(Facts::NONE);
        let found = |confidence| Found {
            kind: match self.is_resolver(user) {
                true => GateKind::Ifunc,
                false => GateKind::Pointer,
            },
            routine: user,
            at: place,
            source: None,
            features: facts.named_ones(),
            confidence,
        };
        if !is_seen && (facts == Facts::ALL || facts.of_arguments().is_none()) {
            return Tells::Unknown;
        }
        let at_most = |sure| if is_left { Certainty::Low } else { sure };
        if need.without(facts).is_none() && !facts.is_member() {
            return Tells::Enough(found(at_most(Certainty::High)));
        }
        if need.without(facts.together()).is_none() {
            return Tells::Enough(found(at_most(Certainty::Medium)));
        }
        if facts.is_opaque() {
            return Tells::Unknown;
        }
        let short = (facts.features().says()).then(|| found(Certainty::Medium));
        if !facts.of_arguments().is_none() {
            let way = Way {
                need: need.without(facts),
                arguments: facts.of_arguments(),
            };
            return Tells::Given(way, short);
        }
        if let Some(short) = short {
            return Tells::Short(short);
        }
        // It was followed to where it goes, and nothing had to be there.
        let is_open = |gate: &Gate| gate.is_strong() && !told.is_decoded(gate.at);
        let reading = self.reading(user);
        let is_followed = given.is_some()
            && reading.is_some_and(|reading| {
                !reading.gates.iter().any(is_open)
                    && reading.chooses.is_none_or(|(at, _)| {
                        told.is_decoded(at) || is_first && told.reached.contains_key(&at)
                    })
            });
        match (is_followed && !self.is_resolver(user), called) {
            (true, Some(_)) => Tells::Called,
            (true, None) => Tells::Nothing,
            (false, _) => Tells::Unknown,
        }
    }

    /// The gate at a place of a routine of which a user says that it asks before it calls
    /// code or hands it out, where that implies what is needed.
    pub(super) fn vouched(&self, routine: u32, at: u64, need: Facts) -> Option<Found> {
        let facts = self.oracle.vouches(routine)?;
        need.without(facts.together()).is_none().then(|| Found {
            kind: GateKind::Pointer,
            routine,
            at,
            source: Some(Source::Call(routine)),
            features: facts.named_ones(),
            confidence: Certainty::Medium,
        })
    }

    /// Whether the place is behind a gate, or in a routine that chooses; or, where
    /// not `is_seen` what it does, in one that asks or is near one. What such a gate
    /// asks for is not known.
    fn is_chosen(&mut self, node: usize, user: u32, at: u64, is_seen: bool) -> bool {
        let found = |kind, at, source| Found {
            kind,
            routine: user,
            at,
            source,
            features: Facts::NONE,
            confidence: Certainty::Low,
        };
        if self.is_resolver(user) {
            self.add_gate(node, found(GateKind::Ifunc, at, None));
            return true;
        }
        if self.is_passed(user) {
            return false;
        }
        let Some(reading) = self.reading(user) else {
            return false;
        };
        if let Some(block) = reading.flow.block_at(at)
            && let Guarding::Guarded(gate) = reading.guarding(0, block)
        {
            self.add_gate(node, found(GateKind::Pointer, gate.at, Some(gate.source)));
            return true;
        }
        if let Some((at, source)) = reading.chooses {
            self.add_gate(node, found(GateKind::Pointer, at, Some(source)));
            return true;
        }
        if is_seen {
            return false;
        }
        if let Some(gate) = reading.gates.iter().find(|gate| gate.is_strong()) {
            self.add_gate(node, found(GateKind::Pointer, gate.at, Some(gate.source)));
            return true;
        }
        if let Some(&asker) = self.detection.near.get(&user) {
            let source = Some(Source::Call(asker));
            self.add_gate(node, found(GateKind::Pointer, at, source));
            return true;
        }
        false
    }

    /// A place from which nothing is known but that it has the address, or that of
    /// a table with it.
    fn lead(
        &mut self,
        node: usize,
        user: u32,
        at: u64,
        softness: u8,
        is_table: bool,
        short: Option<Found>,
    ) {
        let start = self.program.routines[user as usize].start;
        // What the C run-time is handed is `main`, and what that hands on Rust's.
        let is_start = !is_table && self.program.entries.get(&start) == Some(&Entry::Start);
        let way = Way::needing(self.nodes[node].need);
        let up = self.expose(start, user, softness + u8::from(!is_start), way);
        let soft = (!is_start).then_some(Soft::Pointer);
        self.lead_up(
            node,
            Up {
                short,
                ..Up::by(up, at, soft)
            },
        );
    }

    /// A place that has the address only where arguments of its routine are set: what
    /// its callers give decides.
    fn lead_given(
        &mut self,
        node: usize,
        (user, at): (u32, u64),
        softness: u8,
        way: Way,
        asked: Option<Found>,
    ) {
        let start = self.program.routines[user as usize].start;
        let up = self.expose(start, user, softness, way);
        let short = asked;
        self.lead_up(
            node,
            Up {
                short,
                ..Up::by(up, at, Some(Soft::Pointer))
            },
        );
    }

    /// A place that calls it through a pointer whose values were followed.
    fn lead_called(&mut self, node: usize, user: u32, at: u64, softness: u8) {
        let start = self.program.routines[user as usize].start;
        let way = Way::needing(self.nodes[node].need);
        let up = self.expose(start, user, softness, way);
        self.lead_up(node, Up::by(up, at, Some(Soft::Called)));
    }

    /// A resolver of an indirect function, or a part of one.
    fn is_resolver(&self, routine: u32) -> bool {
        let start = self.program.routines[routine as usize].start;
        let resolver = |address| self.program.entries.get(&address) == Some(&Entry::Resolver);
        resolver(start)
            || to(&self.sweep.edges, start).iter().take(8).any(|(_, at)| {
                let caller = self.program.routine_at(*at);
                caller.is_some_and(|caller| resolver(self.program.routines[caller as usize].start))
            })
    }

    /// Code that names the table a word is in, tables of tables followed; with the
    /// number of tables between.
    fn users(&self, place: u64, depth: u8, out: &mut Vec<Named>) {
        let anchor = self.anchor(place);
        for &(_, at) in within(&self.sweep.data, anchor, place.saturating_add(1)) {
            if out.len() < 64 {
                out.push(Named {
                    at,
                    depth,
                    is_given: false,
                });
            }
        }
        if depth < 3 {
            let tables = within(&self.program.pointers, anchor, place.saturating_add(1));
            for &(_, place) in tables.iter().take(16) {
                for at in self.methods(place) {
                    out.push(Named {
                        at,
                        depth,
                        is_given: true,
                    });
                }
                self.users(place, depth + 1, out);
            }
        }
    }

    /// The methods of a trait object whose first word is at `place`: pointer to the
    /// value and pointer to a table of drop, size, alignment, methods (Rust
    /// Reference, "Type layout", for the pair; rustc's `vtable` for the order).
    fn methods(&self, place: u64) -> Vec<u64> {
        let Some(&Word::Address(table)) = self.program.words.get(&place.wrapping_add(8)) else {
            return Vec::new();
        };
        if !self.program.is_data(table) {
            return Vec::new();
        }
        let word = |index: u64| match self.program.words.get(&table.wrapping_add(index * 8))? {
            Word::Address(to) if self.program.is_code(*to) => Some(*to),
            _ => None,
        };
        // Size and alignment are no addresses.
        if word(1).is_some() || word(2).is_some() {
            return Vec::new();
        }
        (3..3 + METHODS).map_while(word).collect()
    }

    /// Where the table begins that a word of data is in: the nearest name before.
    fn anchor(&self, place: u64) -> u64 {
        let last = |list: &[(u64, u64)]| {
            let at = list.partition_point(|(to, _)| *to <= place);
            at.checked_sub(1).map(|at| list[at].0)
        };
        let variables = &self.program.variables;
        let at = variables.partition_point(|(start, ..)| *start <= place);
        let variable = at.checked_sub(1).map(|at| variables[at]);
        if let Some((start, size, _)) = variable
            && place - start < size
        {
            return start;
        }
        let anchor = last(&self.sweep.data).max(last(&self.program.pointers));
        anchor
            .filter(|anchor| place - anchor <= TABLE)
            .unwrap_or(place)
    }
}
