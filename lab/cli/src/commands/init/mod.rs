//! `karat init`: the beginning of a study, for what is in the folder.

mod beginning;
mod look;

use super::failed;
use crate::{args, exit, say};
use anyhow::{Context, Result};
use beginning::Beginning;
use karat_model::study::reference;
use std::fs;
use std::path::Path;

/// The schema for editors, which the study's first line names.
const SCHEMA: &str = "study.schema.json";

/// Writes a study.toml that fits what is in the folder or, when the folder is new, in the
/// one above it.
pub fn run(args: &args::Init) -> Result<u8> {
    let dir = &args.dir;
    let path = dir.join("study.toml");
    let refuse = |what: String| Err(failed(exit::USAGE, what));
    if path.exists() {
        return refuse(format!(
            "{} exists already; karat init overwrites nothing",
            path.display()
        ));
    }
    if dir.exists() && !dir.is_dir() {
        return refuse(format!(
            "{} is no folder; name one for the study",
            dir.display()
        ));
    }
    // A new folder that is named is for a study of what is beside it.
    let is_new =
        !dir.exists() || fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
    let is_named = dir != Path::new(".");
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let above = || {
        let mut beginning = look::at(&dir.join(".."), "..")?;
        beginning.what = format!("in the folder above, {}", beginning.what);
        Some(beginning)
    };
    let found = look::at(dir, ".").or_else(|| (is_new && is_named).then(above).flatten());
    let beginning = found.unwrap_or_else(look::nothing);
    let write = |path: &Path, text: &str| {
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write(&path, &beginning.study(&name(dir), SCHEMA))?;
    // Another study's schema may lie there: it is the same.
    let schema = serde_json::to_string_pretty(&reference::schema())?;
    write(&dir.join(SCHEMA), &format!("{schema}\n"))?;
    say::note(&told(&beginning, dir, &path));
    Ok(exit::GOOD)
}

/// What was found and what comes next.
fn told(beginning: &Beginning, dir: &Path, path: &Path) -> String {
    let mut out = format!(
        "{}\nwrote {}, and {SCHEMA} for editors\n",
        beginning.what,
        path.display()
    );
    for ask in beginning.asks() {
        out += &format!("to do: {ask}\n");
    }
    out += "next:\n";
    for command in &beginning.before {
        out += &format!("  {command}\n");
    }
    let dir = karat_process::quote(&dir.to_string_lossy());
    out + &format!("  karat run {dir} --dry-run\n  karat run {dir} --smoke")
}

/// The study's name: its folder's, as far as a name may be so.
fn name(dir: &Path) -> String {
    let folder = std::path::absolute(dir)
        .ok()
        .and_then(|d| d.file_name().map(|n| n.to_string_lossy().into_owned()))
        .unwrap_or_default();
    let good = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let name: String = folder
        .trim_start_matches('.')
        .chars()
        .map(|c| if good(c) { c } else { '-' })
        .collect();
    if name.is_empty() {
        "study".into()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::study::{Builder, Study};

    /// The study for a folder of these files.
    fn study(files: &[(&str, &str)]) -> (Study, String) {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = dir.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let beginning = look::at(dir.path(), ".").unwrap_or_else(look::nothing);
        let text = beginning.study("s", SCHEMA);
        let study = Study::parse(&text).unwrap_or_else(|p| {
            panic!("{}", karat_model::diagnostic::render(&p, "s", &text, false))
        });
        (study, text)
    }

    /// The artifact of a study that a command builds.
    fn artifact(files: &[(&str, &str)]) -> String {
        let (study, text) = study(files);
        match &study.variants[0].builder {
            Builder::Command(command) => command.artifact.display().to_string(),
            other => panic!("{other:?} in {text}"),
        }
    }

    #[test]
    fn nothing_that_is_known_leaves_a_study_to_fill_in() {
        let (_, text) = study(&[]);
        assert!(text.contains("TO DO"), "{text}");
    }

    #[test]
    fn cmake_programs_are_found_where_they_are_added() {
        let top = "project(thing C)\nadd_subdirectory(src)\n";
        let below = "add_library(core a.c)\nADD_EXECUTABLE( ${PROJECT_NAME} main.c)\n";
        let files = [("CMakeLists.txt", top), ("src/CMakeLists.txt", below)];
        assert_eq!(artifact(&files), "karat-out/thing");
        let tests = "project(t)\nadd_executable(t_test t.c)\nadd_executable(tool main.c)\n";
        assert_eq!(artifact(&[("CMakeLists.txt", tests)]), "karat-out/tool");
        for renamed in [
            "set_target_properties(tool PROPERTIES\n  FOLDER \"x\"\n  OUTPUT_NAME \"tool2\")\n",
            "set_property(TARGET tool PROPERTY OUTPUT_NAME tool2)\n",
        ] {
            let text = format!("{tests}{renamed}");
            assert_eq!(artifact(&[("CMakeLists.txt", &text)]), "karat-out/tool2");
        }
    }

    #[test]
    fn meson_programs_are_built_in_their_subfolder() {
        let top = "project('p', 'c')\nsubdir('src')\n";
        let files = [
            ("meson.build", top),
            ("src/meson.build", "executable('tool', 'main.c')\n"),
        ];
        assert_eq!(artifact(&files), "karat-build/src/tool");
    }

    #[test]
    fn make_programs_are_named_by_rules_and_variables() {
        for (text, expected) in [
            (
                "TARGET = tool\nall: $(TARGET)\n$(TARGET): main.o\n\tcc -o $@ $^\n",
                "tool",
            ),
            ("tool: tool.c\n\t$(CC) $(CFLAGS) -o tool tool.c\n", "tool"),
            (
                ".PHONY: all\nall: lib.a bin/tool\nclean:\n\trm x\n",
                "bin/tool",
            ),
            (
                "CFLAGS := -O2\n%.o: %.c\n\tcc\nprog: a.o b.o\n\tcc -o $@ $^\n",
                "prog",
            ),
            (
                "all: most\n.PHONY: most lib\nmost: tool\ntool: t.c\n\tcc -o $@ t.c\n",
                "tool",
            ),
        ] {
            assert_eq!(artifact(&[("Makefile", text)]), expected, "{text}");
        }
        let (_, text) = study(&[("Makefile", "CFLAGS = -O3 -Iinc\nx: x.c\n\tcc -o x x.c\n")]);
        assert!(
            text.contains("CFLAGS=-O3 -Iinc -g1 -march=native"),
            "{text}"
        );
        // A recipe's own setting is none of the Makefile's.
        let recipe = "x: x.c\n\tCFLAGS='-O9' cc -o x x.c\n";
        let (_, text) = study(&[("Makefile", recipe)]);
        assert!(text.contains("CFLAGS=-O2 -g1"), "{text}");
    }

    #[test]
    fn go_programs_are_packages_called_main() {
        let files = [
            ("go.mod", "module example.org/x/tool\n"),
            ("lib.go", "package tool\n"),
            ("cmd/tool/main.go", "// The tool.\npackage main\n"),
        ];
        let (_, text) = study(&files);
        assert!(text.contains("\"./cmd/tool\""), "{text}");
        let (_, text) = study(&[files[0], files[1]]);
        assert!(text.contains("TO DO"), "a library: {text}");
    }

    #[test]
    fn python_extensions_are_told_from_plain_packages() {
        let setup = "from setuptools import setup, Extension\n\
                     setup(name='p', ext_modules=[Extension('fastsum', ['f.c'])])\n";
        let (_, text) = study(&[("setup.py", setup)]);
        assert!(text.contains("import fastsum"), "{text}");
        let maturin = "[build-system]\nbuild-backend = \"maturin\"\n[project]\nname = \"my-ext\"\n";
        let (_, text) = study(&[("pyproject.toml", maturin), ("Cargo.toml", "[package]\n")]);
        assert!(
            text.contains("import my_ext") && text.contains("RUSTFLAGS"),
            "{text}"
        );
        assert!(!text.contains("must be installed: "), "{text}");
        let needs = "[build-system]\nrequires = [\n  \"setuptools>=77\",\n  'setuptools-scm[toml]>=3',\n]\n";
        let (_, text) = study(&[("setup.py", setup), ("pyproject.toml", needs)]);
        assert!(text.contains("install 'setuptools-scm[toml]>=3'"), "{text}");
        let (_, text) = study(&[("pyproject.toml", "[project]\nname = \"plain\"\n")]);
        assert!(text.contains("TO DO"), "{text}");
    }

    #[test]
    fn two_programs_are_compared_the_older_one_first() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        for (name, age) in [("a-new", 0), ("b-old", 1000)] {
            let path = dir.path().join(name);
            fs::write(&path, b"\x7fELF").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
            fs::File::open(&path).unwrap().set_modified(time).unwrap();
        }
        let text = look::at(dir.path(), ".").unwrap().study("s", SCHEMA);
        let study = Study::parse(&text).unwrap();
        assert_eq!(study.variants[study.baseline].name.value, "b-old");
    }
}
