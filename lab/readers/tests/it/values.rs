//! Numbers, units and directions, as they stand in the samples.

use crate::{SAMPLES, assert_sound, find, read_with, sample};
use karat_model::units::Better::{Higher, Lower};
use karat_readers::{all, recognise};

#[test]
fn every_sample_is_known_by_its_reader_alone() {
    for (reader, name) in SAMPLES.iter().chain(crate::REFUSED) {
        let text = sample(name);
        let known: Vec<&str> = all()
            .iter()
            .filter(|r| r.recognises(&text))
            .map(|r| r.name())
            .collect();
        // A run without any result still has go's failure.
        assert_eq!(known, [*reader], "{name}");
        assert_eq!(recognise(&text).map(|r| r.name()), Some(*reader));
    }
    for other in [&b""[..], b"{}", b"hello\n", &sample("hyperfine/text.txt")] {
        assert!(recognise(other).is_none());
    }
}

#[test]
fn every_sample_is_read() {
    for (reader, name) in SAMPLES {
        assert_sound(&read_with(reader, &sample(name)));
    }
}

#[test]
fn google_benchmark_gives_both_times_and_counters() {
    let read = read_with("google-benchmark", &sample("google-benchmark/run.json"));
    let sum = "Sum/64/repeats:3";
    let real = find(&read, sum, "real");
    assert_eq!((real.unit.as_str(), real.better), ("ns", Lower));
    assert_eq!(real.repetitions.len(), 3);
    assert_eq!(real.repetitions[0], 29.719_921_772_153_24);
    assert_eq!(
        find(&read, sum, "cpu").repetitions[0],
        16.340_428_221_109_523
    );
    let bytes = find(&read, sum, "bytes_per_second");
    assert_eq!((bytes.unit.as_str(), bytes.better), ("bytes/s", Higher));
    assert_eq!(bytes.repetitions[0], 3.9166660220887637e+09);
    let items = find(&read, sum, "items_per_second");
    assert_eq!((items.unit.as_str(), items.better), ("items/s", Higher));
    let missed = find(&read, sum, "missed");
    assert_eq!((missed.unit.as_str(), missed.better), ("", Lower));
    assert_eq!(missed.repetitions, [0.0; 3]);
    assert_eq!(find(&read, "Micro/real_time/threads:2", "real").unit, "us");
    let names: Vec<&str> = read.iter().map(|m| m.name.as_str()).collect();
    assert!(
        !names
            .iter()
            .any(|n| n.contains("_mean") || n.contains("_BigO"))
    );
    // Sum has five metrics, Micro and the two sizes of Big two each.
    assert_eq!(read.len(), 5 + 3 * 2);
}

#[test]
fn google_benchmarks_table_is_read_without_its_aggregates() {
    let read = read_with("google-benchmark", &sample("google-benchmark/console.txt"));
    assert_eq!(
        find(&read, "Sum/64/repeats:3", "real").repetitions,
        [27.8, 29.9, 29.7]
    );
    assert_eq!(
        find(&read, "Sum/64/repeats:3", "cpu").repetitions,
        [16.1, 16.2, 16.1]
    );
    let micro = find(&read, "Micro/real_time/threads:2", "cpu");
    assert_eq!(
        (micro.unit.as_str(), &micro.repetitions[..]),
        ("us", &[25.1][..])
    );
    assert_eq!(find(&read, "Big/64", "real").repetitions, [0.771]);
    assert_eq!(read.len(), 4 * 2);
    let coloured = read_with("google-benchmark", &sample("google-benchmark/colour.txt"));
    let names = |read: &[karat_readers::Measurement]| -> Vec<(String, String)> {
        read.iter()
            .map(|m| (m.name.clone(), m.metric.clone()))
            .collect()
    };
    assert_eq!(names(&read), names(&coloured));
}

#[test]
fn hyperfine_names_carry_parameters() {
    let read = read_with("hyperfine", &sample("hyperfine/list-1.15.json"));
    let one = find(&read, "sleep 0.001 (n=1)", "time");
    assert_eq!((one.unit.as_str(), one.better), ("s", Lower));
    assert_eq!(
        one.repetitions,
        [
            0.005738532,
            0.002019852,
            0.001920342,
            0.001907313,
            0.0018953250000000002
        ]
    );
    assert_eq!(
        find(&read, "sleep 0.002 (n=2)", "time").repetitions.len(),
        5
    );
    let new = read_with("hyperfine", &sample("hyperfine/list.json"));
    assert_eq!(new.len(), 2);
}

#[test]
fn namesakes_are_told_apart() {
    let read = read_with("hyperfine", &sample("hyperfine/namesakes.json"));
    assert_eq!(find(&read, "first", "time").repetitions.len(), 3);
    assert_eq!(find(&read, "first #2", "time").repetitions.len(), 3);
}

#[test]
fn pytest_gives_every_round() {
    let read = read_with("pytest-benchmark", &sample("pytest-benchmark/run.json"));
    let plain = find(&read, "test_tiny.py::test_plain", "time");
    assert_eq!((plain.unit.as_str(), plain.better), ("s", Lower));
    assert_eq!(
        plain.repetitions,
        [
            9.454000974074006e-07,
            9.114002750720828e-07,
            5.568002961808816e-07,
            5.508001777343452e-07
        ]
    );
    assert_eq!(
        find(&read, "test_tiny.py::test_sum[4096]", "time")
            .repetitions
            .len(),
        3
    );
    assert_eq!(read.len(), 3);
}

#[test]
fn jmh_modes_are_metrics() {
    let read = read_with("jmh", &sample("jmh/run.json"));
    let rate = find(&read, "tiny.Tiny.sum (n=64)", "thrpt");
    assert_eq!((rate.unit.as_str(), rate.better), ("ops/us", Higher));
    let time = find(&read, "tiny.Tiny.sum (n=64)", "avgt");
    assert_eq!((time.unit.as_str(), time.better), ("us/op", Lower));
    // Two forks of two iterations.
    assert_eq!((rate.repetitions.len(), time.repetitions.len()), (4, 4));
    let once = find(&read, "tiny.Tiny.once (n=64)", "ss");
    assert_eq!((once.unit.as_str(), once.better), ("s/op", Lower));
    let calls = find(&read, "tiny.Tiny.counted (n=64)", "avgt:calls");
    assert_eq!((calls.unit.as_str(), calls.better), ("#", Lower));
    let gc = read_with("jmh", &sample("jmh/gc.json"));
    let norm = find(&gc, "tiny.Tiny.sum (n=64)", "avgt:gc.alloc.rate.norm");
    assert_eq!((norm.unit.as_str(), norm.better), ("B/op", Lower));
}

#[test]
fn criterions_text_gives_the_middle() {
    let first = read_with("criterion", &sample("criterion/first.txt"));
    let plain = find(&first, "plain", "time");
    assert_eq!((plain.unit.as_str(), plain.better), ("ns", Lower));
    assert_eq!(plain.repetitions, [18.665]);
    let left = find(&first, "group/fold/left/4096", "time");
    assert_eq!(
        (left.unit.as_str(), &left.repetitions[..]),
        ("µs", &[1.0102][..])
    );
    let long = "flat/a longer parameter than criterion prints on one line";
    assert_eq!(find(&first, long, "time").repetitions, [1.3533]);
    // Changes against the first run are no times.
    let second = read_with("criterion", &sample("criterion/second.txt"));
    assert_eq!(find(&second, "group/sum/64", "time").repetitions, [11.602]);
    assert_eq!((first.len(), second.len()), (6, 6));
}

#[test]
fn one_metric_keeps_its_first_unit() {
    let text = "a  time: [1 ns 990 ns 1 µs]\na  time: [1 µs 1.5 µs 2 µs]\n";
    let read = read_with("criterion", text.as_bytes());
    let a = find(&read, "a", "time");
    assert_eq!(a.unit, "ns");
    assert_eq!(a.repetitions, [990.0, 1500.0]);
}

#[test]
fn go_reads_several_units_a_line() {
    let read = read_with("go", &sample("go/text.txt"));
    let plain = "example.com/tiny.BenchmarkPlain-2";
    assert_eq!(find(&read, plain, "ns/op").repetitions, [32.27, 35.97]);
    assert_eq!(find(&read, plain, "B/op").repetitions, [0.0, 0.0]);
    assert_eq!(find(&read, plain, "allocs/op").better, Lower);
    let sum = "example.com/tiny.BenchmarkSum/n=64-2";
    let rate = find(&read, sum, "MB/s");
    assert_eq!(
        (rate.better, &rate.repetitions[..]),
        (Higher, &[2631.96, 3871.75][..])
    );
    let hits = find(&read, sum, "hits/op");
    assert_eq!(
        (hits.better, &hits.repetitions[..]),
        (Lower, &[32.0, 32.0][..])
    );
    // Its numbers come lines behind its name.
    let logs = find(&read, "example.com/tiny.BenchmarkLogs-2", "ns/op");
    assert_eq!(logs.repetitions, [46.27, 33.53]);
    let other = find(&read, "example.com/tiny/other.BenchmarkPlain-2", "ns/op");
    assert_eq!(other.repetitions, [0.4610, 0.4410]);
    assert_eq!(read.len(), 3 + 2 * 3 + 1 + 1);
}

#[test]
fn go_keeps_the_suffix_of_processors() {
    let read = read_with("go", &sample("go/cpu.txt"));
    let one = find(&read, "example.com/tiny.BenchmarkPlain", "ns/op");
    let two = find(&read, "example.com/tiny.BenchmarkPlain-2", "ns/op");
    assert_eq!(one.repetitions, [79.02, 24.12]);
    assert_eq!(two.repetitions, [38.25, 63.03]);
}

#[test]
fn go_events_are_put_together() {
    let read = read_with("go", &sample("go/json.txt"));
    let plain = find(&read, "example.com/tiny.BenchmarkPlain-2", "ns/op");
    assert_eq!(plain.repetitions, [25.93, 25.88]);
    let logs = find(&read, "example.com/tiny.BenchmarkLogs-2", "ns/op");
    assert_eq!(logs.repetitions, [20.48, 66.91]);
    // The second result of this one is split over two events.
    let other = find(&read, "example.com/tiny/other.BenchmarkPlain-2", "ns/op");
    assert_eq!(other.repetitions, [0.6110, 0.8615]);
}

#[test]
fn shells_may_leave_their_marks() {
    for (reader, name) in SAMPLES {
        let text = sample(name);
        let expected = read_with(reader, &text);
        let lines = String::from_utf8(text).expect("UTF-8");
        let marked = format!("\u{feff}{}", lines.replace('\n', "\r\n"));
        assert_eq!(read_with(reader, marked.as_bytes()), expected, "{name}");
        assert_eq!(
            recognise(marked.as_bytes()).map(|r| r.name()),
            Some(*reader)
        );
    }
    // Other lines around and between, in what is text.
    for (reader, name) in SAMPLES.iter().filter(|(_, name)| name.ends_with(".txt")) {
        let text = String::from_utf8(sample(name)).expect("UTF-8");
        let expected = read_with(reader, text.as_bytes());
        let noisy = format!("warming up\n\u{1b}[1m{text}\u{1b}[0m\nBenchmarks are done: 3 of 3\n");
        assert_eq!(read_with(reader, noisy.as_bytes()), expected, "{name}");
    }
}
