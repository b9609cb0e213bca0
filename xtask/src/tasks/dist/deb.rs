//! The Debian package.

use super::Dist;
use super::tree::{SHELLS, copy, write};
use crate::command::{command, run};
use anyhow::Result;
use std::fs;
use std::path::Path;

/// Where completions are looked for on Debian.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/karat"),
    ("zsh", "usr/share/zsh/vendor-completions/_karat"),
    ("fish", "usr/share/fish/vendor_completions.d/karat.fish"),
];

/// Makes it of the tarball's files.
pub fn make(dist: &Dist, staged: &Path) -> Result<()> {
    let root = dist.out.join("deb");
    copy(&staged.join("bin/karat"), &root.join("usr/bin/karat"))?;
    for ((shell, name), (_, to)) in SHELLS.iter().zip(COMPLETIONS) {
        let from = staged.join("completions").join(shell).join(name);
        copy(&from, &root.join(to))?;
    }
    for page in fs::read_dir(staged.join("man"))? {
        let page = page?;
        let to = root.join("usr/share/man/man1").join(page.file_name());
        copy(&page.path(), &to)?;
        let mut gzip = command("gzip", &["-9n"]);
        gzip.arg(&to);
        run(gzip)?;
    }
    let doc = root.join("usr/share/doc/karat");
    copy(&staged.join("README.md"), &doc.join("README.md"))?;
    let licences = ["LICENSE-MIT", "LICENSE-APACHE"].map(|file| staged.join(file));
    let licences: Result<Vec<_>, _> = licences.iter().map(fs::read_to_string).collect();
    write(&doc.join("copyright"), &licences?.join("\n---\n\n"))?;
    let size: u64 = fs::metadata(&dist.program)?.len() / 1024;
    let control = format!(
        "Package: karat\nVersion: {}\nArchitecture: amd64\nSection: devel\nPriority: optional\n\
         Installed-Size: {size}\nMaintainer: The karat developers <karat@localhost>\n\
         Homepage: https://github.com/karat-lab/karat\n\
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
