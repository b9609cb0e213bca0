//! Where gates are asked and behind which branch.

use crate::build::{cc, try_cc};
use karat_audit::{function_sites, gate_sites, gates, kernel_sites};
use karat_model::gates::Via;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_string()).collect()
}

#[test]
fn calls_have_their_guards() {
    let program = cc("gates.c", &["-O2", "-g"]);
    let all = gates(&program.bytes, &names(&["debug_enabled"])).expect("a sound binary");
    let gate = &all[0];
    assert_eq!(gate.addresses.len(), 1);
    assert_eq!(gate.calls.len(), 3, "{gate:#?}");
    let of = |caller: &str| {
        let found = gate.calls.iter().find(|call| call.caller.contains(caller));
        found.unwrap_or_else(|| panic!("{caller} in {gate:#?}"))
    };
    for caller in ["allocate", "release"] {
        let call = of(caller);
        let guard = call.guard.as_ref().expect("a guard");
        assert_eq!(guard.variable.as_deref(), Some("g_enable"), "{gate:#?}");
        assert!(
            guard.constant.as_ref().is_some_and(|why| why.contains("0")),
            "{gate:#?}"
        );
        let lines = [&call.location, &guard.location].map(|l| l.as_ref().and_then(|l| l.line));
        assert!(lines.iter().all(Option::is_some), "{gate:#?}");
        assert!(call.dead.is_none());
    }
    let call = of("never_called");
    assert!(call.guard.is_none() && call.dead.is_some(), "{gate:#?}");
    assert!(
        gate.summary
            .contains("called at 3 places, 2 of them behind a branch on g_enable"),
        "{}",
        gate.summary
    );
}

#[test]
fn inlined_gates_are_found_through_debug_information() {
    let program = cc("gates.c", &["-O2", "-g"]);
    let all = gates(&program.bytes, &names(&["level_enabled", "no_such_gate"])).expect("sound");
    let gate = &all[0];
    assert!(gate.addresses.is_empty(), "{gate:#?}");
    assert_eq!(gate.calls.len(), 1, "{gate:#?}");
    let call = &gate.calls[0];
    assert!(
        call.via == Via::Inlined && call.caller == "release",
        "{gate:#?}"
    );
    let place = call.location.as_ref().expect("the call's line");
    let text = include_str!("fixtures/gates.c");
    let line = text
        .lines()
        .position(|line| line.contains("return level_enabled()"));
    assert_eq!(
        place.line.map(|line| line as usize),
        line.map(|line| line + 1)
    );
    assert!(
        all[1].summary.contains("not in the assembly"),
        "{}",
        all[1].summary
    );
}

/// At `-Og` GCC leaves `flag` an inlined subroutine of no length: what it asks is asked
/// by an instruction of the line around it.
#[test]
fn a_body_that_only_debug_information_names_is_found() {
    let Some(program) = try_cc("folded.c", &["-Og", "-g"]) else {
        println!("SKIPPED: the compiler does not know -Og");
        return;
    };
    let asked = names(&["flag", "constant", "no_such_gate"]);
    let found = gate_sites(&program.bytes, None, &[], &asked).expect("a sound binary");
    let flag = &found.gates[0];
    if flag.calls.iter().any(|call| call.via == Via::Inlined) {
        println!("SKIPPED: this compiler leaves the gate an instruction of its own");
        return;
    }
    let [call] = &flag.calls[..] else {
        panic!("one place: {flag:#?}");
    };
    assert_eq!((call.via, call.caller.as_str()), (Via::Folded, "work"));
    let line = include_str!("fixtures/folded.c")
        .lines()
        .position(|line| line.contains("if (flag())"));
    let place = call.location.as_ref().expect("the call's line");
    assert_eq!(place.line.map(|line| line as usize - 1), line);
    assert_eq!(found.bodies[0], [vec![call.address]], "it can be watched");
    let summary = &flag.summary;
    assert!(
        summary.contains("no function of its own, folded into the code around it at 1 place"),
        "{summary}"
    );
    let last = &found.gates[2].summary;
    assert!(last.contains("not in the assembly"), "{last}");
}

#[test]
fn without_debug_information_the_limit_is_told() {
    let program = cc("gates.c", &["-O2"]);
    let all = gates(&program.bytes, &names(&["level_enabled"])).expect("a sound binary");
    let caveat = all[0].caveat.as_ref().expect("a caveat");
    assert!(caveat.contains("inlined"), "{caveat}");
}

#[test]
fn a_variable_is_named_only_when_its_value_is_what_is_asked() {
    let program = cc("gates.S", &[]);
    let all = gates(&program.bytes, &names(&["gate"])).expect("a sound binary");
    let asked: Vec<(&str, Option<&str>)> = all[0]
        .calls
        .iter()
        .map(|call| {
            let guard = call.guard.as_ref().expect("a guard");
            (call.caller.as_str(), guard.variable.as_deref())
        })
        .collect();
    let expected = [
        ("loaded", Some("g_flag")),
        ("called", None),
        ("changed", None),
        ("address", None),
        ("jumps", Some("g_flag")),
    ];
    assert_eq!(asked, expected);
}

#[test]
fn a_body_is_watched_at_each_of_its_instructions() {
    let program = cc("gates.c", &["-O2", "-g"]);
    let line = include_str!("fixtures/gates.c")
        .lines()
        .position(|line| line.contains("return size * 3"))
        .expect("a line");
    let asked = names(&[
        "level_enabled",
        &format!("gates.c:{}", line + 1),
        "gates.c:9999",
    ]);
    let found = gate_sites(&program.bytes, None, &[], &asked).expect("a sound binary");
    let body = &found.bodies[0][0];
    assert_eq!(body.first(), Some(&found.gates[0].calls[0].address));
    assert!(body.len() > 1 && body.is_sorted(), "{body:?}");
    let of_line = &found.gates[1];
    assert!(!of_line.calls.is_empty(), "{of_line:#?}");
    assert!(
        of_line
            .calls
            .iter()
            .all(|call| call.via == Via::Line && call.caller == "allocate")
    );
    assert!(found.gates[2].summary.contains("no code has this line"));
    // What is called has no body here.
    let called = gate_sites(&program.bytes, None, &[], &names(&["debug_enabled"])).expect("sound");
    assert!(called.bodies[0].iter().all(Vec::is_empty));
}

#[test]
fn functions_are_watched_where_they_begin() {
    let program = cc("gates.c", &["-O2", "-g"]);
    let all = function_sites(&program.bytes, None).expect("a sound binary");
    for name in ["main", "allocate", "never_called"] {
        let found = all.iter().find(|f| f.function.name == name).expect(name);
        assert_eq!(found.sites, [found.function.address], "{name}");
        assert!(found.function.bytes > 0 && found.function.executed.is_none());
    }
    // Without symbols the unwind table still tells of them.
    let stripped = cc("gates.c", &["-O2", "-s"]);
    let few = function_sites(&stripped.bytes, None).expect("a sound binary");
    assert!(few.iter().filter(|f| !f.sites.is_empty()).count() >= 5);
    assert!(
        kernel_sites(&program.bytes, None, &[])
            .expect("sound")
            .is_empty()
    );
}

/// Functions of C++ by the names that people write: overloads, a template, a function of an
/// anonymous namespace, an inlined member, a line.
#[test]
fn gates_of_cxx_have_readable_names() {
    // `cc` would link without the library of C++, of which this needs nothing.
    let program = cc("gates.cc", &["-O2", "-g"]);
    let line = include_str!("fixtures/gates.cc")
        .lines()
        .position(|line| line.contains("sink = 3"))
        .expect("a line");
    let asked = names(&[
        "conf::Log::enabled",
        "conf::Log::enabled(int) const",
        "conf::above",
        "conf::Log::inlined",
        "conf::hidden",
        "local",
        &format!("gates.cc:{}", line + 1),
        "conf::Log::missing",
        "conf::Log::*",
    ]);
    let found = gates(&program.bytes, &asked).expect("a sound binary");
    // Functions of their own, calls of them, and inlined bodies.
    let seen: Vec<(usize, usize, usize)> = found
        .iter()
        .map(|gate| {
            let calls = gate.calls.iter().filter(|call| call.via == Via::Call);
            let calls = calls.count();
            (gate.addresses.len(), calls, gate.calls.len() - calls)
        })
        .collect();
    let expected = [
        (2, 2, 0),
        (1, 1, 0),
        (1, 1, 0),
        (0, 0, 1),
        (0, 0, 1),
        (0, 0, 1),
    ];
    assert_eq!(seen[..6], expected, "{found:#?}");
    assert!(seen[6].2 > 0, "a line of C++: {:#?}", found[6]);
    assert_eq!(seen[7], (0, 0, 0));
    assert_eq!(seen[8], (2, 2, 1), "all below a class");
    assert_eq!(found[0].calls[0].caller, "work(conf::Log const&, int)");
}
