//! The comparison in sentences.

use super::collect::Side;
use super::{figures, outcomes};
use karat_model::compare::{
    Behaviour, CompareVerdict, CountClass, FigureRow, LogComparison, NoiseFrom, TestClass, TestRow,
    Weight,
};
use karat_model::log::Level;
use karat_model::units::change;
use karat_model::verdict::{Judgement, Verdict};

/// Examples that a sentence names.
const NAMED: usize = 3;

/// In place of a verdict until there is one.
pub(super) const fn nothing_yet() -> CompareVerdict {
    CompareVerdict {
        behaviour: Behaviour::Unknown,
        speed: None,
        summary: String::new(),
        reasons: Vec::new(),
    }
}

/// The verdict on what was found; `open` says what was not read of the logs compared.
pub(super) fn verdict(found: &LogComparison, mut open: Vec<String>) -> CompareVerdict {
    // Messages that agree, or tests that one side alone has, say nothing of the tests.
    let shared = |t: &TestRow| t.before.is_some() && t.after.is_some();
    if !found.tests.iter().any(shared) {
        open.insert(0, no_test(found));
    }
    let behaviour = if found.count(Weight::Fails) > 0 {
        Behaviour::Differs
    } else if open.is_empty() {
        Behaviour::Same
    } else {
        Behaviour::Unknown
    };
    let speed = figures::verdict(&found.figures, found.margin);
    let mut reasons = behaviour_reasons(found);
    let more = open.len().saturating_sub(NAMED);
    reasons.extend(open.iter().take(NAMED).map(|why| sentence(why)));
    if more > 0 {
        reasons.push(format!("And {more} further logs that were not all read."));
    }
    reasons.extend(speed_reasons(found));
    reasons.extend(environment_reasons(found));
    CompareVerdict {
        behaviour,
        speed,
        summary: format!(
            "{}; {}.",
            said(found, behaviour, &open),
            speed_said(found, speed)
        ),
        reasons,
    }
}

/// That no test was compared, and why.
fn no_test(found: &LogComparison) -> String {
    let on = |side: fn(&TestRow) -> bool| found.tests.iter().any(side);
    match (on(|t| t.before.is_some()), on(|t| t.after.is_some())) {
        (false, false) if found.messages.is_empty() && found.crashes.is_empty() => {
            "the logs hold no test, message or crash"
        }
        (false, false) => "no test was read on either side",
        (false, true) => "no test was read before",
        (true, false) => "no test was read after",
        (true, true) => "no test is on both sides",
    }
    .to_owned()
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    let first: String = first.into_iter().flatten().collect();
    format!("{first}{}.", letters.as_str())
}

/// `36 tests, 9 warnings and no crash`: what one run of each program has.
fn compared(found: &LogComparison) -> String {
    let mut out = vec![plural(found.tests.len(), "test")];
    for (level, noun) in LEVELS {
        let (before, after) = found.messages_of(level);
        if before.max(after) > 0 {
            out.push(plural(before.max(after) as usize, noun));
        }
    }
    let crashes = match found.crashes.len() {
        0 => "no crash".to_owned(),
        n => plural(n, "crash"),
    };
    format!("{} and {crashes}", out.join(", "))
}

/// The levels with their nouns, gravest first.
const LEVELS: [(Level, &str); 3] = [
    (Level::Fatal, "fatal error"),
    (Level::Error, "error"),
    (Level::Warning, "warning"),
];

fn said(found: &LogComparison, behaviour: Behaviour, open: &[String]) -> String {
    match behaviour {
        Behaviour::Same => format!("Behaviour is the same: {} agree", compared(found)),
        Behaviour::Differs => {
            let classes = classes(found);
            format!("Behaviour differs: {}", classes.join(", "))
        }
        Behaviour::Unknown => {
            let why = open.first().map_or("", String::as_str);
            let more = match open.len() {
                0 | 1 => String::new(),
                n => format!(", and {} more", plural(n - 1, "reason")),
            };
            // The report's forms cut the sentence at its semicolon.
            format!("Behaviour is not known: {}{more}", why.replace(';', ","))
        }
    }
}

/// `2 tests missing`, `1 warning new`: each class that fails, with its number.
fn classes(found: &LogComparison) -> Vec<String> {
    let mut out = Vec::new();
    for class in [
        TestClass::NewlyFailing,
        TestClass::NewlyFlaky,
        TestClass::Missing,
        TestClass::NewlySkipped,
        TestClass::NewlyPassing,
        TestClass::NoLongerSkipped,
        TestClass::OtherTimes,
    ] {
        let number = found.tests.iter().filter(|t| t.class == class).count();
        if number > 0 {
            out.push(format!("{} {}", plural(number, "test"), class.word()));
        }
    }
    for class in [CountClass::New, CountClass::Gone, CountClass::OtherTimes] {
        for (level, noun) in LEVELS {
            let of = found.messages.iter();
            let number = of.filter(|m| m.class == class && m.level == level).count();
            if number > 0 {
                out.push(format!("{} {}", plural(number, noun), class.word()));
            }
        }
        let number = found.crashes.iter().filter(|c| c.class == class).count();
        if number > 0 {
            out.push(format!("{} {}", plural(number, "crash"), class.word()));
        }
    }
    out
}

fn behaviour_reasons(found: &LogComparison) -> Vec<String> {
    let mut out = Vec::new();
    for crash in &found.crashes {
        if crash.class.weight() == Weight::Fails {
            out.push(format!("crash {}: {}.", crash.class.word(), crash.text));
        }
    }
    let failing = |t: &&TestRow| t.class.weight() == Weight::Fails;
    let mut tests: Vec<&TestRow> = found.tests.iter().filter(failing).collect();
    // The classes are declared gravest first.
    tests.sort_by_key(|t| t.class as u8);
    for test in tests {
        let why = test.after.as_ref().and_then(|a| a.reason.as_deref());
        let why = why.map_or_else(String::new, |w| format!(" ({w})"));
        out.push(format!("{}: {}{why}.", test.class.word(), test.title()));
    }
    for message in &found.messages {
        if message.class.weight() == Weight::Fails {
            out.push(format!(
                "message {}: {}.",
                message.class.word(),
                message.text
            ));
        }
    }
    let more = out.len().saturating_sub(10);
    out.truncate(10);
    if more > 0 {
        out.push(format!("And {more} further differences of behaviour."));
    }
    let failing = found.tests.iter().filter(|t| {
        let failed = |s: &Option<karat_model::compare::TestSide>| {
            s.as_ref().is_some_and(|s| s.word() == "failed")
        };
        failed(&t.before) && failed(&t.after)
    });
    let failing = failing.count();
    if failing > 0 {
        out.push(format!("{} both before and after.", fail(failing)));
    }
    out
}

fn fail(number: usize) -> String {
    match number {
        1 => "1 test fails".to_owned(),
        n => format!("{n} tests fail"),
    }
}

fn speed_said(found: &LogComparison, speed: Option<Verdict>) -> String {
    if found.figures.is_empty() {
        return "the logs hold no figure of performance".to_owned();
    }
    let judged = |word: Judgement| {
        let judged = found.figures.iter().filter_map(|f| f.judged.as_ref());
        judged.filter(|j| j.judgement == word).count()
    };
    let Some(speed) = speed else {
        let one = found.before.files.len() <= 1 && found.after.files.len() <= 1;
        return format!(
            "performance is unjudged: {}",
            if one {
                "one run a side"
            } else {
                "no figure has two runs on each side"
            }
        );
    };
    let unjudged = found.figures.iter().filter(|f| f.judged.is_none()).count();
    let mut out = format!(
        "performance {}: {} faster, {} slower, {} the same, {} open",
        speed.word(),
        judged(Judgement::Faster),
        judged(Judgement::Slower),
        judged(Judgement::Same),
        judged(Judgement::Inconclusive)
    );
    if unjudged > 0 {
        out += &format!(", {unjudged} unjudged");
    }
    out
}

fn speed_reasons(found: &LogComparison) -> Vec<String> {
    let mut out = Vec::new();
    for (word, says) in [(Judgement::Slower, "Slower"), (Judgement::Faster, "Faster")] {
        let mut rows: Vec<(&FigureRow, f64)> = found
            .figures
            .iter()
            .filter_map(|f| Some((f, f.judged.as_ref()?)))
            .filter(|(_, j)| j.judgement == word)
            .map(|(f, j)| (f, j.speed.estimate))
            .collect();
        rows.sort_by(|a, b| b.1.ln().abs().total_cmp(&a.1.ln().abs()));
        if rows.is_empty() {
            continue;
        }
        let names = rows.iter().take(NAMED);
        let names: Vec<String> = names
            .map(|(f, speed)| format!("{} {}", place(f), change(*speed)))
            .collect();
        let more = match rows.len().saturating_sub(NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        out.push(format!(
            "{says} beyond the margin: {}{more}.",
            names.join(", ")
        ));
    }
    let missing = |what: &str| found.figures.iter().filter(|f| f.unjudged == what).count();
    for (what, side) in [("only before", "before"), ("only after", "after")] {
        let number = missing(what);
        if number > 0 {
            out.push(format!("{} only {side}.", is(number, "figure")));
        }
    }
    let needed = found.figures.iter().filter_map(|f| f.judged.as_ref());
    if let Some(most) = needed.filter_map(|j| j.runs_needed).max() {
        out.push(format!(
            "What is open would be decided by about {most} runs a side."
        ));
    }
    if !found.figures.is_empty() && found.figures.iter().all(|f| f.judged.is_none()) {
        out.push(
            "One run has no variance: what a figure changed by may be noise or not, and these \
             logs cannot tell. Give several files a side, or reference runs with --noise."
                .to_owned(),
        );
    }
    out
}

/// Section and name of a figure.
fn place(figure: &FigureRow) -> String {
    match figure.section.as_str() {
        "" => figure.title(),
        section => format!("{section}: {}", figure.title()),
    }
}

fn environment_reasons(found: &LogComparison) -> Vec<String> {
    let other: Vec<&str> = found
        .facts
        .iter()
        .filter(|f| !f.same && !f.before.is_empty() && !f.after.is_empty())
        .map(|f| f.key.as_str())
        .collect();
    if other.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "The environment is not the same ({}): what it does cannot be told from what the change \
         does.",
        other.join(", ")
    )]
}

/// What a reader should know of how it was compared.
pub(super) fn notes(found: &LogComparison, sides: [&Side; 3]) -> Vec<String> {
    let [before, after, noise] = sides;
    let mut out = Vec::new();
    for side in sides {
        let problems = side.problems().iter().chain(side.cut()).take(NAMED);
        out.extend(problems.map(|problem| format!("Not all was read: {problem}")));
    }
    if outcomes::reordered(before, after) {
        out.push("Tests came in another order; they are matched by name.".to_owned());
    }
    let moved = found.messages.iter().filter(|m| {
        let known = !m.lines_before.is_empty() && !m.lines_after.is_empty();
        known && m.lines_before != m.lines_after
    });
    let moved = moved.count();
    if moved > 0 {
        out.push(format!(
            "{} printed from other lines of their source files; lines are noted, not compared.",
            match moved {
                1 => "1 message is".to_owned(),
                n => format!("{n} messages are"),
            }
        ));
    }
    let by = |from: NoiseFrom| {
        let judged = found.figures.iter().filter_map(|f| f.judged.as_ref());
        judged.filter(|j| j.noise == from).count()
    };
    if by(NoiseFrom::Runs) > 0 {
        out.push(format!(
            "{} judged by a permutation test on the runs of both sides (difference of the logs of \
             the means of the better halves). Their runs were not made in rounds: if one side ran \
             after the other, what the machine did meanwhile is in the result, and no test of \
             these logs can exclude that.",
            is(by(NoiseFrom::Runs), "figure")
        ));
    }
    if by(NoiseFrom::Reference) > 0 {
        out.push(format!(
            "{} judged by reference runs: with s the standard deviation of the logs of k reference \
             runs, two single runs of equal programs differ by at most t·s·√2, where t is \
             Student's for k − 1 degrees of freedom. It takes both sides for as noisy as the \
             reference runs, and cannot exclude drift.",
            is(by(NoiseFrom::Reference), "figure")
        ));
    }
    if !noise.files().is_empty() && by(NoiseFrom::Reference) == 0 {
        out.push("The reference runs were not needed or do not fit any figure.".to_owned());
    }
    out
}

fn is(number: usize, noun: &str) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("{} {verb}", plural(number, noun))
}

fn plural(number: usize, noun: &str) -> String {
    let end = match noun {
        _ if number == 1 => "",
        "crash" => "es",
        _ => "s",
    };
    format!("{number} {noun}{end}")
}
