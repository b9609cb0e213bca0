//! Man pages: what `karat --help` says, and each command's.

use super::Dist;
use crate::command::{command, stdout};
use anyhow::Result;

/// Names of files and their text.
pub fn pages(dist: &Dist) -> Result<Vec<(String, String)>> {
    let help = |args: &[&str]| stdout(command(&dist.program, args));
    let main = help(&["--help"])?;
    let names = commands(&main);
    let mut pages = vec![("karat.1".to_owned(), page("karat", &main, dist, &names))];
    for name in &names {
        let text = help(&[name, "--help"])?;
        let title = format!("karat-{name}");
        pages.push((format!("{title}.1"), page(&title, &text, dist, &[])));
    }
    Ok(pages)
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| line.starts_with(' '))
        // Further lines of a description stand further right.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// A page in roff: the first line is the name's, the rest stands as it is.
fn page(title: &str, help: &str, dist: &Dist, others: &[String]) -> String {
    let mut lines = help.lines();
    let summary = lines.next().unwrap_or_default().trim_end_matches('.');
    let body: Vec<String> = lines.map(escaped).collect();
    let mut text = format!(
        ".TH \"{}\" \"1\" \"\" \"karat {}\"\n.SH NAME\n{} \\- {}\n.SH DESCRIPTION\n.nf\n{}\n.fi\n",
        title.to_uppercase(),
        dist.version,
        escaped(title),
        escaped(summary),
        body.join("\n").trim()
    );
    if !others.is_empty() {
        let others: Vec<String> = others
            .iter()
            .map(|o| format!(".BR karat\\-{o} (1)"))
            .collect();
        text += &format!(".SH SEE ALSO\n{}\n", others.join(",\n"));
    }
    text
}

/// A line of text that roff takes for nothing else.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use super::{commands, escaped};

    #[test]
    fn commands_are_those_that_are_listed() {
        let help = "A tool.\n\nUsage: karat\n\nCommands:\n  run    Runs\n         more\n  ab     \
                    Compares\n  help   Helps\n\nOptions:\n  -q  Quiet\n";
        assert_eq!(commands(help), ["run", "ab"]);
    }

    #[test]
    fn roff_sees_no_requests() {
        assert_eq!(escaped(".nf --x \\n"), "\\&.nf \\-\\-x \\en");
    }
}
