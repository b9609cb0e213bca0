//! What takes certainty from a way on which no gate was seen: a handler of SIGILL, and branches
//! (`fixtures/tried.c`).

use crate::build::cc;
use karat_audit::{Baseline, searched as leaks};
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

const BUILDS: [&[&str]; 3] = [&["-O2"], &["-O0"], &["-O2", "-s"]];

/// How the kernel stands.
fn kernel(all: &[&str]) -> AboveBaseline {
    kernel_of("tried.c", all)
}

fn kernel_of(fixture: &str, all: &[&str]) -> AboveBaseline {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = leaks(&cc(fixture, all).bytes, &baseline).expect("a sound binary");
    assert_eq!(report.functions.len(), 1, "{all:?}: {report:#?}");
    report.functions.into_iter().next().expect("one")
}

fn is_tried(all: &[&str]) {
    let kernel = kernel(all);
    assert_eq!(kernel.reach, Reach::Unknown, "{all:?}: {kernel:#?}");
    assert_eq!(kernel.obstacle, "the handler of SIGILL", "{all:?}");
}

fn leaks_by(all: &[&str], confidence: Certainty) {
    let kernel = kernel(all);
    assert_eq!(kernel.reach, Reach::Leak, "{all:?}: {kernel:#?}");
    assert_eq!(kernel.confidence, confidence, "{all:?}: {kernel:#?}");
}

#[test]
fn what_runs_under_a_handler_of_sigill_may_be_tried() {
    for flags in BUILDS {
        leaks_by(flags, Certainty::High);
        let of = |number| [&["-DSETTER=signal", number], flags].concat();
        is_tried(&of("-DNUMBER=4"));
        is_tried(&of("-DNUMBER=data[1]"));
        is_tried(&of("-DJOINED"));
        // SIGTERM.
        leaks_by(&of("-DNUMBER=15"), Certainty::High);
        // SIG_DFL and SIG_IGN are no handlers: without one the program ends.
        for none in ["-DHANDLER=(void(*)(int))0", "-DHANDLER=(void(*)(int))1"] {
            let all = [&of("-DNUMBER=4")[..], &[none]].concat();
            leaks_by(&all, Certainty::High);
        }
    }
}

/// As in a program that is linked statically.
#[test]
fn a_handler_is_set_by_the_file_itself() {
    for flags in ["-O2", "-O0"] {
        let of = |more: &[&'static str]| [&["-DOWN", flags][..], more].concat();
        is_tried(&of(&["-DSETTER=signal", "-DNUMBER=4"]));
        // In one that nothing here calls.
        is_tried(&of(&["-DSETTER=signal", "-DNUMBER=4", "-DELSEWHERE"]));
        // SIGTERM; and a function that is called something else.
        leaks_by(&of(&["-DSETTER=signal", "-DNUMBER=15"]), Certainty::High);
        leaks_by(&of(&["-DSETTER=install", "-DNUMBER=4"]), Certainty::High);
        let none = ["-DSETTER=signal", "-DNUMBER=4", "-DHANDLER=(void(*)(int))0"];
        leaks_by(&of(&none), Certainty::High);
    }
}

/// What is given the number and a function of the file may be that, where functions have no
/// names; but only on the way, since any may be.
#[test]
fn a_handler_is_set_where_nothing_has_a_name() {
    for flags in ["-O2", "-O0"] {
        let own = ["-DOWN", "-DSETTER=install", "-s", flags];
        let of = |more: &[&'static str]| [&own[..], more].concat();
        is_tried(&of(&["-DNUMBER=4"]));
        leaks_by(&of(&["-DNUMBER=15"]), Certainty::High);
        leaks_by(&of(&["-DNUMBER=4", "-DELSEWHERE"]), Certainty::High);
    }
}

/// In a file that asks the CPU, a branch on the way may go by an answer.
#[test]
fn a_way_is_certain_where_no_branch_decides() {
    for flags in BUILDS {
        for (way, in_asking) in [
            ("-DSTRAIGHT", Certainty::High),
            // Whatever its branch decides, what is behind it is come to.
            ("-DLOOP", Certainty::High),
            ("-DBRANCH", Certainty::Medium),
            ("-DENDS", Certainty::Medium),
        ] {
            leaks_by(&[&[way, "-DASKS"], flags].concat(), in_asking);
            leaks_by(&[&[way], flags].concat(), Certainty::High);
        }
    }
}

#[test]
fn what_a_file_begins_with_runs_before_it_sets_a_handler() {
    let kinds: [&[&str]; 3] = [
        &["-shared", "-fPIC"],
        &["-DPROGRAM"],
        &["-DPROGRAM", "-no-pie"],
    ];
    for (flags, kind) in BUILDS
        .iter()
        .flat_map(|flags| kinds.map(|kind| (flags, kind)))
    {
        let all = [kind, flags].concat();
        let first = kernel_of("at_first.c", &all);
        let is_sure = first.reach == Reach::Leak && first.confidence == Certainty::High;
        assert!(is_sure, "{flags:?}: {first:#?}");
        let before = kernel_of("at_first.c", &[&all[..], &["-DBEFORE"]].concat());
        assert_eq!(before.reach, Reach::Unknown, "{flags:?}: {before:#?}");
        assert_eq!(before.obstacle, "the handler of SIGILL", "{flags:?}");
    }
}

/// A pointer is taken where a variable has a value that nobody is seen to store: the way there may
/// be one that is not followed.
#[test]
fn what_is_not_seen_to_run_is_not_guarded_for_certain() {
    for set in ["-DSET", "-UUNSET"] {
        let kernel = kernel_of("never.c", &["-O2", "-shared", "-fPIC", set]);
        assert_eq!(kernel.confidence, Certainty::Low, "{set} {kernel:#?}");
    }
}
