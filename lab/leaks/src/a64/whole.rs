//! All routines of a file, each entered with what all its callers know.

use super::features::{Set, Told};
use super::program::{Code, Entry, IFUNC_ARGUMENT, Program};
use super::state::State;
use super::step::{Memory, lose_frame};
use super::value::{OPAQUE, PLAIN, Val};
use super::walk::{Walked, walk};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Instructions that are gone through, at most.
const STEPS: u64 = 40_000_000;
/// Bytes behind an address without a symbol that others may write who are given it.
const OBJECT: u64 = 256;

/// What a routine comes back with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Result {
    pub values: [Val; 2],
    pub has: Set,
}

impl Result {
    pub fn join(&mut self, other: &Self, lost: &mut Vec<(Val, Set)>) {
        let has = self.has & other.has;
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
    /// Why it may be entered by a way that is not seen.
    pub soft: Option<String>,
    /// It is entered from outside.
    pub entry: Option<Entry>,
}

pub(super) struct Whole<'p> {
    pub program: &'p Program<'p>,
    /// Extensions that the baseline has, by their names.
    extensions: Vec<String>,
    /// The same as features.
    pub baseline: Set,
    pub nodes: BTreeMap<u64, Node>,
    queue: BTreeSet<u64>,
    cells: BTreeMap<u64, (u32, Val)>,
    readers: HashMap<u64, BTreeSet<u64>>,
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
    pub fn of(program: &'p Program<'p>, extensions: Vec<String>, baseline: Set) -> Self {
        let mut whole = Self {
            program,
            extensions,
            baseline,
            nodes: BTreeMap::new(),
            queue: BTreeSet::new(),
            cells: BTreeMap::new(),
            readers: HashMap::new(),
            shared: BTreeMap::new(),
            current: 0,
            steps: 0,
            doubts: HashSet::new(),
            blind: HashSet::new(),
            catches: false,
        };
        let entries: Vec<(u64, Entry)> = program.entries.iter().map(|(a, e)| (*a, *e)).collect();
        let has_exports = entries.iter().any(|(_, entry)| *entry == Entry::Exported);
        for (address, entry) in entries {
            match entry {
                Entry::Start => whole.enter(address, &[PLAIN; 8], 0),
                Entry::Exported => whole.enter(address, &vec![OPAQUE; 8], 0),
                Entry::Resolver => whole.resolve(address),
            }
            if let Some(node) = whole.nodes.get_mut(&address) {
                node.entry = Some(entry);
            }
        }
        if has_exports {
            // Others may have the addresses of what is exported.
            let variables: Vec<u64> = program.variables.keys().copied().collect();
            for address in variables {
                whole.share(address);
            }
        }
        whole.run();
        whole
    }

    /// Functions that are not reached, but that something refers to, as if a pointer led there.
    pub fn reach(&mut self, functions: &[u64]) {
        for &function in functions {
            self.enter_softly(function, 0, "what leads there was not reached");
        }
        self.run();
    }

    pub fn is_spent(&self) -> bool {
        self.steps > STEPS
    }

    pub fn is_above(&self, extension: &str) -> bool {
        !self.extensions.iter().any(|name| name == extension)
    }

    fn run(&mut self) {
        while let Some(address) = self.queue.pop_first() {
            if self.is_spent() {
                return;
            }
            self.current = address;
            let Some(node) = self.nodes.get(&address) else {
                continue;
            };
            let input = node.input.clone();
            let before = node.walked.result.clone();
            let walked = walk(self, address, &input);
            let after = walked.result.clone();
            let is_resolver = self.program.entries.get(&address) == Some(&Entry::Resolver);
            if is_resolver && let Some(result) = &after {
                // What is returned is what is called.
                let value = result.values[0].clone();
                for alt in value.as_alts().unwrap_or(&[]) {
                    self.enter(alt.value, &vec![OPAQUE; 8], result.has | alt.has);
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
            let Some(node) = self.nodes.get_mut(&address) else {
                continue;
            };
            node.walked = walked;
            if before != after {
                let callers = node.callers.clone();
                self.queue.extend(callers);
            }
        }
    }

    fn enter(&mut self, address: u64, arguments: &[Val], has: Set) {
        if !self.program.is_code(address) {
            return;
        }
        let state = State::entry(arguments, has);
        let mut lost = Vec::new();
        let is_new = match self.nodes.get_mut(&address) {
            Some(node) => node.input.join(&state, &mut lost),
            None => {
                let node = Node {
                    input: state,
                    walked: Walked::default(),
                    callers: BTreeSet::new(),
                    soft: None,
                    entry: None,
                };
                self.nodes.insert(address, node);
                true
            }
        };
        if is_new {
            self.queue.insert(address);
        }
        for (value, has) in lost {
            self.lose(&value, has);
        }
    }

    /// A routine that may be entered by a way that is not seen.
    pub fn enter_softly(&mut self, address: u64, has: Set, why: &str) {
        self.enter(address, &vec![OPAQUE; 8], has);
        if let Some(node) = self.nodes.get_mut(&address)
            && node.soft.is_none()
        {
            node.soft = Some(why.to_string());
        }
    }

    /// A call from `node`; what comes back, if it does.
    pub fn call(&mut self, node: u64, to: u64, arguments: &[Val], has: Set) -> Option<Result> {
        let known = self.program.names(to);
        if known
            .iter()
            .any(|name| matches!(*name, "getauxval" | "__getauxval"))
        {
            return Some(Result {
                values: [auxval(&arguments[0]), PLAIN],
                has,
            });
        }
        self.enter(to, arguments, has);
        let callee = self.nodes.get_mut(&to)?;
        callee.callers.insert(node);
        callee.walked.result.clone()
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
        for register in 0..8 {
            let value = state.get(register);
            self.lose(&value, state.has);
            lose_frame(state, self, &value);
        }
    }

    /// A call to another library that takes so many arguments.
    pub fn hand(&mut self, state: &mut State, name: &str, arguments: usize) {
        if name == "__libc_start_main" {
            for register in [0, 3, 4] {
                if let Some(to) = state.get(register).as_constant() {
                    self.enter(to, &[PLAIN; 8], 0);
                    if let Some(node) = self.nodes.get_mut(&to) {
                        node.entry = Some(Entry::Start);
                    }
                }
            }
            return;
        }
        if matches!(name, "sigaction" | "signal" | "bsd_signal" | "sysv_signal") {
            let number = state.get(0);
            // A handler comes back behind the instruction by a long jump only.
            self.catches |= match number.as_alts() {
                Some(list) => list.iter().any(|alt| alt.value & 0xffff_ffff == 4),
                None => self
                    .program
                    .imports_any(&["siglongjmp", "longjmp", "_longjmp"]),
            };
        }
        for register in 0..arguments.min(8) {
            let value = state.get(register);
            self.lose(&value, state.has);
            lose_frame(state, self, &value);
        }
    }

    /// Functions whose address goes where it is not followed.
    pub fn lose_code(&mut self, value: &Val, has: Set) {
        for alt in value
            .as_alts()
            .unwrap_or(&[])
            .iter()
            .copied()
            .collect::<Vec<_>>()
        {
            match self.program.code(alt.value) {
                Some(Code::Own(to)) => {
                    // A page's address, for what lies there.
                    if to & 0xfff == 0 && !self.program.is_start(to) {
                        continue;
                    }
                    let why = format!(
                        "a pointer that {} hands on",
                        self.program.name(self.current)
                    );
                    self.enter_softly(to, has | alt.has, &why);
                }
                Some(Code::Resolved(resolver)) => self.resolve(resolver),
                _ => {}
            }
        }
    }

    /// Data whose address goes where it is not followed.
    fn share(&mut self, address: u64) {
        let (start, end) = match self.program.variable(address) {
            Some((start, size, _)) => (start, start.saturating_add(size)),
            None => (address, address.saturating_add(OBJECT)),
        };
        if self.shared.get(&start).is_some_and(|known| *known >= end) {
            return;
        }
        self.shared.insert(start, end);
        let cells: Vec<(u64, Val)> = (self.cells.range(start..end))
            .map(|(at, (_, value))| (*at, value.clone()))
            .collect();
        for (at, value) in cells {
            self.changed(at, 8);
            self.lose(&value, 0);
        }
        self.changed(start, (end - start).min(4096) as u32);
        // Tables without a symbol go on as long as there are pointers.
        let mut words: Vec<(u64, u64)> = Vec::new();
        let mut last = start;
        for (&at, &to) in self.program.words.range(start.saturating_sub(0)..) {
            if at >= end && (self.program.variable(address).is_some() || at > last + 24) {
                break;
            }
            last = at;
            words.push((at, to));
            if words.len() > 4096 {
                break;
            }
        }
        let table = self.program.variable(address).map_or_else(
            || format!("the table at {address:#x}"),
            |(.., name)| format!("the table {name}"),
        );
        for (_, to) in words {
            match self.program.code(to) {
                Some(Code::Own(to)) => self.enter_softly(to, 0, &table),
                Some(_) => {}
                None => self.share(to),
            }
        }
    }

    /// Those that read a variable are gone through again.
    fn changed(&mut self, address: u64, size: u32) {
        for part in address >> 4..=(address + u64::from(size.max(1)) - 1) >> 4 {
            if let Some(readers) = self.readers.get(&part) {
                self.queue.extend(readers);
            }
        }
    }

    fn is_shared(&self, address: u64, size: u32) -> bool {
        let end = address.saturating_add(u64::from(size));
        let before = self.shared.range(..end).rev().take(8);
        before.into_iter().any(|(_, known)| *known > address)
    }
}

impl Memory for Whole<'_> {
    fn load(&mut self, address: u64, size: u32) -> Val {
        match address.wrapping_sub(IFUNC_ARGUMENT) {
            8 if size == 8 => return Val::told(Told::Hwcap),
            16 if size == 8 => return Val::told(Told::Hwcap2),
            0 => return PLAIN,
            24..=4096 => return OPAQUE,
            _ => {}
        }
        if self.program.have_lse.contains(&address) && size == 1 {
            return Val::told(Told::HaveLse);
        }
        match self.program.variable(address) {
            Some((start, _, "__aarch64_cpu_features")) if start == address && size == 8 => {
                return Val::told(Told::CpuFeatures);
            }
            _ => {}
        }
        let end = address.saturating_add(u64::from(size));
        for part in address >> 4..=(end.saturating_sub(1)) >> 4 {
            self.readers.entry(part).or_default().insert(self.current);
        }
        let initial = self.program.initial(address, size).filter(|_| size <= 8);
        if !self.program.is_writable(address) {
            return initial.map_or(OPAQUE, Val::constant);
        }
        if self.is_shared(address, size) {
            return OPAQUE;
        }
        let mut out = match initial {
            // What begins as another value than zero was not asked yet, mostly.
            Some(value) => Val::constant(value).under(0, value != 0),
            None => return OPAQUE,
        };
        let near: Vec<(u64, u32, Val)> = (self.cells.range(address.saturating_sub(63)..end))
            .filter(|(at, (bytes, _))| **at + u64::from(*bytes) > address)
            .map(|(at, (bytes, value))| (*at, *bytes, value.clone()))
            .collect();
        for (at, bytes, value) in near {
            let whole = at == address && bytes >= size;
            let value = if whole {
                value.low_or_same(size * 8)
            } else {
                OPAQUE
            };
            out = out.join(&value);
        }
        out
    }

    fn store(&mut self, address: u64, size: u32, value: &Val) {
        let value = match value {
            Val::Stack(_) => &OPAQUE,
            other => other,
        };
        if self.is_shared(address, size) || !self.program.is_writable(address) {
            self.lose(value, 0);
            return;
        }
        let joined = match self.cells.get(&address) {
            // Of two sizes nothing is known.
            Some((bytes, known)) if *bytes == size => known.join(value),
            Some((_, known)) => {
                let known = known.clone();
                self.lose(&known, 0);
                OPAQUE
            }
            None => value.clone(),
        };
        let known = self.cells.get(&address);
        let bytes = known.map_or(size, |(bytes, _)| size.max(*bytes));
        if known.is_none_or(|(old, known)| *known != joined || *old != bytes) {
            if joined.as_alts().is_none() {
                let old = known.map(|(_, known)| known.clone());
                self.lose(value, 0);
                if let Some(old) = old {
                    self.lose(&old, 0);
                }
            }
            self.cells.insert(address, (bytes, joined));
            self.changed(address, bytes);
        }
    }

    fn lose(&mut self, value: &Val, has: Set) {
        self.lose_code(value, has);
        for alt in value
            .as_alts()
            .unwrap_or(&[])
            .iter()
            .copied()
            .collect::<Vec<_>>()
        {
            let to = alt.value;
            let is_named = self.program.variables.contains_key(&to);
            let is_data = self.program.initial(to, 1).is_some() && self.program.code(to).is_none();
            if is_data && !self.program.is_got(to) && (is_named || to & 0xfff != 0) {
                self.share(to);
            }
        }
    }
}

/// `getauxval` of what it is asked.
fn auxval(what: &Val) -> Val {
    match what.as_constant() {
        Some(16) => Val::told(Told::Hwcap),
        Some(26) => Val::told(Told::Hwcap2),
        // AT_HWCAP3, AT_HWCAP4, AT_PLATFORM.
        Some(29 | 30 | 15) | None => OPAQUE,
        Some(_) => PLAIN,
    }
}

/// What a function of another library does.
pub(super) struct Imported {
    pub value: Val,
    pub returns: bool,
    /// Whether it is not known what it does.
    pub doubt: bool,
    /// Registers that it takes.
    pub arguments: usize,
}

pub(super) fn import(name: &str, state: &State) -> Imported {
    let known = |value: Val, arguments: usize| Imported {
        value,
        returns: true,
        doubt: false,
        arguments,
    };
    match name {
        "getauxval" => known(auxval(&state.get(0)), 0),
        "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" | "__stack_chk_fail"
        | "__assert_fail" | "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk"
        | "__chk_fail" | "err" | "errx" | "_Unwind_Resume" | "__cxa_throw" | "__cxa_rethrow"
        | "_ZSt9terminatev" | "pthread_exit" => Imported {
            returns: false,
            ..known(PLAIN, 1)
        },
        // They read what they are given, and keep none of it.
        "printf" | "__printf_chk" | "fprintf" | "__fprintf_chk" | "puts" | "putchar" | "fputs"
        | "write" | "malloc" | "free" | "fflush" | "close" | "clock" | "rand" | "srand" => {
            known(PLAIN, 0)
        }
        "sprintf" | "snprintf" | "memset" | "calloc" | "realloc" | "time" => known(PLAIN, 1),
        "memcpy" | "memmove" | "read" => known(PLAIN, 2),
        // What they tell may be of the environment.
        "atoi" | "strtol" | "strlen" | "memcmp" | "strcmp" | "strncmp" => known(OPAQUE, 0),
        "__cxa_finalize"
        | "__gmon_start__"
        | "_ITM_registerTMCloneTable"
        | "_ITM_deregisterTMCloneTable" => known(PLAIN, 0),
        // An environment that overrides, and code that is tried.
        _ => Imported {
            doubt: true,
            ..known(OPAQUE, 8)
        },
    }
}
