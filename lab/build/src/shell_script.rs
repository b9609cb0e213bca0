//! Which programs a short shell script starts whatever happens, as far as that is plain.
//!
//! This is no shell: where quoting, expansion or control flow leaves it open what runs,
//! nothing is said.

/// Words that the shell does itself, or that only begin what follows.
const OWN: [&str; 34] = [
    ".", ":", "[", "alias", "break", "cd", "command", "continue", "done", "echo", "esac", "eval",
    "exit", "export", "false", "fi", "hash", "printf", "pwd", "read", "readonly", "return", "set",
    "shift", "source", "test", "times", "trap", "true", "type", "ulimit", "umask", "unset", "wait",
];

/// Words before a command.
const BEFORE: [&str; 7] = ["exec", "env", "time", "nice", "nohup", "{", "}"];

/// The script of `sh -c SCRIPT`, if that is what a command is.
pub(crate) fn script(command: &[String]) -> Option<&str> {
    let (shell, rest) = command.split_first()?;
    let name = shell.rsplit('/').next().unwrap_or(shell);
    if !["sh", "bash", "dash", "ash", "ksh", "zsh"].contains(&name) {
        return None;
    }
    let options = rest.iter().take_while(|word| word.starts_with('-'));
    let is_script = |word: &String| !word.starts_with("--") && word.ends_with('c');
    let at = options.clone().position(is_script)?;
    // An option with a word of its own, as `-o pipefail`, is before it: what follows is not clear.
    (at + 1 == options.count())
        .then(|| rest.get(at + 1).map(String::as_str))
        .flatten()
}

/// Names of the programs that a script starts by name and not only perhaps.
pub(crate) fn programs(script: &str) -> Vec<&str> {
    // Functions, documents in place, other searches, and what runs only for a condition.
    const OPEN: [&str; 5] = ["()", "<<", "PATH=", "`", "$("];
    const FLOW: [&str; 8] = [
        "if", "case", "while", "until", "for", "function", "select", "alias",
    ];
    let is_flow = |word: &str| FLOW.contains(&word);
    if OPEN.iter().any(|part| script.contains(part))
        || script.split([' ', '\t', '\n', ';']).any(is_flow)
    {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (piece, end) in pieces(script) {
        // What may fail may be missing.
        if end == "||" {
            continue;
        }
        let is_setting = |word: &&str| word.split_once('=').is_some_and(|(name, _)| is_name(name));
        let mut words = piece
            .split_whitespace()
            .skip_while(|word| is_setting(word) || BEFORE.contains(word));
        let Some(word) = words.next() else { continue };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        let is_program = word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.chars().all(is_plain)
            && !OWN.contains(&word);
        if is_program && !out.contains(&word) {
            out.push(word);
        }
    }
    out
}

fn is_name(word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !word.is_empty() && word.chars().all(is_letter)
}

/// Simple commands, each with what ends it. What comes after `||` is left out.
fn pieces(script: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    let (mut start, mut at, mut is_else) = (0, 0, false);
    let mut quote = None;
    let bytes = script.as_bytes();
    while at < bytes.len() {
        let byte = bytes[at];
        let two = script.get(at..at + 2).unwrap_or_default();
        let end = match (quote, byte) {
            (Some(open), _) => {
                if byte == b'\\' && open == b'"' {
                    at += 1;
                } else if byte == open {
                    quote = None;
                }
                ""
            }
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                ""
            }
            (None, b'\\') => {
                at += 1;
                ""
            }
            (None, b'#') if at == start || bytes[at - 1].is_ascii_whitespace() => {
                let line = script[at..].find('\n').unwrap_or(script.len() - at);
                if !is_else {
                    out.push((&script[start..at], "\n"));
                }
                at += line;
                (start, is_else) = (at, false);
                ""
            }
            // `2>&1` and `&>log` are no ends.
            (None, b'&') if at > 0 && bytes[at - 1] == b'>' || two == "&>" => "",
            (None, _) if two == "&&" || two == "||" => two,
            (None, b'\n' | b';' | b'|' | b'&' | b'(' | b')') => &script[at..=at],
            _ => "",
        };
        if !end.is_empty() {
            if !is_else {
                out.push((&script[start..at], end));
            }
            is_else = end == "||" || is_else && matches!(end, "&&" | "|");
            at += end.len();
            start = at;
        } else {
            at += 1;
        }
    }
    if !is_else && let Some(rest) = script.get(start..) {
        out.push((rest, ""));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_a_shell() {
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            script(&words).map(str::to_owned)
        };
        assert_eq!(of(&["sh", "-ec", "make"]).as_deref(), Some("make"));
        let bash = ["/bin/bash", "--norc", "-c", "make", "name"];
        assert_eq!(of(&bash).as_deref(), Some("make"));
        assert_eq!(of(&["make", "-c", "x"]), None);
        assert_eq!(of(&["sh", "build.sh"]), None);
        assert_eq!(of(&["sh", "-c"]), None);
        assert_eq!(of(&["bash", "-c", "-o", "pipefail"]), None);
    }

    #[test]
    fn programs_that_surely_start() {
        for (script, expected) in [
            (
                "meson setup build && ninja -C build",
                &["meson", "ninja"][..],
            ),
            ("set -e; cd x\nCC=gcc exec cmake . >log 2>&1", &["cmake"]),
            ("cat x | sed s/a/b/ # awk", &["cat", "sed"]),
            ("printf 'a; b' \"c && d\"; tool \\; e", &["tool"]),
            ("(cd x; make)", &["make"]),
            ("go vet || missing && x; go build", &["go"]),
            ("ldconfig &>log & wait", &["ldconfig"]),
        ] {
            assert_eq!(programs(script), expected, "{script}");
        }
        for open in [
            "a || true",
            "if a; then b; fi",
            "$CC x.c",
            "./configure",
            "PATH=/x a",
            "f() { a; }; f",
            "a=$(b)",
            "cat <<X\ny\nX",
            "for i in 1; do a; done",
        ] {
            assert_eq!(programs(open), [""; 0], "{open}");
        }
    }
}
