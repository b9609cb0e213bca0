//! The reference of a study's keys against the parser.

use karat_model::study::Study;
use karat_model::study::reference::{Preset, TABLES, Table, list, markdown, page};

const HEAD: &str = "schema = 1\nname = \"s\"\nbaseline = \"plain\"\n";

/// A study of which `text` is the part that `table` is, in a place where it is read.
fn study(table: &Table, text: &str) -> String {
    let variants = |first: &str| {
        format!(
            "[[variant]]\nname = \"plain\"\n{first}\n[[variant]]\nname = \"tuned\"\nbinary = \"b\"\n\
                 [[variant]]\nname = \"other\"\nbinary = \"c\"\n"
        )
    };
    let sound = variants("binary = \"a\"");
    let workload = "[[workload]]\nname = \"w\"\n";
    match table.path {
        "" => {
            // Keys that HEAD has, and tables that `sound` has.
            let lines = HEAD.lines().filter(|line| {
                let key = line.split(' ').next().unwrap_or_default();
                !text.lines().any(|own| own.starts_with(&format!("{key} =")))
            });
            let head: Vec<&str> = lines.collect();
            let own = if text.starts_with('[') { "" } else { text };
            let sound = match own.starts_with("subject") {
                true => sound.replace("binary", "args = []\n#"),
                false => sound,
            };
            format!("{}\n{own}\n{sound}{workload}", head.join("\n"))
                .replace("baseline = \"plain\"\nbaseline", "baseline")
        }
        "subject" => {
            let build = builder(text);
            format!(
                "{HEAD}[subject]\n{text}\n{build}\n[[variant]]\nname = \"plain\"\n[[variant]]\nname = \"tuned\"\n"
            )
        }
        "variant" => {
            let build = builder(text);
            let named = text.starts_with("name =");
            let name = if named { "" } else { "name = \"plain\"\n" };
            let head = if named {
                HEAD.replace("plain", "native")
            } else {
                HEAD.to_owned()
            };
            format!(
                "{head}[[variant]]\nname = \"tuned\"\nbinary = \"b\"\n[[variant]]\n{name}{build}\n{text}\n"
            )
        }
        "variant.run" => format!(
            "{HEAD}{}",
            variants(&format!("binary = \"a\"\nrun = {{ {text} }}"))
        ),
        "variant.crate-rustflags" => {
            let mut lines = vec![text];
            if !text.starts_with("flags") {
                lines.push("flags = [\"-Cx\"]");
            }
            if !text.starts_with("except") && !text.starts_with("only") {
                lines.push("only = [\"a\"]");
            }
            let inner = lines.join(", ");
            format!(
                "{HEAD}{}",
                variants(&format!(
                    "cargo = \".\"\nbin = \"x\"\ncrate-rustflags = {{ {inner} }}"
                ))
            )
        }
        "variant.patch" => {
            let rest = if text.starts_with("file") {
                "package = \"p\""
            } else {
                "file = \"f\""
            };
            let patch = format!("patch = [{{ {text}, {rest} }}]");
            format!(
                "{HEAD}{}",
                variants(&format!("cargo = \".\"\nbin = \"x\"\n{patch}"))
            )
        }
        "workload" => {
            let name = if text.starts_with("name") {
                ""
            } else {
                "name = \"w\"\n"
            };
            format!("{HEAD}{sound}[[workload]]\n{name}{text}\n")
        }
        "workload.metric" => format!("{HEAD}{sound}{workload}{text}\n"),
        "parity" | "expect" => {
            let key = if table.path == "parity" {
                "name"
            } else {
                "function"
            };
            let name = format!("{key} = \"n\"\n");
            let name = if text.starts_with(key) { "" } else { &name };
            format!("{HEAD}{sound}{workload}[[{}]]\n{name}{text}\n", table.path)
        }
        "soak" => format!("{HEAD}{sound}[[workload]]\nname = \"mix\"\n[soak]\n{text}\n"),
        other => format!("{HEAD}{sound}[{other}]\n{text}\n"),
    }
}

/// What makes a table with `text` the description of a build.
fn builder(text: &str) -> &'static str {
    let starts = |keys: &[&str]| keys.iter().any(|k| text.starts_with(&format!("{k} =")));
    match () {
        () if starts(&["cargo"]) => "bin = \"x\"",
        () if starts(&["command"]) => "artifact = \"x\"",
        () if starts(&["dir", "artifact"]) && !text.starts_with("artifact") => {
            "command = [\"make\"]\nartifact = \"x\""
        }
        () if starts(&["artifact"]) => "command = [\"make\"]",
        () if starts(&["binary"]) => "",
        () if starts(&["bin"]) => "cargo = \".\"",
        () => "cargo = \".\"\nbin = \"x\"",
    }
}

#[track_caller]
fn sound(text: &str) -> Study {
    Study::parse(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

#[test]
fn every_example_is_read() {
    for table in &TABLES {
        for key in table.all() {
            sound(&study(table, key.example));
        }
    }
}

#[test]
fn defaults_that_are_written_down_change_nothing() {
    // Where things stand changes; what they say does not.
    let said = |text: &str| {
        let study = format!("{:?}", sound(text));
        let mut out = String::new();
        let mut rest = study.as_str();
        while let Some(at) = rest.find("span: ") {
            out += &rest[..at];
            rest = &rest[at + 6..];
            rest = &rest[rest.find([' ', ',', '}']).unwrap_or(rest.len())..];
        }
        out + rest
    };
    let mut count = 0;
    for table in &TABLES {
        for key in table.all() {
            let Preset::Value(value) = key.preset else {
                continue;
            };
            let line = format!("{} = {value}", key.name);
            // `dir` is no key of what cargo builds.
            let without = match key.name {
                "dir" => "artifact = \"x\"",
                _ => "",
            };
            let with = said(&study(table, &line));
            assert_eq!(with, said(&study(table, without)), "{}.{line}", table.path);
            count += 1;
        }
    }
    assert!(count > 30, "{count} defaults");
}

#[test]
fn the_parser_knows_the_same_keys() {
    for table in &TABLES {
        let text = match table.path {
            "workload.metric" => {
                "metric = { json = \"v\", unit = \"s\", better = \"lower\", qqqqqq = 1 }"
            }
            _ => "qqqqqq = 1",
        };
        let problems = Study::parse(&study(table, text)).expect_err("an unknown key");
        let help = problems
            .iter()
            .find_map(|p| p.help.as_ref()?.strip_prefix("known keys of "));
        let (_, known) = help
            .and_then(|h| h.split_once(": "))
            .expect("a list of keys");
        let mut own: Vec<&str> = table.all().map(|k| k.name).collect();
        own.sort_unstable();
        if table.path == "workload.metric" {
            own.retain(|k| !["output", "path"].contains(k));
        }
        assert_eq!(known, own.join(", "), "{}", table.header);
    }
}

#[test]
fn the_page_has_every_key_and_explain_finds_it() {
    let whole = markdown();
    for table in &TABLES {
        assert!(whole.contains(table.header));
        for key in table.keys {
            assert!(
                whole.contains(&format!("| `{}` |", key.name)),
                "{}",
                key.name
            );
            let place = match table.path {
                "" => format!("study.{}", key.name),
                path => format!("study.{path}.{}", key.name),
            };
            let page = page(&place).unwrap();
            assert!(page.starts_with(&format!("# {place}")), "{page}");
            assert!(
                page.contains(key.example) || key.example.contains('\n'),
                "{page}"
            );
        }
    }
    assert!(list().contains("study.measure "));
    assert!(page("study.measure.margin").unwrap().contains("`\"1%\"`"));
    let said = page("study.margin").unwrap_err();
    assert!(
        said.contains("`karat explain study.measure.margin`"),
        "{said}"
    );
    let said = page("study.margn").unwrap_err();
    assert!(said.contains("study.measure.margin"), "{said}");
    let text = page("study.workload.metric").unwrap();
    let prose = text.lines().skip(2).take_while(|line| !line.is_empty());
    assert!(
        prose.clone().count() > 2 && prose.clone().all(|l| l.chars().count() <= 80),
        "{text}"
    );
    let said = page("study.measure.margn").unwrap_err();
    assert!(
        said.contains("did you mean `karat explain study.measure.margin`"),
        "{said}"
    );
}
