//! What is found of each gate function, in the types of the model.

use super::condition::guard;
use crate::leaks::report::sweep;
use crate::locations::locations;
use karat_binary::BinaryError;
use karat_binary::attribute::target::Target;
use karat_binary::debug::dwarf::{Dwarf, dwarf_error};
use karat_binary::debug::inlines::{Inlines, NO_PARENT, Trees};
use karat_binary::debug::lines::Lines;
use karat_binary::flow::baseline::Baseline;
use karat_binary::flow::baseline::Classes;
use karat_binary::flow::graph::Flow;
use karat_binary::flow::program::Program;
use karat_binary::flow::sweep::{Sweep, to};
use karat_binary::read::image::Image;
use karat_binary::read::sections::DebugSections;
use karat_model::finding::Location;
use karat_model::gates::{Gate, GateCall};
use std::collections::BTreeMap;

/// Tells of each named function whether it is in the file, where it is called or
/// inlined, and which branch decides whether that is reached. Names are those of
/// [`Options::expected`](crate::Options::expected).
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn gates(bytes: &[u8], names: &[String]) -> Result<Vec<Gate>, BinaryError> {
    let image = Image::parse_elf_x86(bytes, "the search for gates")?;
    let mut program = Program::read(&image)?;
    // Which instructions are above it does not matter here.
    let baseline =
        Baseline::parse("x86-64").map_err(|error| BinaryError::malformed("the baseline", error))?;
    let sweep = sweep(&mut program, &Classes::new(&baseline));
    let sections = DebugSections::read(&image, &[])?;
    let dwarf = Dwarf::read(&sections)?;
    let targets: Vec<Target> = names.iter().map(|name| Target::new(name)).collect();
    let inlined = inlined(&image, &dwarf, &targets)?;
    let mut search = Search {
        program: &program,
        sweep: &sweep,
        dwarf: &dwarf,
        flows: BTreeMap::new(),
    };
    let mut out: Vec<Gate> = names
        .iter()
        .zip(targets.iter().zip(inlined))
        .map(|(name, (target, inlined))| search.gate(name, target, inlined))
        .collect();
    let calls = || out.iter().flat_map(|gate| &gate.calls);
    let mut addresses: Vec<u64> = calls().map(|call| call.address).collect();
    addresses.extend(calls().filter_map(|call| Some(call.guard.as_ref()?.address)));
    let places = locations(&image, &addresses);
    for call in out.iter_mut().flat_map(|gate| &mut gate.calls) {
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
    fn gate(&mut self, name: &str, target: &Target, inlined: Vec<Inlined>) -> Gate {
        let (program, sweep) = (self.program, self.sweep);
        let mut gate = Gate {
            name: name.to_string(),
            addresses: Vec::new(),
            instructions: 0,
            calls: Vec::new(),
            pointers: 0,
            caveat: None,
            summary: String::new(),
        };
        for (routine, known) in program.routines.iter().enumerate() {
            if !known.names.iter().any(|name| target.matches_symbol(name)) {
                continue;
            }
            gate.addresses.push(known.start);
            gate.instructions += u64::from(sweep.facts[routine].instructions);
            gate.pointers += to(&sweep.taken, known.start).len() as u64;
            gate.pointers += to(&program.pointers, known.start).len() as u64;
            for &(_, at) in to(&sweep.edges, known.start) {
                if program.routine_at(at) != Some(routine as u32) {
                    gate.calls.push(self.call(at, None));
                }
            }
        }
        gate.addresses.sort_unstable();
        let inlined = inlined.into_iter();
        let calls = inlined.map(|(at, location)| self.call(at, Some(location)));
        gate.calls.extend(calls);
        gate.caveat = self
            .dwarf
            .problem
            .as_ref()
            .map(|problem| format!("calls that were inlined cannot be seen: {problem}"));
        gate.summary = summary(&gate);
        gate
    }

    /// One call, or the first instruction of an inlined body.
    fn call(&mut self, at: u64, inlined: Option<Option<Location>>) -> GateCall {
        let (program, sweep) = (self.program, self.sweep);
        let is_inlined = inlined.is_some();
        let mut call = GateCall {
            caller: "[no function]".into(),
            address: at,
            inlined: is_inlined,
            location: inlined.flatten(),
            guard: None,
            dead: None,
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
            call.guard = guard(program, sweep, flow, at, is_inlined);
            let reached = flow.reach(&[0], |_| false, &[]);
            if flow.block_at(at).is_some_and(|block| !reached.has(block)) {
                call.dead = Some("no jump in the function leads here".into());
            }
        }
        call
    }
}

/// First address of an inlined body, and where its call is written.
type Inlined = (u64, Option<Location>);

/// Bodies inlined into other functions, by target, in the order of addresses.
fn inlined(
    image: &Image<'_>,
    dwarf: &Dwarf<'_>,
    targets: &[Target],
) -> Result<Vec<Vec<Inlined>>, BinaryError> {
    let mut tables = Lines::default();
    let mut trees = Trees::default();
    let mut out: Vec<Vec<Inlined>> = vec![Vec::new(); targets.len()];
    for index in 0..dwarf.units.len() {
        if !dwarf.units[index].has_code {
            continue;
        }
        let place = format!(
            "section .debug_info, the unit at {:#x}",
            dwarf.units[index].offset
        );
        let open = dwarf.open(index).map_err(dwarf_error(place))?;
        let places = tables.read_unit(image, dwarf, &open)?;
        let inlines = Inlines::read_unit(image, dwarf, &open, &mut tables, &places, &mut trees)?;
        for (target, out) in targets.iter().zip(&mut out) {
            of_unit(dwarf, &tables, &inlines, target, out);
        }
    }
    for found in &mut out {
        found.sort_by_key(|(at, _)| *at);
    }
    Ok(out)
}

fn of_unit(
    dwarf: &Dwarf<'_>,
    tables: &Lines,
    inlines: &Inlines<'_>,
    target: &Target,
    out: &mut Vec<Inlined>,
) {
    let matches: Vec<bool> = inlines
        .frames
        .iter()
        .map(|frame| target.matches_frame(frame, dwarf, tables))
        .collect();
    if !matches.contains(&true) {
        return;
    }
    let mut first: BTreeMap<u32, u64> = BTreeMap::new();
    for range in &inlines.ranges {
        let mut node = range.value;
        while node != NO_PARENT {
            let body = &inlines.nodes[node as usize];
            let is_gate = body.frame.is_some_and(|frame| matches[frame as usize]);
            if is_gate && body.parent != NO_PARENT {
                let at = first.entry(node).or_insert(range.start);
                *at = (*at).min(range.start);
            }
            node = body.parent;
        }
    }
    out.extend(first.into_iter().map(|(node, at)| {
        let body = &inlines.nodes[node as usize];
        let location = body.call_file.map(|file| Location {
            file: tables.files[file as usize].path.clone(),
            line: body.call_line,
            column: None,
            address: Some(at),
        });
        (at, location)
    }));
}

/// The answer in one sentence.
fn summary(gate: &Gate) -> String {
    let inlined = gate.calls.iter().filter(|call| call.inlined).count();
    let called = gate.calls.len() - inlined;
    let places = |count: usize| match count {
        1 => "1 place".to_string(),
        count => format!("{count} places"),
    };
    let mut parts = Vec::new();
    match gate.addresses.len() {
        0 if inlined == 0 => {
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
    if called > 0 || inlined == 0 {
        parts.push(format!("called at {}", places(called)));
    }
    if inlined > 0 {
        parts.push(format!("inlined at {}", places(inlined)));
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
