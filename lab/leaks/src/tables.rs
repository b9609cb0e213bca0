//! Nodes of the search of [`reach`](super::reach) whose address is in a table: who names it,
//! and by what is an element called?

use super::middle::Start;
use super::pointers::{Given, Tells};
use super::reach::{Doubt, Found, Search};
use super::uses::Use;
use karat_flow::facts::{Element, Facts, Picks};
use karat_flow::program::{Program, Word};
use karat_flow::state::Source;
use karat_flow::sweep::{Sweep, to, within};
use karat_model::leaks::{Certainty, GateKind};

/// A pointer so far behind the name of a table is in another one.
const TABLE: u64 = 1 << 17;
/// Instructions of a routine that picks tables by what is in each, at most.
const PICKER: u32 = 1000;
/// Methods of a trait object that are looked into, at most.
const METHODS: u64 = 32;

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

impl Search<'_> {
    /// A word of data that has the address of a node: who calls it from there, and
    /// by what do they choose it?
    pub(super) fn table(&mut self, node: usize, word: u64, softness: u8) {
        let mut found = Vec::new();
        self.users(word, 0, None, &mut found);
        let places: Vec<Named> = found.iter().map(|(place, _)| *place).collect();
        if let Some(gate) = self.picked(node, &places) {
            return self.add_gate(node, gate);
        }
        let mut users = Vec::new();
        let address = self.nodes[node].address;
        let anchor = anchor(self.program, self.sweep, word);
        // A pointer that is called first and replaces itself, as lazy choices do.
        let is_cell = self.detection.cells.has(word) || self.detection.picked.has(word);
        let is_first = is_cell && self.sweep.facts[self.nodes[node].routine as usize].above() == 0;
        for (place, element) in found {
            let Named { at, depth, .. } = place;
            if let Some(user) = self.user(node, at) {
                if self.is_stretch(user) {
                    self.nodes[node].doubt = Some(Doubt::Stretch(user));
                    continue;
                }
                if self.only_starts(user, node) {
                    self.lead(node, user, at, softness, true, None);
                    continue;
                }
                let by_number = |search: &mut Self, is_open_only: bool| {
                    let whole = (anchor, word);
                    let gate = match depth {
                        0 => search.numbered(node, user, whole, is_open_only),
                        _ => None,
                    };
                    gate.map(|gate| search.add_gate(node, gate)).is_some()
                };
                if by_number(self, true) {
                    continue;
                }
                // What is known of tables of tables is that of the last one.
                let table = if depth == 0 { (anchor, word) } else { (1, 0) };
                // What holds where somebody takes the address says nothing of a word that has it
                // from the beginning.
                let own = match self.takes(user, address) {
                    true => (1, 0),
                    false => (address, address),
                };
                let known = self.tells(node, user, at, &[table, own], is_first);
                if !matches!(known, Tells::Enough(_)) && by_number(self, false) {
                    continue;
                }
                match known {
                    Tells::Enough(gate) => {
                        let gate = self.of_table(node, gate, (anchor, word), softness);
                        self.add_gate(node, gate);
                        continue;
                    }
                    // Whoever goes through a table of tables may ask by what is in each.
                    Tells::Short(gate) => {
                        let is_its = depth == 0 && !self.has_another(at, word);
                        let short = is_its.then_some(gate);
                        self.lead(node, user, at, softness, true, short);
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
                    Tells::Nothing | Tells::Open | Tells::Unknown => {}
                }
                let picked = match element {
                    Some(element) => self.element(node, user, at, element),
                    None if depth == 0 => self.record(node, user, at, (anchor, word)),
                    None => None,
                };
                let picked = match picked {
                    Some(Tells::Enough(gate)) => Some(Tells::Enough(gate)),
                    others => self
                        .through(node, user, at, (anchor, word), element)
                        .or(others),
                };
                match picked {
                    Some(Tells::Enough(gate)) => {
                        self.add_gate(node, gate);
                        continue;
                    }
                    Some(Tells::Short(gate)) => {
                        self.lead(node, user, at, softness, true, Some(gate));
                        continue;
                    }
                    Some(_) => {
                        self.lead(node, user, at, softness, true, None);
                        continue;
                    }
                    None => {}
                }
                if depth == 0 && self.is_numbered_otherwise(node, user, (anchor, word)) {
                    self.nodes[node].doubt = Some(Doubt::Open(user));
                    continue;
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

    /// The gate of a table that is named at an address, for a word: less is certain where it may
    /// begin before that.
    fn of_table(&mut self, node: usize, gate: Found, table: (u64, u64), softness: u8) -> Found {
        match self.start_of(node, table.1, table.0) {
            Start::Named => return gate,
            Start::Perhaps => {}
            Start::Before(user, at) => self.lead(node, user, at, softness, true, None),
        }
        Found {
            confidence: gate.confidence.min(Certainty::Medium),
            ..gate
        }
    }

    /// Whether a routine is of Go's run-time, and a node none of its kernels: it names `main` and
    /// all that the file has, and picks nothing of that, though it asks the CPU.
    fn only_starts(&self, user: u32, node: usize) -> bool {
        let is_one = |routine: u32| {
            let names = &self.program.routines[routine as usize].names;
            names.iter().any(|name| name.starts_with("runtime."))
        };
        let node = self.nodes[node].routine;
        let is_kernel = self.sweep.facts[node as usize].above() > 0;
        self.oracle.is_go && is_one(user) && !(is_kernel && is_one(node))
    }

    /// Whether a routine takes an address itself.
    fn takes(&self, user: u32, address: u64) -> bool {
        let mut taken = to(&self.sweep.taken, address).iter();
        taken.any(|(_, at)| self.program.routine_at(at) == Some(user))
    }

    /// The gate of a table that is known to be picked from by one that names it, whoever else
    /// does.
    fn picked(&self, node: usize, places: &[Named]) -> Option<Found> {
        let mut users = places.iter().filter_map(|Named { at, .. }| {
            let user = self.user(node, *at)?;
            Some((user, *at))
        });
        let (routine, at) = users.find(|(user, _)| self.oracle.is_picker(*user))?;
        Some(Found {
            kind: GateKind::Pointer,
            routine,
            at,
            source: Some(Source::Call(routine)),
            features: Facts::NONE,
            confidence: Certainty::Medium,
        })
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
    pub(super) fn used(&mut self, user: u32, place: Named) -> Option<Use> {
        if let Some(known) = self.seen.uses.get(&place) {
            return known.clone();
        }
        let used = Use::of(self.known(), user, place, &mut self.left_for_uses);
        self.seen.uses.insert(place, used.clone());
        used
    }

    /// What is known where a routine picks a table out of a table of tables, by what is in
    /// each, as VOLK does: it says itself what it needs.
    fn element(&self, node: usize, user: u32, at: u64, element: Element) -> Option<Tells> {
        if self.is_passed(user) || self.sweep.facts[user as usize].instructions > PICKER {
            return None;
        }
        let told = match self.oracle.picks(user, element) {
            Picks::Nothing => return None,
            Picks::Unclear => return Some(Tells::Nothing),
            Picks::Told(told) => told,
        };
        let given = Given::of(&told, element.to, &[(element.to, element.to)], at);
        let facts = told.at(at) | given.given.or(given.handed)?;
        self.alone(node, user, given.place, facts)
    }

    /// What is known where a routine goes through a table whose records say themselves whether
    /// they run, by a probe or by what they need. `table` is where it begins, and the word.
    fn record(&self, node: usize, user: u32, at: u64, table: (u64, u64)) -> Option<Tells> {
        if self.is_passed(user) {
            return None;
        }
        // Whoever else has the table may pick from it as well.
        let is_table = |at: &u64| (table.0..=table.1).contains(at);
        let whole = self.oracle.told(user)?;
        if whole
            .escapes
            .keys()
            .chain(whole.handed.keys())
            .any(is_table)
        {
            return None;
        }
        let address = self.nodes[node].address;
        let mut found: Option<(Facts, u64)> = None;
        for told in self.oracle.records(user, table.0, table.1) {
            let given = Given::of(&told, address, &[(address, address)], at);
            let facts = given.given.or(given.handed)?;
            found = Some(match found {
                Some((known, place)) => (known & facts, place),
                None => (facts, given.place),
            });
        }
        let (facts, place) = found?;
        self.alone(node, user, place, facts)
    }

    /// The gate of a word, where the routine that its table is given to goes on with it only
    /// where a function beside it says so. Nothing is refuted by it.
    fn through(
        &self,
        node: usize,
        user: u32,
        at: u64,
        own: (u64, u64),
        element: Option<Element>,
    ) -> Option<Tells> {
        let (table, word) = element.map_or(own, |element| (element.table, element.place));
        let (facts, place) = self.oracle.through(user, at, table, word)?;
        let routine = self.program.routine_at(place)?;
        let told = self.alone(node, routine, place, facts);
        told.filter(|told| matches!(told, Tells::Enough(_)))
    }

    /// What is told of an element, or a record, that was looked at alone.
    fn alone(&self, node: usize, user: u32, at: u64, facts: Facts) -> Option<Tells> {
        if facts == Facts::ALL || facts.is_opaque() || !facts.of_arguments().is_none() {
            return None;
        }
        let found = Found {
            kind: GateKind::Pointer,
            routine: user,
            at,
            source: None,
            features: facts.named_ones(),
            confidence: Certainty::Medium,
        };
        let need = self.nodes[node].need;
        match need.without(facts.together()).is_none() {
            true => Some(Tells::Enough(found)),
            false if facts.features().says() => Some(Tells::Short(found)),
            false => Some(Tells::Nothing),
        }
    }

    /// Code that names the table a word is in, tables of tables followed; with the
    /// number of tables between. `element` is the word of the one that leads there.
    pub(super) fn users(
        &self,
        place: u64,
        depth: u8,
        element: Option<(u64, u64)>,
        out: &mut Vec<(Named, Option<Element>)>,
    ) {
        let anchor = anchor(self.program, self.sweep, place);
        let element = element.map(|(place, to)| Element {
            table: anchor,
            place,
            to,
        });
        for (_, at) in within(&self.sweep.data, anchor, place.saturating_add(1)) {
            if out.len() < 64 {
                let named = Named {
                    at,
                    depth,
                    is_given: false,
                };
                out.push((named, element));
            }
        }
        if depth < 3 {
            let tables = within(&self.program.pointers, anchor, place.saturating_add(1));
            for (to, place) in tables.iter().take(16) {
                for at in self.methods(place) {
                    let named = Named {
                        at,
                        depth,
                        is_given: true,
                    };
                    out.push((named, None));
                }
                // Of a table of tables of tables no element is looked at alone.
                let element = (depth == 0).then_some((place, to));
                self.users(place, depth + 1, element, out);
            }
        }
    }

    /// The methods of a trait object whose first word is at `place`: pointer to the
    /// value and pointer to a table of drop, size, alignment, methods (Rust
    /// Reference, "Type layout", for the pair; rustc's `vtable` for the order).
    fn methods(&self, place: u64) -> Vec<u64> {
        let Some(Word::Address(table)) = self.program.words.get(place.wrapping_add(8)) else {
            return Vec::new();
        };
        if !self.program.is_data(table) {
            return Vec::new();
        }
        let word = |index: u64| match self.program.words.get(table.wrapping_add(index * 8))? {
            Word::Address(to) if self.program.is_code(to) => Some(to),
            _ => None,
        };
        // Size and alignment are no addresses.
        if word(1).is_some() || word(2).is_some() {
            return Vec::new();
        }
        (3..3 + METHODS).map_while(word).collect()
    }
}

/// Where the table begins that a word of data is in: the nearest name before.
pub(super) fn anchor(program: &Program<'_>, sweep: &Sweep, place: u64) -> u64 {
    let variables = &program.variables;
    let at = variables.partition_point(|(start, ..)| *start <= place);
    let variable = at.checked_sub(1).map(|at| variables[at]);
    if let Some((start, size, _)) = variable
        && place - start < size
    {
        return start;
    }
    let anchor = sweep
        .data
        .last_to(place)
        .max(program.pointers.last_to(place));
    anchor
        .filter(|anchor| place - anchor <= TABLE)
        .unwrap_or(place)
}
