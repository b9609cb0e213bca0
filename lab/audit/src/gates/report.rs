//! What is found of each gate function, in the types of the model.

use super::bodies::{Body, bodies, instructions_of, source_line};
use super::condition::guard;
use karat_binary::BinaryError;
use karat_binary::attribute::target::Target;
use karat_binary::debug::debug_file::attach;
use karat_binary::debug::dwarf::Dwarf;
use karat_binary::read::image::Image;
use karat_binary::read::sections::DebugSections;
use karat_flow::baseline::Baseline;
use karat_flow::classes::Classes;
use karat_flow::graph::Flow;
use karat_flow::program::Program;
use karat_flow::sweep::{Sweep, to};
use karat_leaks::locations;
use karat_leaks::sweep;
use karat_model::finding::Location;
use karat_model::gates::{Gate, GateCall, Via};
use std::collections::BTreeMap;

/// Gates, and where they must be watched to see whether they are asked.
pub struct GateSites {
    /// What is known of each, in the order of their names.
    pub gates: Vec<Gate>,
    /// By gate and call: all instructions of an inlined body or a line, in the order in
    /// which they lie, the one at [`GateCall::address`] among them. Of a folded body the
    /// instruction at its place, if one is sure to begin there. Empty for calls.
    pub bodies: Vec<Vec<Vec<u64>>>,
}

/// Tells of each named function whether it is in the file, where it is called or
/// inlined, and which branch decides whether that is reached. Names are those of
/// [`Options::expected`](crate::Options::expected), or `file:line`.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn gates(bytes: &[u8], names: &[String]) -> Result<Vec<Gate>, BinaryError> {
    Ok(gate_sites(bytes, None, &[], names)?.gates)
}

/// [`gates`], with the places to watch. `debug` is the separate debug file, where there
/// is one, and `split` are `.dwp` or `.dwo` files.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn gate_sites(
    bytes: &[u8],
    debug: Option<&[u8]>,
    split: &[&[u8]],
    names: &[String],
) -> Result<GateSites, BinaryError> {
    let mut image = Image::parse_elf_x86(bytes, "the search for gates")?;
    if let Some(debug) = debug {
        attach(&mut image, debug)?;
    }
    let mut program = Program::read(&image)?;
    // Which instructions are above it does not matter here.
    let baseline =
        Baseline::parse("x86-64").map_err(|error| BinaryError::malformed("the baseline", error))?;
    let sweep = sweep(&mut program, &Classes::new(&baseline));
    let sections = DebugSections::read(&image, split)?;
    let dwarf = Dwarf::read(&sections)?;
    let bodies = bodies(&image, &dwarf, names)?;
    let mut search = Search {
        program: &program,
        sweep: &sweep,
        dwarf: &dwarf,
        flows: BTreeMap::new(),
    };
    let mut out = GateSites {
        gates: Vec::new(),
        bodies: Vec::new(),
    };
    for (name, bodies) in names.iter().zip(bodies) {
        let gate = search.gate(name, &bodies);
        let calls = gate.calls.len() - bodies.len();
        let mut instructions = vec![Vec::new(); calls];
        instructions.extend(bodies.iter().map(|body| match body.ranges.is_empty() {
            true => search.instruction_at(&image, body.start),
            false => instructions_of(&image, &body.ranges),
        }));
        out.bodies.push(instructions);
        out.gates.push(gate);
    }
    let calls = || out.gates.iter().flat_map(|gate| &gate.calls);
    let mut addresses: Vec<u64> = calls().map(|call| call.address).collect();
    addresses.extend(calls().filter_map(|call| Some(call.guard.as_ref()?.address)));
    let places = locations(&image, &addresses);
    for call in out.gates.iter_mut().flat_map(|gate| &mut gate.calls) {
        if call.location.is_none() {
            call.location = places.get(&call.address).cloned();
        }
        if let Some(guard) = &mut call.guard {
            guard.location = places.get(&guard.address).cloned();
        }
    }
    Ok(out)
}

struct Search<'p> {
    program: &'p Program<'p>,
    sweep: &'p Sweep,
    dwarf: &'p Dwarf<'p>,
    flows: BTreeMap<u32, Option<Flow>>,
}

impl Search<'_> {
    fn gate(&mut self, name: &str, bodies: &[Body]) -> Gate {
        let (program, sweep) = (self.program, self.sweep);
        let target = source_line(name).is_none().then(|| Target::new(name));
        let mut gate = Gate {
            name: name.to_string(),
            addresses: Vec::new(),
            instructions: 0,
            calls: Vec::new(),
            pointers: 0,
            caveat: None,
            summary: String::new(),
            hits: None,
            state: None,
            advice: None,
        };
        for (routine, known) in program.routines.iter().enumerate() {
            let is_named = |target: &Target| known.names.iter().any(|n| target.matches_symbol(n));
            if !target.as_ref().is_some_and(is_named) {
                continue;
            }
            gate.addresses.push(known.start);
            gate.instructions += u64::from(sweep.facts[routine].instructions);
            gate.pointers += to(&sweep.taken, known.start).len() as u64;
            gate.pointers += to(&program.pointers, known.start).len() as u64;
            for (_, at) in to(&sweep.edges, known.start) {
                if program.routine_at(at) != Some(routine as u32) {
                    gate.calls.push(self.call(at, Via::Call, None));
                }
            }
        }
        gate.addresses.sort_unstable();
        let via = match target {
            Some(_) => Via::Inlined,
            None => Via::Line,
        };
        for body in bodies {
            let via = match body.ranges.is_empty() {
                true => Via::Folded,
                false => via,
            };
            let call = self.call(body.start, via, body.location.clone());
            gate.calls.push(call);
        }
        gate.caveat = self.dwarf.problem.as_ref().map(|problem| match via {
            Via::Line => format!("a line cannot be found: {problem}"),
            _ => format!("calls that were inlined cannot be seen: {problem}"),
        });
        gate.summary = summary(&gate);
        gate
    }

    /// The place of a folded body, if the code around it is decoded to an instruction
    /// there: debug information alone is not trusted with a breakpoint.
    fn instruction_at(&self, image: &Image<'_>, at: u64) -> Vec<u64> {
        let Some(routine) = self.program.routine_at(at) else {
            return Vec::new();
        };
        let ranges = &self.program.routines[routine as usize].ranges;
        let around: Vec<_> = ranges
            .iter()
            .copied()
            .filter(|(start, end)| *start <= at && at < *end)
            .collect();
        let mut found = instructions_of(image, &around);
        found.retain(|instruction| *instruction == at);
        found
    }

    /// One call, or the first instruction of a body.
    fn call(&mut self, at: u64, via: Via, location: Option<Location>) -> GateCall {
        let (program, sweep) = (self.program, self.sweep);
        let mut call = GateCall {
            caller: "[no function]".into(),
            address: at,
            via,
            location,
            guard: None,
            dead: None,
            hits: None,
        };
        let Some(routine) = program.routine_at(at) else {
            return call;
        };
        call.caller = program.name(routine);
        let start = program.routines[routine as usize].start;
        let is_used = !to(&sweep.edges, start).is_empty()
            || !to(&sweep.taken, start).is_empty()
            || !to(&program.pointers, start).is_empty()
            || program.entries.contains_key(&start);
        if !is_used {
            call.dead = Some(format!("nothing in the file refers to {}", call.caller));
        }
        let flow = self
            .flows
            .entry(routine)
            .or_insert_with(|| Flow::of(program, sweep, routine));
        if let Some(flow) = flow {
            call.guard = guard(program, sweep, flow, at, via != Via::Call);
            let reached = flow.reach(&[0], |_| false, &[]);
            if flow.block_at(at).is_some_and(|block| !reached.has(block)) {
                call.dead = Some("no jump in the function leads here".into());
            }
        }
        call
    }
}

/// The answer in one sentence.
fn summary(gate: &Gate) -> String {
    let of = |via| gate.calls.iter().filter(|call| call.via == via).count();
    let (called, folded) = (of(Via::Call), of(Via::Folded));
    let inlined = gate.calls.len() - called - folded;
    let is_line = source_line(&gate.name).is_some();
    let places = |count: usize| match count {
        1 => "1 place".to_string(),
        count => format!("{count} places"),
    };
    let mut parts = Vec::new();
    match gate.addresses.len() {
        0 if is_line && inlined == 0 => {
            return format!("{}: not in the assembly: no code has this line", gate.name);
        }
        0 if is_line => {}
        0 if inlined + folded == 0 => {
            return format!(
                "{}: not in the assembly: no symbol and no inlined body",
                gate.name
            );
        }
        0 => parts.push("no function of its own".to_string()),
        copies => {
            let copies = match copies {
                1 => String::new(),
                copies => format!("{copies} copies, "),
            };
            parts.push(format!(
                "in the assembly ({copies}{} instructions)",
                gate.instructions
            ));
        }
    }
    if called > 0 || inlined + folded == 0 {
        parts.push(format!("called at {}", places(called)));
    }
    if is_line {
        parts.push(format!("code at {}", places(inlined)));
    } else if inlined > 0 {
        parts.push(format!("inlined at {}", places(inlined)));
    }
    if folded > 0 {
        parts.push(format!(
            "folded into the code around it at {}",
            places(folded)
        ));
    }
    let total = gate.calls.len();
    let mut by_variable: BTreeMap<&str, usize> = BTreeMap::new();
    let guards = || gate.calls.iter().filter_map(|call| call.guard.as_ref());
    for variable in guards().filter_map(|guard| guard.variable.as_deref()) {
        *by_variable.entry(variable).or_default() += 1;
    }
    let most = by_variable.iter().max_by_key(|(_, count)| **count);
    match most {
        Some((variable, count)) if *count == total => {
            parts.push(format!("all behind a branch on {variable}"));
        }
        Some((variable, count)) => {
            parts.push(format!("{count} of them behind a branch on {variable}"));
        }
        None if total > 0 => {
            let guarded = guards().count();
            parts.push(format!("{guarded} of them behind a branch"));
        }
        None => {}
    }
    let constant = guards().filter(|guard| guard.constant.is_some()).count();
    if constant > 0 {
        parts.push(format!(
            "{constant} behind a branch that can go one way only"
        ));
    }
    let dead = gate.calls.iter().filter(|call| call.dead.is_some()).count();
    if dead > 0 {
        parts.push(format!("{dead} never reached"));
    }
    format!("{}: {}", gate.name, parts.join(", "))
}
