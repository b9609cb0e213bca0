use super::*;
use crate::{Finished, Setup};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const fn software(name: &'static str, config: u64) -> Event {
    Event {
        name,
        kind: 1,
        config,
    }
}

/// PERF_COUNT_SW_TASK_CLOCK, in nanoseconds.
const TASK_CLOCK: Event = software("task-clock", 1);
/// PERF_COUNT_SW_PAGE_FAULTS.
const PAGE_FAULTS: Event = software("page-faults", 2);
/// PERF_COUNT_SW_CONTEXT_SWITCHES.
const CONTEXT_SWITCHES: Event = software("context-switches", 3);

/// Runs a script with software events, which need no PMU; `None` where even these
/// are forbidden.
fn counted(script: &str) -> Option<Finished> {
    let set = Set {
        events: vec![TASK_CLOCK, PAGE_FAULTS, CONTEXT_SWITCHES],
        kernel: true,
    };
    if let Err(error) = set.open() {
        println!("SKIPPED: software events with the kernel's part: {error}");
        return None;
    }
    let setup = Setup {
        // Neither of these may be counted.
        setup: Some("head -c 20000000 /dev/zero | tail -c 1".into()),
        cleanup: Some("sleep 0.01; sleep 0.01; sleep 0.01".into()),
        counters: Some(set),
        ..Setup::default()
    };
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    let run = setup
        .run(
            &mut command,
            Duration::from_secs(60),
            &AtomicBool::new(false),
        )
        .unwrap();
    assert!(run.success());
    assert!(run.counts.iter().all(|c| c.share == 1.0));
    Some(run)
}

fn value(run: &Finished, event: Event) -> u64 {
    let found = run.counts.iter().find(|c| c.event == event);
    found.map_or(0, |c| c.value)
}

#[test]
fn software_events_agree_with_the_kernels_accounts() {
    // The second half runs in a child: events are inherited.
    let work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    let Some(run) = counted(&format!("{work}; ({work}); sleep 0.01; sleep 0.01")) else {
        return;
    };
    let clock = value(&run, TASK_CLOCK) as f64 * 1e-9;
    // The accounts begin before the exec and the clock is finer.
    assert!((clock / run.cpu - 1.0).abs() < 0.1, "{clock} {}", run.cpu);
    let (faults, all) = (
        value(&run, PAGE_FAULTS),
        run.minor_faults + run.major_faults,
    );
    assert!(faults <= all && faults * 10 >= all * 8, "{faults} {all}");
    let (switches, all) = (value(&run, CONTEXT_SWITCHES), run.waits + run.switches);
    // The last switch of each process, from its end, is in neither or one of them.
    assert!(switches.abs_diff(all) <= 8, "{switches} {all}");
    assert!(all >= 2);
}

#[test]
fn every_run_starts_from_zero() {
    let Some(first) = counted("exit 0") else {
        return;
    };
    let second = counted("exit 0").unwrap();
    let (a, b) = (value(&first, PAGE_FAULTS), value(&second, PAGE_FAULTS));
    assert!(a > 0 && a.abs_diff(b) * 4 < a, "{a} {b}");
}

#[test]
fn hardware_counts_or_says_why_not() {
    match available() {
        Err(why) => {
            println!("SKIPPED: {why}");
            assert!(why.len() > 30 && !why.contains('\n'));
        }
        Ok(set) => {
            assert_eq!(set.events()[0], Event::INSTRUCTIONS);
            let setup = Setup {
                counters: Some(set),
                ..Setup::default()
            };
            let mut command = Command::new("true");
            let never = AtomicBool::new(false);
            let run = setup.run(&mut command, Duration::from_secs(10), &never);
            let instructions = value(&run.unwrap(), Event::INSTRUCTIONS);
            assert!((10_000..100_000_000).contains(&instructions));
        }
    }
}

#[test]
fn a_counter_that_took_turns_is_scaled() {
    let reading = |value, enabled, running| {
        let reading = Reading {
            value,
            enabled,
            running,
        };
        reading.count(Event::CYCLES).map(|c| (c.value, c.share))
    };
    assert_eq!(reading(100, 50, 50), Some((100, 1.0)));
    assert_eq!(reading(100, 400, 100), Some((400, 0.25)));
    assert_eq!(reading(0, 400, 0), None);
    assert_eq!(
        reading(u64::MAX / 2, 1 << 60, 1 << 59),
        Some((u64::MAX - 1, 0.5))
    );
}

#[test]
fn refusals_are_explained() {
    let why = |errno, paranoid| explain(&io::Error::from_raw_os_error(errno), paranoid);
    assert!(why(libc::ENOENT, Some(2)).contains("no hardware PMU"));
    assert!(why(libc::EACCES, Some(4)).contains("perf_event_paranoid is 4"));
    assert!(why(libc::EPERM, Some(1)).contains("seccomp"));
    assert!(why(libc::ENOSYS, None).contains("perf_event_open is missing"));
    assert!(why(libc::EMFILE, None).contains("perf_event_open fails"));
}
