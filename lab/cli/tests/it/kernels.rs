//! `karat kernels`: lists, checks and quick benchmarks of the kernels that are here.

use crate::lab::{Lab, Outcome};
use serde_json::Value;

fn forced(lab: &Lab, args: &[&str], force: &str) -> Outcome {
    Outcome::of(lab.command(args).env("KARAT_FORCE", force))
}

fn list(lab: &Lab, force: &str) -> Value {
    let out = forced(lab, &["kernels", "list", "--format", "json"], force).exits(0);
    serde_json::from_str(&out.stdout).expect("JSON")
}

/// The implementations of a kernel in a list.
fn implementations<'a>(list: &'a Value, kernel: &str) -> &'a Vec<Value> {
    let kernels = list["kernels"].as_array().expect("kernels");
    let found = kernels.iter().find(|k| k["name"] == kernel);
    found.expect(kernel)["implementations"]
        .as_array()
        .expect("a list")
}

#[test]
fn a_list_names_every_implementation_and_one_that_is_chosen() {
    let lab = Lab::empty();
    let all = list(&lab, "");
    let kernels = all["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), karat_all::kernels().len());
    let args = ["kernels", "list", "-o", "k.md", "-o", "k.html"];
    let human = lab.karat(&args).exits(0).stdout;
    let files = [lab.read("k.md"), lab.read("k.html")];
    for name in ["sha256", "chosen"] {
        assert!(files.iter().all(|text| text.contains(name)), "{name}");
    }
    for (json, kernel) in kernels.iter().zip(karat_all::kernels()) {
        assert_eq!(json["name"], kernel.name());
        let list = json["implementations"].as_array().unwrap();
        assert_eq!(list.len(), kernel.len());
        let chosen: Vec<&Value> = list.iter().filter(|i| i["chosen"] == true).collect();
        assert_eq!(chosen.len(), 1, "{json}");
        assert_eq!(chosen[0]["missing"].as_array().unwrap().len(), 0);
        assert_eq!(chosen[0]["forced"], false);
        for one in list {
            let name = one["name"].as_str().unwrap();
            assert!(human.contains(name), "no {name} in\n{human}");
            assert!(!one["why"].as_str().unwrap().is_empty());
        }
    }
    assert!(
        human.contains("chosen") && human.contains("measured on") && !human.contains("KARAT_FORCE"),
        "{human}"
    );
    assert!(human.lines().all(|l| l.chars().count() <= 100), "{human}");
}

#[test]
fn what_the_environment_forces_is_chosen_and_said() {
    let lab = Lab::empty();
    let all = list(&lab, "sha256=portable,blake3=portable");
    for kernel in ["sha256", "blake3"] {
        let list = implementations(&all, kernel);
        let chosen = list.iter().find(|i| i["chosen"] == true).unwrap();
        assert_eq!(chosen["name"], "portable");
        // Where nothing else can run, nothing was forced.
        let others = list
            .iter()
            .filter(|i| i["missing"].as_array().unwrap().is_empty());
        assert_eq!(chosen["forced"], others.count() > 1);
    }
    let human = forced(&lab, &["kernels", "list"], "keccak-many=portable")
        .exits(0)
        .stdout;
    let free = implementations(&all, "keccak-many");
    let free = free.iter().find(|i| i["chosen"] == true).unwrap();
    if free["name"] != "portable" {
        assert!(
            human.contains("KARAT_FORCE or KARAT_TUNED says so"),
            "{human}"
        );
    }
}

#[test]
fn a_wrong_force_is_an_error_before_any_work() {
    let lab = Lab::empty();
    for command in [
        &["kernels", "list"][..],
        &["kernels", "check"],
        &["kernels", "bench", "--quick"],
    ] {
        for (force, word) in [
            ("sha256=fast", "no implementation `fast`"),
            ("sha255=portable", "no kernel is called `sha255`"),
            ("sha256", "no implementation ``"),
        ] {
            let out = forced(&lab, command, force).exits(2);
            assert!(out.stdout.is_empty(), "{command:?}");
            out.says(&["KARAT_FORCE", word]);
        }
    }
    // What exists and cannot run here.
    let all = list(&lab, "");
    let kernels = all["kernels"].as_array().unwrap();
    let missing = kernels.iter().find_map(|k| {
        let list = k["implementations"].as_array()?;
        let one = list
            .iter()
            .find(|i| !i["missing"].as_array().unwrap().is_empty())?;
        Some(format!("{}={}", k["name"].as_str()?, one["name"].as_str()?))
    });
    match missing {
        Some(force) => {
            let out = forced(&lab, &["kernels", "list"], &force).exits(2);
            out.says(&["this CPU cannot run", "it lacks"]);
        }
        None => println!("SKIPPED: this machine can run every implementation"),
    }
}

#[test]
fn a_check_has_a_line_for_each_implementation() {
    let lab = Lab::empty();
    let args = [
        "kernels", "check", "--kernel", "sha256", "--kernel", "keccak", "--seed", "5",
    ];
    let out = lab.karat(&args).exits(0);
    let listed = list(&lab, "");
    for kernel in ["sha256", "keccak"] {
        for one in implementations(&listed, kernel) {
            let name = one["name"].as_str().unwrap();
            let line = out.stdout.lines().find(|l| {
                let words: Vec<&str> = l.split_whitespace().collect();
                words[1..3] == [kernel, name]
            });
            let line = line.unwrap_or_else(|| panic!("no {kernel} {name}:\n{}", out.stdout));
            let able = one["missing"].as_array().unwrap().is_empty();
            assert!(
                line.starts_with(if able { "passed" } else { "SKIPPED" }),
                "{line}"
            );
        }
    }
    assert!(!out.stdout.contains("blake3"), "{}", out.stdout);
    let quiet = lab
        .karat(&["-q", "kernels", "check", "--kernel", "sha256"])
        .exits(0);
    assert_eq!(quiet.stdout, "");
    let wrong = lab.karat(&["kernels", "check", "--kernel", "md5"]).exits(2);
    wrong.says(&["no kernel is called `md5`", "sha256-many"]);
}

/// What a quick benchmark of `sha256` is called with.
const QUICK: &[&str] = &[
    "kernels", "bench", "--quick", "--kernel", "sha256", "--sizes", "1K",
];

#[test]
fn a_quick_benchmark_measures_what_is_here_in_every_form() {
    let lab = Lab::empty();
    let files = [
        "-o",
        "out/k.csv",
        "-o",
        "k.json",
        "-o",
        "k.html",
        "-o",
        "k.txt",
    ];
    let out = lab.karat(&[QUICK, &files].concat()).exits(0);
    assert!(out.stdout.contains("SHA-256: 1 KiB") && out.stdout.contains("GiB/s"));
    assert!(
        out.stdout.lines().all(|l| l.chars().count() <= 100),
        "{}",
        out.stdout
    );
    let out = out.says(&["1/1 sha256 1.00 KiB"]);
    assert_eq!(lab.read("k.txt"), out.stdout);

    let json: Value = serde_json::from_str(&lab.read("k.json")).unwrap();
    assert_eq!((&json["schema"], &json["quick"]), (&2.into(), &true.into()));
    let cases = json["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 1);
    let listed = list(&lab, "");
    let here = implementations(&listed, "sha256").iter();
    let here = here.filter(|i| i["missing"].as_array().unwrap().is_empty());
    let here: Vec<String> = here
        .map(|i| format!("karat {}", i["name"].as_str().unwrap()))
        .collect();
    let arms = cases[0]["arms"].as_array().unwrap();
    let names: Vec<&str> = arms.iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(names, here);
    let chosen = arms.iter().find(|a| a["chosen"] == true).unwrap();
    assert_eq!(
        chosen["name"], cases[0]["baseline"],
        "without peers the baseline is what calls go to"
    );

    let csv = lab.read("out/k.csv");
    assert!(
        csv.starts_with("# command: karat kernels bench --quick"),
        "{csv}"
    );
    assert_eq!(
        csv.lines().filter(|l| l.starts_with("sha256,")).count(),
        here.len()
    );
    assert!(lab.read("k.html").contains("<figure>"));
}

#[test]
fn a_tuned_file_is_written_and_followed() {
    let lab = Lab::empty();
    let args = ["kernels", "tune", "--kernel", "sha256", "-o", "tuned"];
    let args = [&args[..], &["--record", "record.csv"]].concat();
    let out = lab.karat(&args).exits(0);
    assert!(out.stdout.contains("sha256 "), "{}", out.stdout);
    assert!(lab.read("tuned").starts_with("# karat kernels tune"));
    // What `cargo xtask choices` reads.
    let record = lab.read("record.csv");
    assert!(record.contains("\n# machine: "), "{record}");
    assert!(record.contains("\n# isas: "), "{record}");
    assert!(record.contains("\ntask,kernel,items,size,"), "{record}");
    assert!(record.contains(",karat portable,"), "{record}");

    // What it would write on a CPU where plain Rust leads.
    lab.write("other", "# another CPU's\nsha256=portable\n");
    let list = |file: &str| {
        let args = ["kernels", "list", "--format", "json"];
        Outcome::of(lab.command(&args).env("KARAT_TUNED", file))
    };
    let json: Value = serde_json::from_str(&list("other").exits(0).stdout).unwrap();
    let all = implementations(&json, "sha256");
    let chosen = all.iter().find(|i| i["chosen"] == true).unwrap();
    assert_eq!(
        (&chosen["name"], &chosen["forced"]),
        (&"portable".into(), &true.into())
    );
    lab.write("wrong", "sha256=fastest\n");
    list("wrong")
        .exits(2)
        .says(&["KARAT_TUNED=wrong", "no implementation `fastest`"]);
    list("missing")
        .exits(2)
        .says(&["KARAT_TUNED: cannot read missing"]);
    lab.karat(&["kernels", "tune", "-o", "no/folder"]).exits(2);
    lab.karat(&["kernels", "tune", "--record", "record.what"])
        .exits(2)
        .says(&["record.what", "end the name in"]);
}

#[test]
fn threads_are_measured_by_the_wall_clock() {
    let lab = Lab::empty();
    let args = [
        "kernels",
        "bench",
        "--quick",
        "--threads",
        "--kernel",
        "sha256-many",
        "--sizes",
        "64",
    ];
    let out = lab
        .karat(&[&args[..], &["--format", "json"]].concat())
        .exits(0);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    let cases = json["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2);
    let dealt = cases.iter().find(|c| c["items"] == 4096).unwrap();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(dealt["threads"], processors);
}

/// OpenSSL's hashes by Python's hashlib: a peer of another language.
#[test]
fn a_program_is_measured_as_a_peer() {
    let lab = Lab::empty();
    let peer = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../bench/tests/peers/hashlib_peer.py"
    );
    let command = format!("python3 {peer}");
    let args = ["--peer", &command, "--format", "json"];
    let out = lab.karat(&[QUICK, &args].concat()).exits(0);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    let case = &json["cases"][0];
    assert_eq!(case["baseline"], "hashlib");
    let arms = case["arms"].as_array().unwrap();
    let arm = arms.iter().find(|a| a["name"] == "hashlib").unwrap();
    assert_eq!((&arm["peer"], &arm["cycles"]), (&true.into(), &Value::Null));
    assert!(arm["ns"].as_f64().unwrap() > 0.0);

    let out = lab.karat(&[QUICK, &["--peer", "false"]].concat()).exits(2);
    out.says(&["`false` ended", "hello 1"]);
}

/// Compiles a peer in C with a library, or says why it cannot.
fn compiled_peer(lab: &Lab, name: &str, library: &str, package: &str) -> Option<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../peers/c");
    let source = format!("{folder}/{name}.c");
    let peer = lab.path(&format!("{name}-peer"));
    let mut compiler = std::process::Command::new("cc");
    let compiled = compiler.arg("-O2").arg("-o").arg(&peer);
    let compiled = compiled.args([&source, library]).output();
    if compiled.is_ok_and(|o| o.status.success()) {
        return Some(peer.display().to_string());
    }
    println!("SKIPPED: no C compiler, or not the library with its headers ({package})");
    None
}

/// ISA-L makes the same parity and the same lost shards in code D.
#[test]
fn isal_is_measured_as_a_peer() {
    let lab = Lab::empty();
    let Some(command) = compiled_peer(&lab, "isal", "-lisal", "libisal-dev") else {
        return;
    };
    let mut args = vec!["kernels", "bench", "--quick", "--format", "json"];
    let tasks = ["rs-d-10+4", "rs-d-64+32", "rs-d-64+32-lost", "rs-d-128+128"];
    args.extend(tasks.iter().flat_map(|task| ["--task", task]));
    args.extend(["--peer", &command]);
    let out = lab.karat(&args).exits(0);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    let cases = json["cases"].as_array().unwrap();
    for task in tasks {
        let case = cases.iter().find(|c| c["task"] == task).expect(task);
        assert_eq!(case["baseline"], "ISA-L cauchy1", "{task}");
    }
}

/// GMP computes the same, and histograms of cycles are there.
#[test]
fn gmp_is_measured_as_a_peer() {
    let lab = Lab::empty();
    let Some(command) = compiled_peer(&lab, "gmp", "-lgmp", "libgmp-dev") else {
        return;
    };
    let args = [
        "kernels",
        "bench",
        "--quick",
        "--kernel",
        "bigint-mul",
        "--cycles",
    ];
    let more = ["--format", "json", "--peer", &command];
    let out = lab.karat(&[&args[..], &more].concat()).exits(0);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    let cases = json["cases"].as_array().unwrap();
    for task in [
        "bigint-add",
        "bigint-mul",
        "bigint-square",
        "bigint-mul-chain",
    ] {
        let case = cases.iter().find(|c| c["task"] == task).expect(task);
        let arms = case["arms"].as_array().unwrap();
        let gmp = |a: &&Value| a["name"].as_str().unwrap().starts_with("GMP ");
        let gmp = arms.iter().find(gmp).expect(task);
        for arm in [gmp, &arms[0]] {
            let shares = arm["histogram"].as_array().expect(task);
            assert!(shares[0]["cycles"].as_u64().unwrap() > 0, "{task}");
        }
    }
}

/// OpenSSL computes the same hashes, of one message and of many.
#[test]
fn openssl_is_measured_as_a_peer() {
    let lab = Lab::empty();
    let Some(command) = compiled_peer(&lab, "openssl", "-lcrypto", "libssl-dev") else {
        return;
    };
    let tasks = [
        "blake2b",
        "blake2s",
        "sha256",
        "sha3-256",
        "sha512",
        "sha512-many",
    ];
    let mut args = vec!["kernels", "bench", "--quick", "--sizes", "200"];
    args.extend(tasks.iter().flat_map(|task| ["--task", task]));
    args.extend(["--format", "json", "--peer", &command]);
    let out = lab.karat(&args).exits(0);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    let cases = json["cases"].as_array().unwrap();
    for task in tasks {
        let case = cases.iter().find(|c| c["task"] == task).expect(task);
        let baseline = case["baseline"].as_str().expect(task);
        assert!(baseline.starts_with("OpenSSL 3"), "{task}: {baseline}");
    }
}

#[test]
fn a_benchmark_that_cannot_be_is_an_error_before_any_work() {
    let lab = Lab::empty();
    for (args, code, words) in [
        (&["--sizes", "1G"][..], 2, &["`1G` is no size"][..]),
        (&["--kernel", "md5"], 2, &["no kernel is called `md5`"]),
        (&["--task", "md5"], 2, &["no task is called `md5`"]),
        (&["-o", "k.pdf"], 2, &["k.pdf", ".html"]),
        (
            &["--kernel", "blake3-block", "--sizes", "1M"],
            4,
            &["no task is left"],
        ),
    ] {
        let out = lab
            .karat(&[&["kernels", "bench", "--quick"], args].concat())
            .exits(code);
        assert!(out.stdout.is_empty(), "{args:?}");
        out.says(words);
    }
    if cfg!(feature = "peers") {
        let out = lab
            .karat(&[QUICK, &["--peers", "--format", "json"]].concat())
            .exits(0);
        let json: Value = serde_json::from_str(&out.stdout).unwrap();
        let arms = json["cases"][0]["arms"].as_array().unwrap();
        let baseline = arms
            .iter()
            .find(|a| a["name"] == json["cases"][0]["baseline"])
            .unwrap();
        assert_eq!(baseline["peer"], true);
    } else {
        let out = lab.karat(&[QUICK, &["--peers"]].concat()).exits(2);
        out.says(&["--features peers"]);
    }
}
