//! Names of the files compared, short enough for a title.

use karat_model::compare::{LogComparison, LogSide};

/// The longest name in a title.
const LONGEST: usize = 36;

/// `old/run.log → new/run.log`.
pub fn both(found: &LogComparison) -> String {
    let paths = [&found.before, &found.after].map(first);
    let [mut before, mut after] = paths.map(shortened);
    if before == after && paths[0] != paths[1] {
        [before, after] = apart(paths[0], paths[1]);
    }
    let (before, after) = (side(&found.before, before), side(&found.after, after));
    format!("{before} → {after}")
}

/// The first file of a side.
fn first(side: &LogSide) -> &str {
    match side
        .files
        .first()
        .map_or("nothing", |file| file.path.as_str())
    {
        "-" => "stdin",
        path => path,
    }
}

/// The first file of a side, and how many more there are. The table of files has their
/// whole paths.
fn side(side: &LogSide, name: String) -> String {
    match side.files.len() {
        0 | 1 => name,
        n => format!("{name} and {} more", n - 1),
    }
}

/// A path without its middle: what tells files apart stands at the ends.
fn shortened(path: &str) -> String {
    let letters: Vec<char> = path.chars().collect();
    if letters.len() <= LONGEST {
        return path.to_owned();
    }
    let (front, back) = (LONGEST / 3, LONGEST - LONGEST / 3 - 1);
    let front: String = letters[..front].iter().collect();
    let back: String = letters[letters.len() - back..].iter().collect();
    format!("{front}…{back}")
}

/// What two paths that differ in their middle are called: from shortly before that on.
fn apart(before: &str, after: &str) -> [String; 2] {
    let letters = before.chars().zip(after.chars());
    let same = letters.take_while(|(b, a)| b == a).count();
    let from = same.saturating_sub(LONGEST / 3);
    [before, after].map(|path| {
        let left = path.chars().count() - from;
        let part: String = path.chars().skip(from).take(LONGEST - 2).collect();
        let end = if left > LONGEST - 2 { "…" } else { "" };
        format!("…{part}{end}")
    })
}

#[cfg(test)]
mod tests {
    use super::{apart, shortened};

    #[test]
    fn paths_that_differ_in_their_middle_stay_apart() {
        let path = |side: &str| {
            format!(
                "builds/{}{side}/benchmarks/of/the-same-name.log",
                "d/".repeat(30)
            )
        };
        let (before, after) = (path("main"), path("branch"));
        assert_eq!(shortened(&before), shortened(&after));
        assert_eq!(
            apart(&before, &after),
            [
                "…d/d/d/d/d/d/main/benchmarks/of/the…",
                "…d/d/d/d/d/d/branch/benchmarks/of/t…",
            ]
        );
    }

    #[test]
    fn long_paths_lose_their_middle() {
        assert_eq!(shortened("old/run.log"), "old/run.log");
        let long = format!("/builds/{}/old/run.log", "deep/".repeat(40));
        let short = shortened(&long);
        assert_eq!(short.chars().count(), 36);
        assert!(
            short.starts_with("/builds/") && short.ends_with("/old/run.log"),
            "{short}"
        );
    }
}
