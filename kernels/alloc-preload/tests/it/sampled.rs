//! The heap profile: what it estimates, and of which places.

use crate::preload::{WAYS, compiled, preloaded, said};
use std::path::{Path, PathBuf};

const MEAN: f64 = 65_536.0;

/// A file name that no other test has, and that no earlier run left.
fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heap-profiles");
    let _ = std::fs::create_dir_all(&folder);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_string_lossy().starts_with(name) {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    folder.join(name)
}

/// A line of a profile: live objects and bytes, all objects and bytes, addresses.
fn line(text: &str) -> ([f64; 4], Vec<usize>) {
    let (counts, frames) = text.split_once('@').unwrap();
    let numbers = counts.split(|letter: char| !letter.is_ascii_digit());
    let numbers: Vec<f64> = numbers.filter_map(|n| n.parse().ok()).collect();
    let frames = frames.split_whitespace();
    let address = |frame: &str| usize::from_str_radix(frame.trim_start_matches("0x"), 16);
    let frames = frames.map(|frame| address(frame).unwrap()).collect();
    (numbers.try_into().unwrap(), frames)
}

/// How many bytes objects of `size` take, of which these were sampled.
fn estimate(bytes: f64, size: f64) -> f64 {
    bytes / (1.0 - (-size / MEAN).exp())
}

fn near(found: f64, right: f64, deviations: f64, switches: &[(&str, &str)]) {
    // The number of samples is Poisson's: its deviation is its root.
    let most = deviations / (right / MEAN).sqrt();
    assert!(
        (found / right - 1.0).abs() < most,
        "{found} is not {right} ± {:.0} %, {switches:?}",
        most * 100.0
    );
}

#[test]
fn the_heap_profile_tells_how_much_which_place_asked_for() {
    let Some(program) = compiled("sites.c") else {
        return;
    };
    for (index, ways) in WAYS[..3].iter().enumerate() {
        let file = path(&format!("sites-{index}"));
        let mut switches = ways.to_vec();
        switches.push(("KARAT_ALLOC_HEAP_PROFILE", file.to_str().unwrap()));
        switches.push(("KARAT_ALLOC_SAMPLE_BYTES", "65536"));
        let command = preloaded(program.to_str().unwrap(), &switches)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let process = command.id();
        let output = command.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let places = String::from_utf8_lossy(&output.stdout).into_owned();
        let places: Vec<usize> = places
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();

        let text = std::fs::read_to_string(format!("{}.{process}", file.display())).unwrap();
        let (sites, maps) = text.split_once("\n\nMAPPED_LIBRARIES:\n").unwrap();
        assert!(maps.contains("libkarat_alloc.so"), "{maps}");
        let (head, sites) = sites.split_once('\n').unwrap();
        assert!(head.ends_with("@ heap_v2/65536"), "{head}");
        let sum = |place: usize| {
            // A function ends where the next begins.
            let next = places.iter().copied().filter(|&other| other > place).min();
            let function = place..next.unwrap_or(place + 4096);
            let mut sum = [0.0; 4];
            for site in sites.lines() {
                // The allocator's own frames are left out: the caller is the first.
                let (counts, frames) = line(site);
                if frames.first().is_some_and(|f| function.contains(f)) {
                    sum = core::array::from_fn(|i| sum[i] + counts[i]);
                }
            }
            sum
        };
        let [_, live, _, all] = sum(places[0]).map(|bytes| estimate(bytes, 1000.0));
        // 200 of the blocks were moved, which is a place of its own.
        near(live, 19_800_000.0, 5.0, &switches);
        near(all, 20_000_000.0, 5.0, &switches);
        let [count, _, _, all] = sum(places[1]);
        assert_eq!(count, 0.0, "{switches:?}");
        near(estimate(all, 3000.0), 150_000_000.0, 5.0, &switches);
    }
}

/// The shell and what it starts have profiles of their own.
#[test]
fn each_process_writes_its_own_profile() {
    let file = path("each");
    let switches = [
        ("KARAT_ALLOC_HEAP_PROFILE", file.to_str().unwrap()),
        ("KARAT_ALLOC_SAMPLE_BYTES", "100"),
    ];
    let output = preloaded("bash", &switches)
        .args(["-c", "ls / >/dev/null; (echo fork >/dev/null); exit 0"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let written = std::fs::read_dir(file.parent().unwrap())
        .unwrap()
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with("each.")
        })
        .count();
    assert!(written >= 2, "{written}");
}

#[test]
fn a_profile_that_cannot_be_written_is_told() {
    let wrong = [
        (
            "/no/such/folder/x",
            "cannot be written to /no/such/folder/x.",
        ),
        ("/dev/full/x", "cannot be written to /dev/full/x."),
        ("", "has a path of 0 bytes"),
    ];
    for (path, message) in wrong {
        let output = preloaded("ls", &[("KARAT_ALLOC_HEAP_PROFILE", path)])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message), "{text}");
    }
}
