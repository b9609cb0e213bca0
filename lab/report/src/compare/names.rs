//! Names of the files compared, short enough for a title.

use karat_model::compare::{LogComparison, LogSide};

/// The longest name in a title.
const LONGEST: usize = 36;

/// `old/run.log → new/run.log`.
pub fn both(found: &LogComparison) -> String {
    format!("{} → {}", side(&found.before), side(&found.after))
}

/// The first file of a side, and how many more there are. The table of files has their
/// whole paths.
fn side(side: &LogSide) -> String {
    let Some(first) = side.files.first() else {
        return "nothing".to_owned();
    };
    let name = match first.path.as_str() {
        "-" => "stdin".to_owned(),
        path => shortened(path),
    };
    match side.files.len() {
        1 => name,
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

#[cfg(test)]
mod tests {
    use super::shortened;

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
