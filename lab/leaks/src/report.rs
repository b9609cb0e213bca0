//! The states of all functions above the baseline, in the types of the model.

use super::a64;
use super::concerned::calling;
use super::known::known;
use super::listing::{count_states, keep, locate, obstacles};
use super::reach::Origin;
use super::said::{tells, unmatched};
use super::searches::File;
use super::settable::settable;
use super::settled::{Settling, is_open, questions, settle};
use super::whole::{Whole, built_for};
use super::xgetbv;
use karat_binary::BinaryError;
use karat_binary::read::image::Image;
use karat_flow::a64::sweep as arm_sweep;
use karat_flow::baseline::Baseline;
use karat_flow::cells::Detection;
use karat_flow::classes::Classes;
use karat_flow::facts::oracle::Oracle;
use karat_flow::facts::vouched::Vouched;
use karat_flow::program::{Entry, Program};
use karat_flow::sweep::{References, Sweep};
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};
use karat_symbolic::Auxiliary;
use karat_symbolic::Questions;
use std::cell::OnceCell;

/// Finds instructions above a baseline that are reached without asking the CPU.
///
/// The file is one linked x86-64 program or library of Linux, Windows or macOS, given as its
/// bytes; with a baseline of AArch64, one of Linux for that.
///
/// # Errors
/// When the bytes are no such file, or a damaged one.
pub fn leaks(bytes: &[u8], baseline: &Baseline) -> Result<LeakReport, BinaryError> {
    leaks_vouched(bytes, baseline, &Vouched::default())
}

/// [`leaks`], with what a user says of functions and variables of the file.
///
/// # Errors
/// When the bytes are no such file, or a damaged one.
pub fn leaks_vouched(
    bytes: &[u8],
    baseline: &Baseline,
    vouched: &Vouched,
) -> Result<LeakReport, BinaryError> {
    let told = Vouched::default();
    let looked = look(bytes, baseline, vouched, &told, LeakReport::LISTED, &|| {})?;
    Ok(looked.report)
}

/// What comes of looking for leaks in a file.
pub struct Looked {
    /// What needs more than the baseline.
    pub report: LeakReport,
    /// What its exported functions tell those that import them.
    pub tells: Vouched,
}

/// [`leaks_vouched`], with so many functions listed for each state. `told` is what other
/// files tell of names that this one may import; unlike what a user says in `said` it need
/// not be there. `let_go` is called where most of what was read of the bytes so far is not
/// read again: who mapped a file may give memory back.
///
/// # Errors
/// When the bytes are no such file, or a damaged one.
pub fn look(
    bytes: &[u8],
    baseline: &Baseline,
    said: &Vouched,
    told: &Vouched,
    most: usize,
    let_go: &dyn Fn(),
) -> Result<Looked, BinaryError> {
    looked(bytes, baseline, (said, told), most, let_go, How::Followed)
}

/// [`leaks`] by the search alone, which the program's start is not followed after: what tests of
/// the search go by.
///
/// # Errors
/// When the bytes are no such file, or a damaged one.
pub fn searched(bytes: &[u8], baseline: &Baseline) -> Result<LeakReport, BinaryError> {
    let said = Vouched::default();
    let looked = looked(
        bytes,
        baseline,
        (&said, &said),
        LeakReport::LISTED,
        &|| {},
        How::Searched,
    )?;
    Ok(looked.report)
}

/// Whether a program's start is followed too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Searched,
    Followed,
}

fn looked(
    bytes: &[u8],
    baseline: &Baseline,
    (said, told): (&Vouched, &Vouched),
    most: usize,
    let_go: &dyn Fn(),
    how: How,
) -> Result<Looked, BinaryError> {
    if baseline.is_arm() {
        return look_arm(bytes, baseline, said, most, how);
    }
    let mut vouched = said.clone();
    vouched.extend(told);
    vouched.extend(known());
    let vouched = &vouched;
    let image = Image::parse_linked_x86(bytes, "the search for leaks")?;
    let mut program = Program::read(&image)?;
    program.vouch(vouched);
    let unmatched = unmatched(&program, said);
    let_go();
    let classes = Classes::new(baseline);
    let sweep = sweep(&mut program, &classes);
    let_go();
    let mut report = LeakReport {
        baseline: baseline.text().to_string(),
        unmatched,
        ..LeakReport::default()
    };
    count(&mut report, &program, &sweep);
    if program.routines.iter().all(|r| r.names.is_empty()) {
        let limit = "the file has no symbols: functions are known by their unwind entries";
        report.limits.push(limit.into());
    }
    if let Some(whole) = Whole::of(&program, &sweep, &classes) {
        let mut functions = whole.functions(&program, &sweep, &classes, most);
        report.counts.above = whole.built_for.functions;
        report.counts.unknown = whole.built_for.functions;
        report.obstacles = obstacles(&functions);
        for known in &mut report.obstacles {
            known.functions = whole.built_for.functions;
            known.decide = whole.decide();
        }
        locate(&image, &mut functions);
        report.functions = functions;
        report.built_for = Some(whole.built_for);
        let tells = Vouched::default();
        return Ok(Looked { report, tells });
    }
    let detection = Detection::of(&program, &sweep, vouched);
    let_go();
    let oracle = Oracle::new(&program, &sweep, &detection, vouched, let_go);
    let_go();
    let file = File {
        program: &program,
        sweep: &sweep,
        classes: &classes,
        detection: &detection,
        oracle: &oracle,
        asking: &calling(&program, &sweep, &detection),
        begins: &OnceCell::new(),
        let_go,
    };
    let mut functions = file.states(Origin::Kernels);
    let mut asking = file.states(Origin::Asking);
    let open = xgetbv::open(&asking, &program);
    if how == How::Followed
        && (functions.iter().any(is_open) || !open.is_empty())
        && matches!(image.file, object::File::Elf64(_) | object::File::Pe64(_))
    {
        let mut questions = questions(&functions, &program);
        questions.asked.extend(open);
        let follow = |questions: &Questions| {
            karat_symbolic::explore(&image, &program, &sweep, &classes, questions)
        };
        let mut found = follow(&questions);
        if found.steps > 0 {
            questions.said = settable(&file);
        }
        let is_settable = !questions.said.is_empty();
        if is_settable && found.has_deaths() {
            found.keep_unsaid(follow(&questions));
        }
        let by = &Settling::new(&program, &classes, &found, is_settable);
        settle(&mut functions, Origin::Kernels, by);
        settle(&mut asking, Origin::Asking, by);
    }
    xgetbv::add(&mut functions, asking);
    let is_blind = oracle.is_blind();
    if is_blind || sweep.is_cut_short {
        // Nothing is certain where it is not known what variables hold, but what no branch
        // decides.
        let is_sure =
            |it: &AboveBaseline| it.reach == Reach::Leak && it.confidence == Certainty::High;
        for function in functions.iter_mut().filter(|it| !is_sure(it)) {
            function.confidence = Certainty::Low;
        }
    }
    functions.sort_by_key(|f| (f.reach, f.address));
    count_states(&mut report, &functions);
    let before_avx = (program.routines.iter().zip(&sweep.facts))
        .filter(|(routine, facts)| facts.before_avx && facts.above() == 0 && !routine.is_guess)
        .count() as u64;
    report.built_for = built_for(&report, &functions, &classes, before_avx);
    report.obstacles = obstacles(&functions);
    keep(&mut functions, most);
    let limits = &mut report.limits;
    if is_blind {
        limits.push(
            "the program is too large to follow what its variables hold of the CPU's answers: \
             what is said of its functions has a low confidence"
                .into(),
        );
    }
    if sweep.is_cut_short {
        limits.push(
            "code without names leads on behind more constants than are looked behind: what is \
             said of functions has a low confidence"
                .into(),
        );
    }
    locate(&image, &mut functions);
    report.functions = functions;
    let tells = tells(&program, &detection, &oracle);
    Ok(Looked { report, tells })
}

/// [`look`] in AArch64 code, by an analysis of its own.
fn look_arm(
    bytes: &[u8],
    baseline: &Baseline,
    said: &Vouched,
    most: usize,
    how: How,
) -> Result<Looked, BinaryError> {
    let image = Image::parse_linked_arm_elf(bytes, "the search for leaks")?;
    let found = a64::search(&image, baseline.extensions(), said);
    let mut functions = found.functions;
    let mut report = LeakReport {
        baseline: baseline.text().to_string(),
        unmatched: found.unmatched,
        ..LeakReport::default()
    };
    report.counts.functions = found.all;
    if how == How::Followed && functions.iter().any(is_open) {
        follow_arm(&image, baseline, &mut functions, found.auxiliary)?;
    }
    functions.sort_by_key(|f| (f.reach, f.address));
    count_states(&mut report, &functions);
    report.obstacles = obstacles(&functions);
    keep(&mut functions, most);
    if !found.has_names {
        let limit = "the file has no symbols: functions are known by their unwind entries";
        report.limits.push(limit.into());
    }
    if found.is_spent {
        let limit = "the file is too large to be followed: all states are unknown";
        report.limits.push(limit.into());
    }
    locate(&image, &mut functions);
    report.functions = functions;
    let tells = Vouched::default();
    Ok(Looked { report, tells })
}

/// What the search leaves open of a program is asked of the program itself.
fn follow_arm(
    image: &Image<'_>,
    baseline: &Baseline,
    functions: &mut [AboveBaseline],
    auxiliary: Auxiliary,
) -> Result<(), BinaryError> {
    let program = Program::read(image)?;
    // What a library's callers give may be a flag, and in what order they call nobody knows.
    if program.is_library {
        return Ok(());
    }
    let sweep = arm_sweep(&program, |name| !baseline.has(name));
    let classes = Classes::new(baseline);
    let mut questions = questions(functions, &program);
    questions.auxiliary = auxiliary;
    let found = karat_symbolic::explore(image, &program, &sweep, &classes, &questions);
    let by = Settling::new(&program, &classes, &found, false);
    settle(functions, Origin::Kernels, &by);
    Ok(())
}

/// Instructions of the code where a program starts, at most.
const START: u32 = 64;

/// How often code without names is cut again where it was found to begin, at most. cv2 of OpenCV
/// 5, which has 22 MB of it, takes four times.
const CUTS: u32 = 32;

/// Reads all code; guessed regions are cut where calls and pointers lead.
pub fn sweep(program: &mut Program<'_>, classes: &Classes) -> Sweep {
    let mut sweep = Sweep::run(program, classes);
    program.enter_slots();
    // What the C run-time is handed where a program starts is `main`.
    if let Some(start) = program.routine_at(program.start)
        && sweep.facts[start as usize].instructions < START
    {
        for (to, at) in &sweep.taken {
            if program.routine_at(at) == Some(start) {
                program.enter(to, Entry::Start);
            }
        }
    }
    if program.routines.iter().any(|routine| routine.is_open) {
        // Assembly has its constants between its functions.
        let lists = [
            &sweep.edges,
            &sweep.taken,
            &program.pointers,
            &sweep.embedded,
        ];
        // Each is sorted: of many references to one address the first will do, and to sort is to
        // merge four.
        let lists = lists.into_iter();
        let mut starts: Vec<u64> = lists.flat_map(References::targets).collect();
        starts.append(&mut sweep.ends);
        // Where the file is entered a function begins, though nothing in it leads there.
        starts.extend(program.entries.keys());
        starts.sort();
        starts.dedup();
        // What lies behind a constant is read once something leads there, and leads further.
        for round in 0.. {
            let cut = program.cut(&starts);
            if cut.is_empty() {
                break;
            }
            starts = sweep.repeat(program, classes, &cut);
            if round == CUTS {
                sweep.is_cut_short = true;
                break;
            }
        }
        sweep.end_cuts();
    }
    program.find_cpu_model(&sweep);
    program.find_ia32cap(&sweep);
    program.find_go_flags();
    sweep
}

/// Counts all functions, those that cannot be read, and `tzcnt`.
fn count(report: &mut LeakReport, program: &Program<'_>, sweep: &Sweep) {
    let counts = &mut report.counts;
    for (routine, facts) in program.routines.iter().zip(&sweep.facts) {
        if facts.instructions == 0 || routine.is_guess {
            continue;
        }
        counts.functions += 1;
        counts.withheld += u64::from(facts.undecodable);
        report.tzcnt += u64::from(facts.tzcnt);
    }
}
