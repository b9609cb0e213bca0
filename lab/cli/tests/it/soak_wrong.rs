//! What `karat soak` refuses before it watches anything.

use crate::lab::{Lab, Outcome, have};
use crate::soak::{partial, soak};
use std::process::Command;

#[test]
fn what_is_wrong_is_told_before_anything_starts() {
    let lab = Lab::empty();
    let wrong: &[(&[&str], &[&str])] = &[
        (&[], &["nothing to watch", "--attach"]),
        (&["--attach", "4194305"], &["no process 4194305"]),
        (&["--for", "0 s", "--", "true"], &["--for: `0 s`"]),
        (
            &["--for", "soon", "--", "true"],
            &["--for: `soon`", "10 min"],
        ),
        (&["--every", "1ms", "--", "true"], &["--every", "too often"]),
        (&["--epoch", "20 min", "--", "true"], &["--epoch"]),
        // Nobody gave an epoch: the time is what is wrong.
        (
            &["--for", "4 s", "--", "true"],
            &["--for: 4 s are too short", "5 s", "--epoch"],
        ),
        (&["--warm", "10 min", "--", "true"], &["--warm"]),
        (
            &["--budget", "speed=5%", "--", "true"],
            &["no limit is called `speed`", "rss-drift"],
        ),
        (&["--budget", "cv=x", "--", "true"], &["cv=2%"]),
        (
            &["--budget", "cv=1%", "--budget", "cv=2%", "--", "true"],
            &["limited twice"],
        ),
        (
            &["--line", "(", "--", "true"],
            &["--line: `(` is no pattern"],
        ),
        (
            &["--line", "(?<rate>x)", "--progress", "f", "--", "true"],
            &["give one of them"],
        ),
        (&["-o", "soak.pdf", "--", "true"], &["soak.pdf", ".html"]),
        (&["--resume"], &["no run of"]),
        (&["--", "./no-such-program"], &["no-such-program"]),
        (&["--", ""], &["the first word of its command is empty"]),
        (&["--", "/etc/passwd"], &["is not executable", "chmod +x"]),
    ];
    for (args, parts) in wrong {
        soak(&lab, args).exits(2).says(parts);
    }
    assert!(partial(&lab).is_none());
    let ab = Outcome::from(
        lab.command(&["ab", "--for", "1s", "--", "true", "--", "true"])
            .output()
            .unwrap(),
    );
    ab.exits(2).says(&["options of `karat ab --soak`"]);
    let three = ["ab", "--soak", "--", "true", "--", "true", "--", "true"];
    Outcome::from(lab.command(&three).output().unwrap())
        .exits(2)
        .says(&["expected two commands"]);
}

#[test]
fn a_process_of_somebody_else_is_not_looked_into() {
    let lab = Lab::empty();
    let karat = lab.command(&["soak", "--attach", "1"]);
    let (program, args) = (karat.get_program().to_owned(), karat.get_args());
    // Of root nothing is hidden: then karat runs as nobody.
    let id = Command::new("id").arg("-u").output().unwrap();
    let mut command = match id.stdout == b"0\n" {
        false => Command::new(program),
        true if have("setpriv") => {
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid", "65534", "--clear-groups"])
                .arg(program);
            command
        }
        true => return,
    };
    command.args(args).current_dir("/");
    let out = command.output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    if !said.contains("karat may not look into process 1") {
        // The test's folders may be closed to nobody.
        assert!(
            !said.contains("error:") || said.contains("ermission"),
            "{said}"
        );
        println!("SKIPPED: karat cannot be run as nobody here: {said}");
    }
}
