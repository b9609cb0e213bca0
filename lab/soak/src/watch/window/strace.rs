//! `strace -c -f`: all calls by name, each of which stops the program twice.

use super::Method;
use karat_process::Command;

pub(super) const METHOD: Method = Method {
    name: "strace -c -f (ptrace)",
    command,
    read,
    marks: None,
};

fn command(pids: &[u32], _: f64) -> Command {
    let mut command = Command::new("strace");
    command.args(["-c", "-f", "-qq", "-U", "calls,name"]);
    for pid in pids {
        command.args(["-p", &pid.to_string()]);
    }
    command
}

/// Rows of a number and a name.
fn read(lines: &[String]) -> Option<(u64, Vec<(String, u64)>)> {
    let row = |line: &String| {
        let mut words = line.split_whitespace();
        let calls: u64 = words.next()?.parse().ok()?;
        let name = words.next()?;
        (words.next().is_none() && name != "total").then(|| (name.to_owned(), calls))
    };
    let rows: Vec<(String, u64)> = lines.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| (rows.iter().map(|r| r.1).sum(), rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_strace_is_read() {
        // strace 6.1, `strace -c -U calls,name`.
        let text = "    calls syscall\n--------- ----------------\n        7 read\n       12 write\n\
                    \x20       1 close\n--------- ----------------\n       20 total\n";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (all, rows) = read(&lines).unwrap();
        assert_eq!(all, 20);
        let expected = [("read", 7), ("write", 12), ("close", 1)];
        assert_eq!(rows, expected.map(|(name, n)| (name.to_owned(), n)));
        assert_eq!(read(&[]), None);
    }
}
