//! `cargo xtask ci`: all that must hold before a change is taken.

use super::step::{Options, Outcome, Step, run as run_steps};
use super::{
    aarch64, apt, bare, bindings, browser, features, fuzz, miri, native, oldest, packages, page,
    smoke, x86_32,
};
use crate::command::{cargo, root, run as start};
use crate::tasks::{book, commands, layers, picture, release, schema, words};
use crate::{Task, unknown};
use anyhow::{Context as _, Result, bail};

pub const TASK: Task = Task {
    name: "ci",
    help: "all checks in order, or the STEPs named; --list, --keep-going, --minutes N, --require NAME",
    run,
};

/// The checks: quick ones first, so that most failures are known within a minute. Those
/// that may be left out for lack of time come last.
const STEPS: &[Step] = &[
    Step {
        name: "chromium",
        help: "a browser for the report is here",
        run: browser::step,
        spare: None,
    },
    Step {
        name: "format",
        help: "the workspace is formatted",
        run: || passed(cargo_run(&["fmt", "--all", "--check"])),
        spare: None,
    },
    Step {
        name: "subjects",
        help: "the studies' subjects are formatted",
        run: || passed(subjects()),
        spare: None,
    },
    Step {
        name: "words",
        help: "no file names a folder of one machine",
        run: || passed(words::check()),
        spare: None,
    },
    Step {
        name: "book",
        help: "links in documents lead somewhere, and the book has every page of docs/",
        run: || book::check().map(Outcome::Noted),
        spare: None,
    },
    Step {
        name: "layers",
        help: "no arrow between the crates is reversed",
        run: || passed(layers::check()),
        spare: None,
    },
    Step {
        name: "picture",
        help: "the picture of the crates in ARCHITECTURE.md is that of the workspace",
        run: || passed(picture::check()),
        spare: None,
    },
    Step {
        name: "schema",
        help: "the committed schema is what the types say",
        run: || passed(schema::check()),
        spare: None,
    },
    Step {
        name: "clippy",
        help: "no warnings, in tests and examples neither",
        run: || {
            let check = [
                "clippy",
                "--workspace",
                "--all-targets",
                "--features=karat/peers",
                "--locked",
                "--keep-going",
            ];
            passed(cargo_run(&[&check[..], &["--", "-Dwarnings"]].concat()))
        },
        spare: None,
    },
    Step {
        name: "test",
        help: "tests of the default members",
        run: || {
            if apt::in_ci() {
                // What the worked studies of docs/ are built by; without it they are skipped.
                apt::install(&["cmake", "make", "python3-dev", "python3-setuptools"]);
                // Programs of Windows, whose start is followed.
                apt::install(&["gcc-mingw-w64-x86-64-win32"]);
            }
            passed(cargo_run(&["test", "--locked", "--no-fail-fast"]))
        },
        spare: None,
    },
    Step {
        name: "commands",
        help: "the commands that documents name exist",
        run: || {
            let count = commands::check()?;
            Ok(Outcome::Noted(format!("{count} of them")))
        },
        spare: None,
    },
    Step {
        name: "blocks",
        help: "the code blocks of the book run",
        run: || book::blocks::check().map(Outcome::Noted),
        spare: None,
    },
    Step {
        name: "aarch64",
        help: "the kernels' tests pass on AArch64, emulated",
        run: aarch64::step,
        spare: None,
    },
    Step {
        name: "x86-32",
        help: "the hashes are right on 32-bit x86",
        run: x86_32::step,
        spare: None,
    },
    Step {
        name: "test-xtask",
        help: "tests of these tasks, of the emulator and of hashes by name",
        run: || {
            // Together, so that the kernels have the same features and are built once.
            let packages = [
                "--package=xtask",
                "--package=karat-mca",
                "--package=karat-dyn",
            ];
            passed(cargo_run(&[&["test", "--locked"][..], &packages].concat()))
        },
        spare: None,
    },
    Step {
        name: "docs",
        help: "documentation without warnings",
        run: || {
            let mut doc = cargo(&[
                "doc",
                "--no-deps",
                "--workspace",
                "--locked",
                "--keep-going",
            ]);
            doc.env("RUSTDOCFLAGS", "-Dwarnings");
            passed(start(doc))
        },
        spare: None,
    },
    Step {
        name: "studies",
        help: "the other short studies run from their files to their reports",
        run: smoke::others,
        spare: None,
    },
    Step {
        name: "smoke",
        help: "the main study runs from its file to its report",
        run: smoke::run,
        spare: None,
    },
    Step {
        name: "page",
        help: "the report renders in a browser",
        run: page::run,
        spare: None,
    },
    Step {
        name: "oldest",
        help: "the kernels build with the oldest Rust that they promise",
        run: oldest::step,
        spare: Some(2),
    },
    Step {
        name: "no-std",
        help: "the kernels build for machines without an operating system",
        run: bare::step,
        spare: Some(2),
    },
    Step {
        name: "features",
        help: "the kernels compile with every set of their features, and are right with all",
        run: features::step,
        spare: Some(6),
    },
    Step {
        name: "native",
        help: "the kernels are right in a program that is built for the CPU at hand",
        run: native::step,
        spare: Some(5),
    },
    Step {
        name: "bindings",
        help: "the bindings for C and Python build, install and pass their tests",
        run: bindings::step,
        spare: Some(5),
    },
    Step {
        name: "fuzz",
        help: "every fuzz target builds and stands 2000 inputs",
        run: fuzz::step,
        spare: Some(7),
    },
    Step {
        name: "release",
        help: "every crate that is published can be packed, in order",
        run: || (release::TASK.run)(&["--check".to_owned()]).map(|_| Outcome::Passed),
        spare: Some(2),
    },
    Step {
        name: "long-studies",
        help: "the studies of kernels run from their files to their reports",
        run: smoke::long,
        spare: Some(9),
    },
    Step {
        name: "miri",
        help: "pointers and memory of the kernels' plain code are sound, by Miri",
        run: miri::step,
        spare: Some(14),
    },
    Step {
        name: "packages",
        help: "the program and the Debian package are made, installed and used; wheels where maturin is",
        run: packages::step,
        spare: Some(8),
    },
];

/// What `--require` knows: a missing one fails its step instead of skipping it.
const REQUIREMENTS: &[&str] = &[
    browser::CHROMIUM,
    aarch64::AARCH64,
    bare::BARE,
    oldest::OLDEST,
    miri::MIRI,
    fuzz::CXX,
    bindings::PYTHON,
    packages::MUSL,
    x86_32::X86_32,
];

fn run(args: &[String]) -> Result<bool> {
    let Some((steps, options)) = parse(args)? else {
        for step in STEPS {
            println!("  {:12} {}", step.name, step.help);
        }
        return Ok(true);
    };
    println!("checking {}", smoke::revision());
    let summary = run_steps(&steps, &options);
    println!("\n=== summary\n{}", summary.text());
    Ok(summary.good())
}

/// Steps and options; `None` when only the list is wanted.
fn parse(args: &[String]) -> Result<Option<(Vec<&'static Step>, Options)>> {
    let mut steps = Vec::new();
    let mut options = Options::default();
    let mut args = args.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        match arg {
            "--list" | "--help" => return Ok(None),
            "--keep-going" => options.keep_going = true,
            "--minutes" => {
                let minutes = args.next().and_then(|m| m.parse().ok());
                options.minutes = Some(minutes.context("--minutes wants a number")?);
            }
            "--require" => {
                let name = args.next().context("--require wants a name")?;
                if !REQUIREMENTS.contains(&name) {
                    let known = REQUIREMENTS.iter().copied();
                    bail!("{}", unknown("requirement", name, known));
                }
                options.required.push(name.to_owned());
            }
            name => match STEPS.iter().find(|step| step.name == name) {
                Some(step) => steps.push(step),
                None => {
                    let known = STEPS.iter().map(|s| s.name);
                    let known = known.chain(["--list", "--keep-going", "--minutes", "--require"]);
                    bail!("{}", unknown("step or option", name, known));
                }
            },
        }
    }
    if steps.is_empty() {
        steps.extend(STEPS);
    }
    Ok(Some((steps, options)))
}

/// What is wrong with the words behind `cargo xtask ci`.
pub fn wrong(args: &[String]) -> Option<String> {
    parse(args).err().map(|error| error.to_string())
}

fn passed(result: Result<()>) -> Result<Outcome> {
    result.map(|()| Outcome::Passed)
}

fn cargo_run(args: &[&str]) -> Result<()> {
    start(cargo(args))
}

/// Subjects are workspaces of their own, and so is what some of them share:
/// `cargo fmt --all` does not see them.
fn subjects() -> Result<()> {
    let mut studies: Vec<_> =
        std::fs::read_dir(root().join("studies"))?.collect::<Result<_, _>>()?;
    studies.sort_by_key(std::fs::DirEntry::file_name);
    for study in studies {
        let manifests = ["subject/Cargo.toml", "Cargo.toml"].map(|m| study.path().join(m));
        for manifest in manifests.iter().filter(|m| m.is_file()) {
            let mut format = cargo(&["fmt", "--check", "--manifest-path"]);
            format.arg(manifest);
            start(format)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{STEPS, parse};

    fn told(args: &[&str]) -> String {
        let args: Vec<String> = args.iter().map(|a| (*a).to_owned()).collect();
        match parse(&args) {
            Err(error) => error.to_string(),
            Ok(None) => "list".to_owned(),
            Ok(Some((steps, options))) => format!(
                "{} {} {:?}",
                steps.len(),
                options.keep_going,
                options.required
            ),
        }
    }

    #[test]
    fn options_and_steps_are_read() {
        assert_eq!(told(&[]), format!("{} false []", STEPS.len()));
        assert_eq!(
            told(&["page", "--keep-going", "--require", "chromium"]),
            "1 true [\"chromium\"]"
        );
        assert_eq!(told(&["--list"]), "list");
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        assert_eq!(
            told(&["clipy"]),
            "no step or option `clipy`; did you mean `clippy`?"
        );
        assert_eq!(
            told(&["--require", "firefox"]),
            "no requirement `firefox`; known: chromium, aarch64, bare-targets, oldest-rust, miri, c++, python, musl, x86-32"
        );
        assert_eq!(told(&["--require"]), "--require wants a name");
    }
}
