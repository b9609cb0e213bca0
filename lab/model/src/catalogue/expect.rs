//! What `karat audit --expect FILE` asks for.
//!
//! ```toml
//! functions = ["blake2b_simd::avx2::compress1_loop"]
//! kernels = ["BLAKE3 assembly: hash many, AVX-512"]
//! ```

use super::found::KnownKernel;
use super::library::parse_table;
use crate::diagnostic::Problem;
use crate::study::fields::{Fields, Located};

/// Functions and known kernels that a binary must have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Paths of functions, as a study's `[[expect]]` names them.
    pub functions: Vec<String>,
    /// Kernels of the catalogue: `LIBRARY: KERNEL`, or `LIBRARY` for any of it.
    pub kernels: Vec<Located<String>>,
}

impl Expected {
    /// Reads such a file.
    ///
    /// # Errors
    /// All that is wrong with it, each with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        let table = parse_table(text)?;
        let mut problems = Vec::new();
        let first_line = 0..text.find('\n').unwrap_or(text.len());
        let mut root = Fields::new(table.get_ref(), first_line.clone());
        let functions = root.strings("functions", &mut problems).unwrap_or_default();
        let kernels = root.strings("kernels", &mut problems).unwrap_or_default();
        root.finish("a file of expectations", &mut problems);
        for (list, what) in [(&functions, "function"), (&kernels, "kernel")] {
            for (i, name) in list.iter().enumerate() {
                let label = if name.value.trim().is_empty() {
                    "expected a name"
                } else if list[..i].iter().any(|n| n.value == name.value) {
                    "it stands here a second time"
                } else {
                    continue;
                };
                problems.push(Problem {
                    message: format!("`{}` cannot be an expected {what}", name.value),
                    span: name.span.clone(),
                    label: label.into(),
                    help: None,
                });
            }
        }
        if functions.is_empty() && kernels.is_empty() && problems.is_empty() {
            problems.push(Problem {
                message: "the file expects nothing".into(),
                span: first_line,
                label: "neither `functions` nor `kernels`".into(),
                help: Some("write such as `functions = [\"my_crate::avx2::compress\"]`".into()),
            });
        }
        if !problems.is_empty() {
            problems.sort_by_key(|p| (p.span.start, p.span.end));
            return Err(problems);
        }
        Ok(Self {
            functions: functions.into_iter().map(|f| f.value).collect(),
            kernels,
        })
    }

    /// Expected kernels that are not among those found.
    #[must_use]
    pub fn missing<'a>(&'a self, known: &[KnownKernel]) -> Vec<&'a str> {
        let has = |wanted: &str| {
            known
                .iter()
                .any(|k| k.library == wanted || k.title() == wanted)
        };
        let kernels = self.kernels.iter().map(|k| k.value.as_str());
        kernels.filter(|kernel| !has(kernel)).collect()
    }
}
