//! What the search leaves open, settled by following the program's start with CPUID's bits as
//! symbols (`karat_symbolic`).

use super::certain::HANDLER;
use super::offence::offence;
use super::reach::Origin;
use karat_flow::a64::features;
use karat_flow::classes::Classes;
use karat_flow::program::Program;
use karat_model::leaks::{AboveBaseline, Certainty, GateKind, GuardedBy, Reach, Step};
use karat_symbolic::{Auxiliary, Death, Facts, Found, Questions, Reached, Sure};

/// Steps of a path that are shown: the first and the last.
const PATH: usize = 12;

/// Whether the search left something open that following the start may settle.
pub(super) fn is_open(function: &AboveBaseline) -> bool {
    match function.reach {
        Reach::Unknown => true,
        Reach::Guarded => function.confidence != Certainty::High,
        Reach::Leak | Reach::Insufficient => true,
        Reach::Exported | Reach::Unreferenced => false,
    }
}

/// What is asked about.
pub(super) fn questions(functions: &[AboveBaseline], program: &Program<'_>) -> Questions {
    let routines = |is_one: &dyn Fn(&AboveBaseline) -> bool| {
        let all = functions.iter().filter(|function| is_one(function));
        all.filter_map(|function| program.routine_at(function.address))
            .collect()
    };
    Questions {
        asked: asked(functions, program),
        open: routines(&is_open),
        deadly: routines(&|function| {
            let is_deadly = matches!(function.reach, Reach::Leak | Reach::Insufficient);
            is_deadly && function.confidence == Certainty::High
        }),
        auxiliary: Auxiliary::default(),
        said: Vec::new(),
    }
}

/// The routines that are asked about: those that nothing guards. Where there are none, those that
/// are not guarded for certain; what a resolver picks is not in doubt.
fn asked(functions: &[AboveBaseline], program: &Program<'_>) -> Vec<u32> {
    let open = || functions.iter().filter(|function| is_open(function));
    let routine = |function: &AboveBaseline| program.routine_at(function.address);
    let is_picked = |function: &&AboveBaseline| {
        let mut gates = function.gates.iter();
        gates.any(|gate| gate.kind == GateKind::Ifunc)
    };
    // In Go a gate of which it is not known what it asks says little.
    let is_go = karat_symbolic::is_go(program);
    let is_loose = |function: &&AboveBaseline| {
        function.reach != Reach::Guarded || is_go && function.confidence == Certainty::Low
    };
    let loose = open().filter(is_loose);
    let all: Vec<u32> = loose.filter_map(routine).collect();
    match all.is_empty() {
        true => (open().filter(|f| !is_picked(f)).filter_map(routine)).collect(),
        false => all,
    }
}

/// Whether the search saw a gate, but not what it asks, in a program of Go's: it follows registers
/// as C's routines use them.
fn is_doubted(function: &AboveBaseline, found: &Found) -> bool {
    let is_blank = function.gates.iter().all(|gate| gate.features.is_empty());
    found.is_go && function.reach == Reach::Guarded && is_blank
}

/// Whether the search says that what is asked is too little, and a program's start was followed,
/// and no CPU was seen to die there for certain. What a gate asks is the harder part of the search.
fn is_unproven(function: &AboveBaseline, reached: Option<&Reached>, found: &Found) -> bool {
    let death = reached.and_then(|reached| reached.death.as_ref());
    function.reach == Reach::Insufficient
        && found.steps > 0
        && death.is_none_or(|death| death.sure != Sure::Yes)
}

/// Puts what was found in the place of what was left open.
pub(super) fn settle(functions: &mut [AboveBaseline], origin: Origin, settling: &Settling<'_>) {
    let Settling { program, found, .. } = *settling;
    let routines = match origin {
        Origin::Kernels => &found.routines,
        Origin::Asking => &found.asking,
    };
    for function in functions.iter_mut() {
        if is_doubted(function, found) {
            function.confidence = Certainty::Low;
            for gate in &mut function.gates {
                gate.confidence = Certainty::Low;
            }
        }
    }
    for function in functions.iter_mut().filter(|function| is_open(function)) {
        let routine = program.routine_at(function.address);
        let reached = routine.and_then(|routine| routines.get(&routine));
        let is_certain = function.confidence == Certainty::High;
        if is_certain && !program.is_library && is_unproven(function, reached, found) {
            function.confidence = Certainty::Medium;
        }
        let Some(reached) = reached else {
            let is_uncalled = routine.is_some_and(|routine| found.uncalled.contains(&routine));
            if is_uncalled && function.reach == Reach::Unknown {
                stays(function, Certainty::Low);
            }
            continue;
        };
        match &reached.death {
            // Other runs may go elsewhere.
            _ if reached.is_tried
                && (function.reach == Reach::Unknown
                    || is_certain && found.is_complete && reached.death.is_none()
                    || !is_certain && is_misread(function, &reached.others, program)) =>
            {
                settling.tried(function);
            }
            _ if reached.is_tried => {}
            // It may be code that the program tries.
            Some(death) if function.obstacle == HANDLER && death.on.is_none() => {}
            // A library's callers may have asked, as names of functions say.
            Some(_) if function.reach == Reach::Guarded && program.is_library => {}
            // It is known already.
            Some(_) if is_certain && function.reach != Reach::Unknown => {}
            Some(death) if death.sure != Sure::No => settling.dies(function, death),
            None if found.is_complete && is_certain => disagree(function),
            None if found.is_complete => settling.lives(function, reached),
            _ if reached.is_closed && !is_certain => match reached.guards.is_empty() {
                true => stays(function, Certainty::Medium),
                false => settling.lives(function, reached),
            },
            _ => {}
        }
    }
}

/// Whether the search says that nothing decides, or too little is asked, and a CPU that has all of
/// that did not come there where others did.
fn is_misread(function: &AboveBaseline, others: &[Facts], program: &Program<'_>) -> bool {
    let names = function.gates.iter().flat_map(|gate| &gate.features);
    let asked = known(names.map(String::as_str), program).extensions();
    let is_bad = matches!(function.reach, Reach::Leak | Reach::Insufficient);
    let are_said = function.gates.iter().all(|gate| !gate.features.is_empty());
    is_bad && are_said && others.iter().any(|has| asked.without(*has).is_none())
}

/// What gates ask for, by names.
fn known<'n>(names: impl Iterator<Item = &'n str>, program: &Program<'_>) -> Facts {
    match program.is_arm {
        true => {
            let set = |name| features::known(name).unwrap_or(features::OTHER);
            Facts::of_arm(names.fold(0, |all, name| all | set(name)))
        }
        false => Facts::of(names),
    }
}

/// The search is certain that it runs, and following the program's start did not come to it
/// without an answer: one of both is wrong.
fn disagree(out: &mut AboveBaseline) {
    out.reach = Reach::Unknown;
    out.confidence = Certainty::Low;
    out.path = Vec::new();
    out.gates = Vec::new();
    out.lacks = Vec::new();
    out.reason =
        "a way without a gate was found, but not when the program's start was followed".into();
    out.obstacle = "what decides between the two".into();
}

/// Nothing leads to it.
fn stays(out: &mut AboveBaseline, confidence: Certainty) {
    out.reach = Reach::Unreferenced;
    out.confidence = confidence;
    out.path = Vec::new();
    out.gates = Vec::new();
    out.lacks = Vec::new();
    out.reason = String::new();
    out.obstacle = String::new();
}

/// Those that imply none of the others: what else CPUs have says nothing of the gate.
fn least(all: &[Facts]) -> impl Iterator<Item = &Facts> {
    let implies = |one: &Facts, other: &Facts| other.without(*one).is_none();
    all.iter().filter(move |one| {
        let mut others = all.iter().filter(|other| !implies(other, one));
        !others.any(|other| implies(one, other))
    })
}

/// By what it is settled.
pub(super) struct Settling<'p> {
    program: &'p Program<'p>,
    classes: &'p Classes,
    found: &'p Found,
    /// A library's user may say what decides: not each word was tried.
    is_settable: bool,
}

impl<'p> Settling<'p> {
    pub(super) fn new(
        program: &'p Program<'p>,
        classes: &'p Classes,
        found: &'p Found,
        is_settable: bool,
    ) -> Self {
        Self {
            program,
            classes,
            found,
            is_settable,
        }
    }

    fn dies(&self, out: &mut AboveBaseline, death: &Death) {
        let asked = death.has.extensions().names();
        // The gate that the search found stays.
        if out.reach == Reach::Insufficient {
            if death.sure == Sure::Yes && !self.program.is_library {
                out.confidence = Certainty::High;
            }
            return;
        }
        let is_asked = match death.on {
            Some(_) => !self.found.asks.is_empty(),
            None => !asked.is_empty(),
        };
        out.reach = match is_asked {
            true => Reach::Insufficient,
            false => Reach::Leak,
        };
        // What a library exports may be for callers who asked.
        out.confidence = match death.sure {
            Sure::Yes if !self.program.is_library && !self.is_told_in_part(&out.extensions) => {
                Certainty::High
            }
            _ => Certainty::Medium,
        };
        out.first = offence(self.program, self.classes, death.at);
        out.path = self.path(death);
        out.gates = Vec::new();
        out.lacks = Vec::new();
        out.obstacle = String::new();
        out.reason = String::new();
        if out.reach == Reach::Insufficient {
            let known = match death.on {
                Some(_) => Facts::NONE,
                None => death.has,
            };
            out.gates = vec![self.gate(known, out.confidence, death.at)];
            out.lacks = death.need.without(death.has.together()).names();
            let lacks = out.lacks.join(" and ");
            out.reason = match death.on {
                Some(name) => {
                    format!("a run without arguments on {name} comes here, which lacks {lacks}")
                }
                None => format!(
                    "what is asked implies {}; the code needs {lacks}",
                    asked.join(" and ")
                ),
            };
        }
    }

    /// Whether what it needs is not told for certain: SVE's encodings are told from SVE2's in part.
    fn is_told_in_part(&self, extensions: &[String]) -> bool {
        self.program.is_arm && extensions.iter().any(|name| name.starts_with("sve"))
    }

    /// In a run without arguments CPUs come to it that have what it needs, and no others: the CPU
    /// decides, at least there.
    fn tried(&self, out: &mut AboveBaseline) {
        out.reach = Reach::Guarded;
        out.confidence = Certainty::Low;
        let mut gate = self.gate(Facts::NONE, Certainty::Low, out.address);
        gate.asks = "what tells apart the CPUs that come here in a run without arguments".into();
        out.gates = vec![gate];
        out.lacks = Vec::new();
        out.path = Vec::new();
        out.reason = String::new();
        out.obstacle = String::new();
    }

    /// What was asked, where the CPU was asked first.
    fn gate(&self, has: Facts, confidence: Certainty, kernel: u64) -> GuardedBy {
        let asks = self.found.asks.first().copied();
        let function = asks.and_then(|at| self.program.routine_at(at));
        GuardedBy {
            kind: GateKind::Branch,
            function: function.map_or(String::new(), |routine| self.program.name(routine)),
            address: asks.unwrap_or(kernel),
            asks: match self.program.is_arm {
                true => "hwcap".into(),
                false => "cpuid".into(),
            },
            features: has.names(),
            confidence,
        }
    }

    /// The calls from the start to the offending instruction.
    fn path(&self, death: &Death) -> Vec<Step> {
        let calls = death.path.iter().skip(1).map(|(_, call)| *call);
        let places = calls.chain([death.at]);
        let step = |((start, _), address): (&(u64, u64), u64)| Step {
            function: match self.program.routine_at(*start) {
                Some(routine) => self.program.name(routine),
                None => format!("[{start:#x}]"),
            },
            address,
            location: None,
        };
        let mut steps: Vec<Step> = death.path.iter().zip(places).map(step).collect();
        if steps.len() > PATH {
            steps.drain(PATH / 2..steps.len() - PATH / 2);
        }
        steps
    }

    fn lives(&self, out: &mut AboveBaseline, reached: &Reached) {
        if self.is_settable && matches!(out.reach, Reach::Leak | Reach::Insufficient) {
            disagree(out);
            out.reason = "a way without a gate was found, but not when the file was followed; its \
                          user may say what decides"
                .into();
            return;
        }
        // A library's functions are called in other orders too.
        let is_sure = !reached.is_unsure
            && !self.found.is_passed
            && !self.program.is_library
            && !self.is_told_in_part(&out.extensions);
        let confidence = match is_sure {
            true => Certainty::High,
            false if self.is_settable => Certainty::Low,
            false => Certainty::Medium,
        };
        let gate = |has: &Facts| self.gate(*has, confidence, out.address);
        let mut gates: Vec<GuardedBy> = least(&reached.guards).take(4).map(gate).collect();
        // Those that the search found say more of where they are.
        if out.reach == Reach::Guarded && !out.gates.is_empty() {
            gates = std::mem::take(&mut out.gates);
            for gate in &mut gates {
                gate.confidence = confidence;
            }
        }
        out.reach = Reach::Guarded;
        out.confidence = confidence;
        out.gates = gates;
        out.lacks = Vec::new();
        out.path = Vec::new();
        out.reason = String::new();
        out.obstacle = String::new();
    }
}
