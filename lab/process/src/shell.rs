//! Words as a shell wants them.

/// A word as a shell wants it, on one line: control characters are written as in
/// `$'\n'` (POSIX.1-2024; bash, zsh and ksh have long had it).
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if !word.contains(char::is_control) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut out = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str(r"\n"),
            '\t' => out.push_str(r"\t"),
            // Octal, byte by byte: it cannot run into what follows.
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::quote;
    use std::process::Command;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        if Command::new("bash").arg("--version").output().is_err() {
            println!("SKIPPED: no bash on this machine");
            return;
        }
        for word in [
            "plain",
            "",
            " ",
            "a b",
            "it's",
            "$HOME",
            "a\nb",
            "tab\tq'\\",
            "\u{1b}[1m9",
            "ä\u{85}1",
        ] {
            let quoted = quote(word);
            assert!(!quoted.contains(char::is_control), "{quoted:?}");
            let script = format!("printf %s {quoted}");
            let out = Command::new("bash").args(["-c", &script]).output().unwrap();
            assert_eq!(out.stdout, word.as_bytes(), "{quoted}");
        }
    }
}
