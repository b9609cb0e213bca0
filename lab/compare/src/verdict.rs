//! The comparison in sentences.

use super::{figures, unread};
use karat_model::compare::{
    Behaviour, CompareVerdict, CountClass, FigureRow, LogComparison, MessageRow, TestClass,
    TestRow, TestSide, Weight,
};
use karat_model::log::Level;
use karat_model::units::change;
use karat_model::verdict::{Judgement, Verdict};

/// Examples that a sentence names.
pub(super) const NAMED: usize = 3;

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
    open.extend(unread::open(found));
    open.extend(build_failed(found));
    // Messages that agree, or tests that one side alone has, say nothing of the tests.
    let shared = |t: &TestRow| t.before.is_some() && t.after.is_some();
    if !found.tests.iter().any(shared) {
        open.insert(0, no_test(found));
    }
    let behaviour = if found.count(Weight::Fails) > 0 {
        Behaviour::Differs
    } else if !open.is_empty() {
        Behaviour::Unknown
    } else if failures(found).is_empty() {
        Behaviour::Same
    } else {
        Behaviour::Failing
    };
    let speed = figures::verdict(&found.figures, found.margin);
    let mut reasons = differences(found);
    if let Some(said) = failing(found) {
        let place = if behaviour == Behaviour::Differs {
            reasons.len()
        } else {
            0
        };
        reasons.insert(place, said);
    }
    let more = open.len().saturating_sub(NAMED);
    reasons.extend(open.iter().take(NAMED).map(|why| sentence(why)));
    if more > 0 {
        reasons.push(format!("And {} more.", plural(more, "reason")));
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
    // Tests that their tool does not name share an entry.
    let count = |t: &TestRow| {
        let times = [&t.before, &t.after].map(|s| s.as_ref().map_or(0, |s| s.times.high));
        match t.name.ends_with(karat_readers::log::NOT_NAMED) {
            true => times[0].max(times[1]) as usize,
            false => 1,
        }
    };
    let tests = found.tests.iter().map(count).sum();
    let mut out = vec![plural(tests, "test")];
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
        Behaviour::Failing => format!(
            "{} before and after, and nothing differs: {} agree",
            failures(found).join(" and "),
            compared(found)
        ),
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
            let word = match (class, number) {
                (TestClass::OtherTimes, 2..) => "run more or less often",
                _ => class.word(),
            };
            out.push(format!("{} {word}", plural(number, "test")));
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

fn differences(found: &LogComparison) -> Vec<String> {
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
    out
}

fn fails_on_both(test: &TestRow) -> bool {
    let failed = |side: &Option<TestSide>| side.as_ref().is_some_and(|s| s.word() == "failed");
    failed(&test.before) && failed(&test.after)
}

/// What fails before and after alike, each with its number: `2 tests fail`.
fn failures(found: &LogComparison) -> Vec<String> {
    let tests = found.tests.iter();
    let tests = tests.filter(|t| fails_on_both(t));
    let crashes = found.crashes.iter();
    let crashes = crashes.filter(|c| c.before.high > 0 && c.after.high > 0);
    let errors = errors(found);
    let kinds = [
        (tests.count(), "test", ["fails", "fail"]),
        (crashes.count(), "crash", ["occurs", "occur"]),
        (errors.count(), "error", ["is told", "are told"]),
    ];
    let there = kinds.into_iter().filter(|(number, ..)| *number > 0);
    there
        .map(|(number, noun, verbs)| {
            let verb = verbs[usize::from(number > 1)];
            format!("{} {verb}", plural(number, noun))
        })
        .collect()
}

/// Errors on both sides.
fn errors(found: &LogComparison) -> impl Iterator<Item = &MessageRow> {
    let errors = found.messages.iter().filter(|m| m.level != Level::Warning);
    errors.filter(|m| m.before.high > 0 && m.after.high > 0)
}

/// That something fails on both sides, and what comes first.
fn failing(found: &LogComparison) -> Option<String> {
    let failures = failures(found);
    let test = found.tests.iter().find(|t| fails_on_both(t));
    let first = test.map(TestRow::title);
    let first = first.or_else(|| {
        found
            .crashes
            .iter()
            .find(|c| c.before.high > 0 && c.after.high > 0)
            .map(|c| c.text.clone())
    });
    let first = first.or_else(|| errors(found).next().map(|m| m.text.clone()))?;
    Some(format!(
        "{} both before and after, {first} among them: what they would show is not known.",
        failures.join(" and ")
    ))
}

/// That the build failed on both sides: an error at a place of the sources, or what
/// build tools say last.
fn build_failed(found: &LogComparison) -> Option<String> {
    let last = [
        "could not compile",
        "ld returned",
        "*** [",
        "aborting due to",
    ];
    let mut errors = errors(found);
    // `make test` stops where a test failed, which is no build.
    let tests = found.tests.iter().any(fails_on_both);
    let error = errors.find(|m| {
        let placed = !m.lines_before.is_empty() && !m.lines_after.is_empty();
        let stops = |words: &&str| m.text.contains(*words) && !(tests && *words == "*** [");
        placed || last.iter().any(stops)
    })?;
    Some(format!(
        "a build fails on both sides, and what it leaves out was not run: {}",
        error.text
    ))
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
    out.extend(other_names(found));
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

/// No figure is on both sides: a benchmark that is named by its command has another name when
/// the program has.
fn other_names(found: &LogComparison) -> Option<String> {
    let is_alone = |figure: &FigureRow, what: &str| figure.unjudged == what;
    let first = |what: &str| found.figures.iter().find(|f| is_alone(f, what));
    let (before, after) = (first("only before")?, first("only after")?);
    let mut all = found.figures.iter();
    let is_apart = all.all(|f| is_alone(f, "only before") || is_alone(f, "only after"));
    is_apart.then(|| {
        format!(
            "No figure is on both sides: figures are matched by name. If \"{}\" and \"{}\" are one \
             benchmark, give it one name (hyperfine: -n NAME).",
            place(before),
            place(after)
        )
    })
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

pub(super) fn is(number: usize, noun: &str) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("{} {verb}", plural(number, noun))
}

pub(super) fn plural(number: usize, noun: &str) -> String {
    let end = match noun {
        _ if number == 1 => "",
        "crash" => "es",
        _ => "s",
    };
    format!("{number} {noun}{end}")
}
