//! The Debian package.

use super::Dist;
use super::tree::{OTHERS, SHELLS, copy, write};
use crate::command::{command, run, stdout};
use anyhow::Result;
use std::fs;
use std::path::Path;

/// Where completions are looked for on Debian.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/karat"),
    ("zsh", "usr/share/zsh/vendor-completions/_karat"),
    ("fish", "usr/share/fish/vendor_completions.d/karat.fish"),
];

const HOME: &str = "https://github.com/karat-lab/karat";
const MAINTAINER: &str = "The karat developers <karat@localhost>";

/// Makes it of the tarball's files.
pub fn make(dist: &Dist, staged: &Path) -> Result<()> {
    let root = dist.out.join("deb");
    let program = root.join("usr/bin/karat");
    copy(&staged.join("bin/karat"), &program)?;
    let mut strip = command("strip", &["--strip-unneeded"]);
    strip.arg(&program);
    run(strip)?;
    for ((shell, name), (_, to)) in SHELLS.iter().zip(COMPLETIONS) {
        let from = staged.join("completions").join(shell).join(name);
        copy(&from, &root.join(to))?;
    }
    for page in fs::read_dir(staged.join("man"))? {
        let page = page?;
        let to = root.join("usr/share/man/man1").join(page.file_name());
        copy(&page.path(), &to)?;
        gzip(&to)?;
    }
    let doc = root.join("usr/share/doc/karat");
    copy(&staged.join("README.md"), &doc.join("README.md"))?;
    let mit = fs::read_to_string(staged.join("LICENSE-MIT"))?;
    write(&doc.join("copyright"), &copyright(&mit))?;
    copy(&staged.join(OTHERS), &doc.join(OTHERS))?;
    gzip(&doc.join(OTHERS))?;
    let date = stdout(command("date", &["--rfc-email"]))?;
    let changes = format!(
        "karat ({}) unstable; urgency=medium\n\n  * See {HOME}/releases\n\n -- {MAINTAINER}  {date}",
        dist.version
    );
    write(&doc.join("changelog"), &changes)?;
    gzip(&doc.join("changelog"))?;
    let size: u64 = fs::metadata(&program)?.len() / 1024;
    let control = format!(
        "Package: karat\nVersion: {}\nArchitecture: amd64\nSection: devel\nPriority: optional\n\
         Installed-Size: {size}\nMaintainer: {MAINTAINER}\n\
         Homepage: {HOME}\n\
         Description: measures whether a change to native code helped\n \
         Builds variants, audits their binaries, checks that behaviour is the same,\n \
         measures and judges.\n",
        dist.version
    );
    write(&root.join("DEBIAN/control"), &control)?;
    let mut build = command("dpkg-deb", &["--root-owner-group", "--build", "-Zxz"]);
    build.arg(&root).arg(dist.deb());
    run(build)?;
    Ok(fs::remove_dir_all(root)?)
}

fn gzip(file: &Path) -> Result<()> {
    let mut gzip = command("gzip", &["-9n"]);
    gzip.arg(file);
    run(gzip)
}

/// In Debian's form (DEP 5), which asks not to repeat the text of the Apache licence.
fn copyright(mit: &str) -> String {
    let lines = mit.trim().lines().skip_while(|l| !l.contains("Permission"));
    let mit: Vec<String> = lines
        .map(|line| match line.trim() {
            "" => " .\n".to_owned(),
            line => format!(" {line}\n"),
        })
        .collect();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: {HOME}\n\
         Comment: The program is linked with other people's code: {OTHERS}.gz, beside this file.\n\n\
         Files: *\nCopyright: 2026 The karat developers\nLicense: Expat or Apache-2.0\n\n\
         License: Expat\n{}\nLicense: Apache-2.0\n On Debian systems the text is in\n \
         /usr/share/common-licenses/Apache-2.0.\n",
        mit.concat()
    )
}
