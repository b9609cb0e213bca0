//! A Python package with an extension in C, C++ or Rust.

use super::cmake::first;
use super::read;
use crate::commands::init::beginning::Beginning;
use crate::commands::toml_text::string;
use std::path::Path;

/// How the package comes into the folder `package`: by setuptools alone, which needs nothing
/// else, or by what the project's build backend is.
const SETUP: &str = "\
rm -rf build package
python3 setup.py -q build --build-lib package";
const WHEEL: &str = "\
rm -rf dist package
python3 -m pip wheel --quiet --no-deps --no-build-isolation --no-cache-dir --wheel-dir dist .
python3 -m zipfile -e dist/*.whl package";

/// Builds the package and leaves a program `python` that finds it. The package is kept in a
/// folder that is named by its contents: the cache may bring an old `python` back.
const BUILD: &str = r#"[subject]
dir = PLACE
# What is built is a script that starts Python with the built package.
artifact = "python"
command = ["sh", "-ec", '''
WHEEL
id=$(cd package && find . -type f ! -name '*.pyc' ! -name RECORD | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -c1-16)
kept=$(cd .. && pwd)/python-$id
rm -rf "$kept" && mv package "$kept"
printf '#!/bin/sh\nPYTHONPATH="%s" exec python3 "$@"\n' "$kept" > python
chmod +x python
''']
"#;

pub(super) fn look(dir: &Path, place: &str) -> Option<Beginning> {
    let setup = read(&dir.join("setup.py")).unwrap_or_default();
    let project = read(&dir.join("pyproject.toml")).unwrap_or_default();
    let backends = ["maturin", "scikit_build_core", "mesonpy", "setuptools_rust"];
    let native = backends.iter().any(|b| project.contains(b));
    let is_extension = setup.contains("ext_modules") || setup.contains("rust_extensions");
    if !native && !is_extension && !project.contains("ext-modules") {
        return None;
    }
    let with_setup = is_extension && !native;
    let is_rust = project.contains("maturin")
        || project.contains("setuptools_rust")
        || setup.contains("rust_extensions");
    let module = module(&setup, &project);
    let mut ask = Vec::new();
    let bench = ["bench.py", "benchmark.py", "benchmarks/bench.py"];
    let bench = bench.iter().find(|name| dir.join(name).is_file());
    let import = format!("import {}", module.as_deref().unwrap_or("NAME"));
    let needs = needs(&project);
    if !needs.is_empty() {
        ask.push(format!(
            "it is built without fetching anything, so what pyproject.toml names must be \
             installed: python3 -m pip install {}",
            needs.join(" ")
        ));
    }
    if module.is_none() {
        ask.push("the package's name was not found; write it for NAME in `args`".into());
    }
    let args = match bench {
        Some(bench) => vec![(*bench).to_owned()],
        None => {
            ask.push(
                "the workload only imports the package: write a script that works for 20 ms to 1 s, \
                 such as bench.py, and name it in the workload's `args`"
                    .into(),
            );
            vec!["-c".to_owned(), import.clone()]
        }
    };
    let variants = match is_rust {
        true => variants(
            "RUSTFLAGS",
            "-Copt-level=3",
            "-Copt-level=3 -Ctarget-cpu=native",
        ),
        false => variants("CFLAGS", "-O2", "-O3 -march=native"),
    };
    Some(Beginning {
        what: format!(
            "a Python package with an extension: built with and without flags for this CPU{}",
            match with_setup {
                true => "",
                false => "; its build backend must be installed (`--no-build-isolation`)",
            }
        ),
        title: "Do flags for this CPU help NAME?",
        baseline: "default".into(),
        build: format!(
            "{}\n{variants}",
            BUILD
                .replace("PLACE", &string(place))
                .replace("WHEEL", if with_setup { SETUP } else { WHEEL })
        ),
        check: vec!["-c".to_owned(), import],
        args,
        dir: Some(place.to_owned()),
        ask,
        before: Vec::new(),
    })
}

fn variants(variable: &str, default: &str, native: &str) -> String {
    format!(
        "[[variant]]\nname = \"default\"\nenv = {{ {variable} = {} }}\n\n[[variant]]\nname = \
         \"native\"\nenv = {{ {variable} = {} }}\n",
        string(default),
        string(native)
    )
}

/// What the project's build needs besides setuptools and wheel, each as pip takes it.
fn needs(project: &str) -> Vec<String> {
    // A name may have brackets of its own: `setuptools-scm[toml]`.
    let list = r#"\brequires\s*=\s*\[((?:\s*["'][^"']*["']\s*,?)*)"#;
    let list = first(list, project).unwrap_or_default();
    let names = list.split(['"', '\'']).skip(1).step_by(2);
    let own = |name: &&str| {
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c));
        !["setuptools", "wheel"].contains(&&name[..end.unwrap_or(name.len())])
    };
    names.filter(own).map(karat_process::quote).collect()
}

/// What Python code imports: the extension's package, else the project's name.
fn module(setup: &str, project: &str) -> Option<String> {
    let extension = first(
        r#"Extension\(\s*(?:name\s*=\s*)?["']([A-Za-z0-9_.]+)["']"#,
        setup,
    );
    let name = r#"(?m)\bname\s*=\s*["']([A-Za-z0-9_.-]+)["']"#;
    let top = |name: String| name.split('.').next().map(str::to_owned);
    let named = first(name, project).or_else(|| first(name, setup));
    extension
        .and_then(top)
        .or_else(|| named.map(|name| name.replace(['-', '.'], "_")))
}
