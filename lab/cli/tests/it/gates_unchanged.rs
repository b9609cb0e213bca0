//! What a traced program says and how it ends are what they are without karat.

use crate::lab::Lab;
use karat_model::gates::GatesDocument;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn document(lab: &Lab) -> GatesDocument {
    serde_json::from_str(&lab.read("out.json")).expect("a document that can be read")
}

/// A command's output and end with and without karat, which watches all functions of
/// `file`.
#[track_caller]
fn unchanged(lab: &Lab, file: &str, command: &[&str]) {
    let mut plain = Command::new(command[0]);
    plain
        .args(&command[1..])
        .current_dir(lab.path(""))
        .stdin(Stdio::null());
    let plain = plain.output().expect("the command starts");
    let args = ["gates", file, "--all", "-o", "out.json", "--"];
    let traced = lab
        .command(&[&args, command].concat())
        .output()
        .expect("karat starts");
    assert_eq!(plain.stdout, traced.stdout, "{command:?}");
    let said = String::from_utf8_lossy(&traced.stderr);
    assert_eq!(String::from_utf8_lossy(&plain.stderr), said, "{command:?}");
    let run = document(lab).run.expect("a run");
    assert_eq!(run.exit_code, plain.status.code(), "{command:?}");
    let signal = std::os::unix::process::ExitStatusExt::signal(&plain.status);
    assert_eq!(run.signal, signal, "{command:?}");
    assert!(run.loaded > 0 && run.traps > 10, "{run:?}");
}

/// Where a program lies, links followed.
fn program(name: &str) -> Option<String> {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {name}")])
        .output()
        .ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
    match path.canonicalize() {
        Ok(path) if found.status.success() => Some(path.to_string_lossy().into_owned()),
        _ => {
            println!("SKIPPED: no {name} on this machine");
            None
        }
    }
}

/// `samples/suite.sh` holds what a tracer could disturb in a shell.
#[test]
fn shells_are_not_changed() {
    let lab = Lab::empty();
    lab.write("suite.sh", include_str!("samples/suite.sh"));
    let end = "trap 'echo trapped' USR1; kill -USR1 $$; sleep 0.1 & wait $!; echo $? >&2; \
               kill -TERM $$";
    for shell in ["dash", "bash"] {
        if let Some(path) = program(shell) {
            unchanged(&lab, &path, &[&path, "suite.sh"]);
            let lines = Command::new(&path)
                .args(["suite.sh"])
                .current_dir(lab.path(""))
                .output();
            let lines = String::from_utf8(lines.expect("it starts").stdout).expect("text");
            assert!(lines.ends_with("no sort\n"), "the whole suite: {lines}");
            unchanged(&lab, &path, &[&path, "-c", end]);
        }
    }
}

#[test]
fn compressors_are_not_changed() {
    let lab = Lab::empty();
    let text: String = (0..200_000_u64)
        .map(|i| format!("{:x} ", i.wrapping_mul(i * 2_654_435_761)))
        .collect();
    lab.write("text", &text);
    for (name, args) in [
        ("gzip", &["-9", "-c", "-n"][..]),
        ("xz", &["-1", "-T2", "-c"]),
    ] {
        if let Some(path) = program(name) {
            unchanged(&lab, &path, &[&[path.as_str()], args, &["text"]].concat());
        }
    }
}

/// The file with the interpreter's code: a library, or the program that a shim starts.
fn interpreter(python: &str) -> String {
    let find = "import sys,os;m=[l.split()[-1] for l in open('/proc/self/maps') if 'libpython' in l];\
                print(m[0] if m else os.path.realpath(sys.executable))";
    let found = Command::new(python)
        .args(["-c", find])
        .output()
        .expect("python starts");
    String::from_utf8_lossy(&found.stdout).trim().to_owned()
}

#[test]
fn an_interpreter_is_not_changed() {
    let lab = Lab::empty();
    let Some(python) = program("python3") else {
        return;
    };
    let file = interpreter(&python);
    let script = "import json,hashlib,subprocess,threading,signal,os,sys\n\
                  print(sum(i*i for i in range(100000)))\n\
                  print(hashlib.sha256(json.dumps(list(range(20000))).encode()).hexdigest())\n\
                  print(subprocess.check_output(['echo','child']))\n\
                  t=[threading.Thread(target=lambda: sum(range(10000))) for _ in range(20)]\n\
                  [x.start() for x in t]; [x.join() for x in t]\n\
                  signal.signal(signal.SIGALRM, lambda *a: print('alarm'))\n\
                  signal.setitimer(signal.ITIMER_REAL, 0.01); signal.pause()\n\
                  p=os.fork()\n\
                  if p == 0: os._exit(9)\n\
                  print(os.waitstatus_to_exitcode(os.waitpid(p, 0)[1]), file=sys.stderr)\n\
                  sys.exit(3)";
    unchanged(&lab, &file, &[&python, "-c", script]);
}

/// Parts of Python's own tests: terminals, and processes that are started in all ways.
#[test]
fn an_interpreters_own_tests_say_the_same() {
    let lab = Lab::empty();
    let Some(python) = program("python3") else {
        return;
    };
    let tests = ["test.test_pty", "test.test_posix.TestPosixSpawn"];
    let is_there = Command::new(&python)
        .args(["-c", "import test.test_pty, test.test_posix"])
        .stderr(Stdio::null())
        .status();
    if !is_there.expect("python starts").success() {
        println!("SKIPPED: this Python has no package `test` (Debian: libpython3-testsuite)");
        return;
    }
    let file = interpreter(&python);
    let unittest = [&["-m", "unittest", "-v"], &tests[..]].concat();
    let mut plain = Command::new(&python);
    plain.args(&unittest).current_dir(lab.path(""));
    let gates = ["gates", &file, "--all", "-o", "out.json", "--", &python];
    // Side by side: they wait more than they compute.
    let children = [plain, lab.command(&[&gates[..], &unittest].concat())].map(|mut command| {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(Stdio::piped()).spawn().expect("it starts")
    });
    let [plain, traced] = children.map(|child| child.wait_with_output().expect("it ends"));
    let told = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let lines = text.lines().filter(|line| !line.starts_with("Ran "));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(told(&plain.stderr), told(&traced.stderr));
    assert!(told(&plain.stderr).contains(" ... ok\n"), "{plain:?}");
    // They print numbers of processes.
    let words = |text: &[u8]| told(text).replace(|c: char| c.is_ascii_digit(), "");
    assert_eq!(words(&plain.stdout), words(&traced.stdout));
    let run = document(&lab).run.expect("a run");
    assert_eq!(run.exit_code, plain.status.code());
    assert!(run.loaded > 0 && run.processes > 10, "{run:?}");
}
