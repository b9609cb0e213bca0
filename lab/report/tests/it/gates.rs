//! Reports of gates, in all forms.

use crate::render;
use karat_model::finding::Location;
use karat_model::gates::{
    Coverage, Difference, Gate, GateCall, GateState, GatesDocument, Guard, Hits, SCHEMA, TracedRun,
    Via, WatchedFunction, WatchedKernel,
};
use karat_report::{Format, Report};

fn at(line: u32) -> Option<Location> {
    Some(Location {
        file: "src/a|b.c".into(),
        line: Some(line),
        ..Location::default()
    })
}

fn hits(count: u64) -> Option<Hits> {
    Some(Hits { count, exact: true })
}

fn sample() -> GatesDocument {
    let guard = Guard {
        address: 0x40,
        condition: "test eax, eax; jne".into(),
        variable: Some("g_enable".into()),
        location: at(22),
        constant: Some("nothing in the file writes g_enable, which is 0".into()),
        hits: hits(1),
    };
    let call = GateCall {
        caller: "allocate<T>".into(),
        address: 0x44,
        via: Via::Call,
        location: at(23),
        guard: Some(guard),
        dead: None,
        hits: hits(0),
    };
    let folded = GateCall {
        via: Via::Folded,
        guard: None,
        hits: hits(7),
        ..call.clone()
    };
    let gate = Gate {
        name: "debug_enabled".into(),
        addresses: vec![16],
        instructions: 3,
        calls: vec![call, folded],
        pointers: 1,
        caveat: None,
        summary: "debug_enabled: in the assembly (3 instructions)".into(),
        hits: hits(0),
        state: Some(GateState::Dead),
        advice: Some("leave it alone".into()),
    };
    let kernel = |name: &str, count| WatchedKernel {
        function: name.into(),
        needs: vec!["avx2".into()],
        supported: Some(true),
        hits: hits(count),
        ..WatchedKernel::default()
    };
    let function = |name: &str, file: &str, executed| WatchedFunction {
        name: name.into(),
        bytes: 1234,
        file: Some(file.into()),
        executed,
        ..WatchedFunction::default()
    };
    GatesDocument {
        schema: SCHEMA,
        karat: "0.0.0".into(),
        binary: "./prog".into(),
        run: Some(TracedRun {
            command: vec!["./prog".into(), "1".into()],
            exit_code: Some(0),
            loaded: 1,
            processes: 1,
            notes: vec!["one thread was not seen".into()],
            ..TracedRun::default()
        }),
        gates: vec![gate],
        kernels: Some(vec![kernel("ran", 1), kernel("wide::idle", 0)]),
        coverage: Some(Coverage {
            functions: vec![
                function("used", "a.c", Some(true)),
                function("dead_one", "b.c", Some(false)),
                function("data", "b.c", None),
            ],
            against: Some(Difference {
                command: vec!["make".into(), "check".into()],
                only_here: vec!["used".into()],
                ..Difference::default()
            }),
        }),
        notes: Vec::new(),
    }
}

/// What every form says.
const SAID: [&str; 12] = [
    "debug_enabled: dead",
    "allocate",
    "g_enable",
    "nothing in the file writes g_enable, which is 0",
    "folded into",
    "executed 7 times",
    "Leave it alone.",
    "Its address is taken at 1 place.",
    "1 never, nor anything of their kind, although this CPU has what they need",
    "1 of 2 functions executed",
    "1 piece of code could not be watched",
    "One thread was not seen.",
];

#[test]
fn all_forms_say_the_same() {
    let document = sample();
    for format in [Format::Human, Format::Markdown, Format::Html] {
        let text = render(format, &document, false, 100);
        // A terminal breaks lines, and a page says where names may be broken.
        let text = text.replace("<wbr>", "");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in SAID {
            assert!(text.contains(said), "{format}: no `{said}` in:\n{text}");
        }
    }
    let back: GatesDocument = serde_json::from_str(&document.json()).expect("its own JSON");
    assert_eq!(back, document);
}

#[test]
fn a_screen_has_what_is_idle_and_a_page_has_all() {
    let screen = render(Format::Human, &sample(), false, 100);
    assert!(
        screen.contains("wide::idle") && !screen.contains("  ran "),
        "{screen}"
    );
    let page = render(Format::Html, &sample(), false, 100).replace("<wbr>", "");
    for said in [
        "wide::idle",
        "<code>ran</code>",
        "dead_one",
        "Beside make check",
    ] {
        assert!(page.contains(said), "no `{said}`");
    }
    let markdown = render(Format::Markdown, &sample(), false, 100);
    assert!(markdown.contains("src/a\\|b.c:23"), "{markdown}");
}

#[test]
fn names_cannot_break_out_of_a_page() {
    let mut document = sample();
    document.gates[0].calls[0].caller = "<script>alert(1)</script>".into();
    document.binary = "\"><img src=x>".into();
    let page = render(Format::Html, &document, false, 100);
    assert!(
        !page.contains("<script>alert") && !page.contains("<img"),
        "{page}"
    );
}
