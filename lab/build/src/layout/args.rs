//! A linker's command line: response files, and arguments that name files.

use std::fs;
use std::path::{Path, PathBuf};

/// Options of `ld` and LLD whose value follows as an argument of its own and is
/// never an input file.
const WITH_VALUE: &[&str] = &[
    "-m",
    "-z",
    "-L",
    "-l",
    "-e",
    "-u",
    "-h",
    "-soname",
    "--soname",
    "-rpath",
    "--rpath",
    "-rpath-link",
    "--rpath-link",
    "-dynamic-linker",
    "--dynamic-linker",
    "-I",
    "--sysroot",
    "-plugin",
    "--plugin",
    "--entry",
    "-Map",
    "--Map",
];

/// Replaces every `@file` by the words in it. An argument whose file does not
/// exist stays, as with GNU ld (ld manual, "Command-line Options").
pub(super) fn expand(args: &[String], cwd: &Path) -> Vec<String> {
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        let text = arg
            .strip_prefix('@')
            .and_then(|file| fs::read_to_string(cwd.join(file)).ok());
        match text {
            Some(text) => out.extend(words(&text)),
            None => out.push(arg.clone()),
        }
    }
    out
}

/// The words of a response file: white space separates, quotes keep it, a
/// backslash takes the next character as it is.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(q)) if c == q => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => out.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

/// Takes the output's name out of `args`; `a.out` if none is given.
pub(super) fn take_output(args: &mut Vec<String>) -> String {
    let mut output = "a.out".to_owned();
    let mut i = 0;
    while i < args.len() {
        if (args[i] == "-o" || args[i] == "--output") && i + 1 < args.len() {
            output = args.remove(i + 1);
            args.remove(i);
        } else if let Some(name) = args[i].strip_prefix("--output=") {
            output = name.to_owned();
            args.remove(i);
        } else if args[i].starts_with("-o") && !args[i].starts_with("-omagic") {
            output = args.remove(i)[2..].to_owned();
        } else {
            i += 1;
        }
    }
    output
}

/// Takes out what makes a link write other files than its output.
pub(super) fn drop_side_outputs(args: &mut Vec<String>) {
    const ONE: &[&str] = &["-Map", "--Map", "--dependency-file"];
    let mut i = 0;
    while i < args.len() {
        let joined = |o: &&str| {
            args[i]
                .strip_prefix(*o)
                .is_some_and(|rest| rest.starts_with('='))
        };
        if ONE.contains(&args[i].as_str()) {
            args.drain(i..(i + 2).min(args.len()));
        } else if ONE.iter().any(joined) {
            args.remove(i);
        } else {
            i += 1;
        }
    }
}

/// Rewrites the parts of `args` that name files: `file` is given the path of
/// each that exists and may give another text for it. Folders to search become
/// absolute.
pub(super) fn rewrite_files(
    args: &mut [String],
    cwd: &Path,
    mut file: impl FnMut(&Path) -> Option<String>,
) {
    let mut value_of = String::new();
    for arg in args {
        let option = std::mem::take(&mut value_of);
        let searched = match option.as_str() {
            "-L" => Some(("", arg.as_str())),
            "" => arg.strip_prefix("-L").map(|folder| ("-L", folder)),
            _ => None,
        };
        if let Some((head, folder)) = searched.filter(|(_, f)| !f.is_empty()) {
            if !folder.starts_with('=') {
                *arg = format!("{head}{}", cwd.join(folder).display());
            }
            continue;
        }
        if !option.is_empty() {
            continue;
        }
        if WITH_VALUE.contains(&arg.as_str()) {
            value_of.clone_from(arg);
            continue;
        }
        let (head, path) = named(arg);
        let place = cwd.join(path);
        if !path.is_empty()
            && place.is_file()
            && let Some(new) = file(&place)
        {
            *arg = format!("{head}{new}");
        }
    }
}

/// The part of an argument that may be a file's name, and what is before it.
fn named(arg: &str) -> (&str, &str) {
    if !arg.starts_with('-') {
        return ("", arg);
    }
    match arg.rfind('=') {
        Some(at) => arg.split_at(at + 1),
        None => match arg.strip_prefix("-T") {
            Some(script) => ("-T", script),
            None => (arg, ""),
        },
    }
}

/// The folders and files of a Makefile rule as `--dependency-file` writes it.
pub(super) fn dependencies(rule: &str, cwd: &Path) -> Vec<PathBuf> {
    let first = rule.split("\n\n").next().unwrap_or_default();
    let Some((_, list)) = first.split_once(':') else {
        return Vec::new();
    };
    let list = list.replace("\\\n", "\n");
    list.lines()
        .map(|line| line.trim().replace("\\ ", " ").replace("\\#", "#"))
        .filter(|line| !line.is_empty())
        .map(|line| cwd.join(line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn response_files_are_read_as_the_linkers_do() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("r"), "a \"b c\"\n'd' e\\ f \"\" g\\\\h").unwrap();
        let got = expand(&list("x @r @none"), dir.path());
        assert_eq!(got, ["x", "a", "b c", "d", "e f", "", "g\\h", "@none"]);
    }

    #[test]
    fn outputs_are_found_in_every_spelling() {
        for line in [
            "x -o out y",
            "x --output=out y",
            "x -oout y",
            "x --output out y",
        ] {
            let mut args = list(line);
            assert_eq!(take_output(&mut args), "out", "{line}");
            assert_eq!(args, ["x", "y"]);
        }
        let mut args = list("-Map=m x --Map m y --dependency-file=d z -Map m");
        drop_side_outputs(&mut args);
        assert_eq!(args, ["x", "y", "z"]);
    }

    #[test]
    fn files_are_told_from_values() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.o", "lib", "script"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let mut args =
            list("a.o -l lib -soname a.o --version-script=script -Tscript -Lx -L y none.o");
        rewrite_files(&mut args, dir.path(), |p| {
            Some(format!("in/{}", p.file_name().unwrap().display()))
        });
        let at = |p: &str| dir.path().join(p).display().to_string();
        let expected = format!(
            "in/a.o -l lib -soname a.o --version-script=in/script -Tin/script -L{} -L {} none.o",
            at("x"),
            at("y")
        );
        assert_eq!(args, list(&expected));
    }

    #[test]
    fn a_rule_is_a_list_of_files() {
        let rule = "out: \\\n  a.o \\\n  /lib/b\\ c.a\n\na.o:\n\n/lib/b\\ c.a:\n";
        let got = dependencies(rule, Path::new("/w"));
        assert_eq!(got, [Path::new("/w/a.o"), Path::new("/lib/b c.a")]);
    }
}
