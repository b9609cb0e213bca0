//! What a study begins with, and its text.

use crate::commands::toml_text::{list, string};

/// What was found in a folder, as a study needs it.
pub struct Beginning {
    /// What it is, for people: `a cargo package`.
    pub what: String,
    /// The question; `NAME` stands for the study's name.
    pub title: &'static str,
    /// Name of the baseline.
    pub baseline: String,
    /// `[subject]` and the variants, in TOML.
    pub build: String,
    /// Arguments of the parity check.
    pub check: Vec<String>,
    /// Arguments of the workload.
    pub args: Vec<String>,
    /// Working directory of both, if it matters.
    pub dir: Option<String>,
    /// What could not be found, each a request.
    pub ask: Vec<String>,
    /// Commands to type before the study can run.
    pub before: Vec<String>,
}

/// What is asked where nothing says what the program works on.
const WORK: &str = "give the workload what makes the program work for 20 ms to 1 s: `args`, or a \
                    file for `stdin`";

impl Beginning {
    /// All that is asked for.
    pub fn asks(&self) -> impl Iterator<Item = &str> {
        let work = self.args.is_empty().then_some(WORK);
        self.ask.iter().map(String::as_str).chain(work)
    }

    /// The text of the study.
    pub fn study(&self, name: &str, schema: &str) -> String {
        let title = self.title.replace("NAME", name);
        let mut out = format!("#:schema ./{schema}\n# {}\n", self.what);
        for ask in self.asks() {
            out += &format!("# TO DO: {ask}\n");
        }
        let dir = self.dir.as_deref().map_or(String::new(), |dir| {
            format!("dir = {} # where it runs\n", string(dir))
        });
        let check = match self.dir {
            // A check runs where the variant does, and this one needs no place.
            _ if self.check.is_empty() => String::new(),
            _ => format!(
                "# Behaviour that must be the same in every variant: exit code, output, warnings.\n\
                 [[parity]]\nname = \"check\"\nargs = {}\n\n",
                list(&self.check)
            ),
        };
        out + &format!(
            "schema = 1\nname = {}\ntitle = {}\nbaseline = {}\n\n{}\n\n{check}\
             # What is measured. A run should take 20 ms to 1 s.\n\
             [[workload]]\nname = \"main\"\nargs = {}\n{dir}{METRIC}",
            string(name),
            string(&title),
            string(&self.baseline),
            self.build.trim_end(),
            list(&self.args),
        )
    }
}

/// The end of every study.
const METRIC: &str = r#"# CPU time of the process. Or a number that the program prints:
# metric = { json = "value", unit = "GiB/s", better = "higher" }
# metric = { regex = 'speed: (?<value>[0-9.]+)', unit = "MB/s", better = "higher" }
metric = "cpu"

# Functions whose survival the audit follows.
# [[expect]]
# function = "my_program::kernel"
# workloads = ["main"]

[measure]
margin = "1%" # the smallest change that matters
max-time = "5 min" # after the builds; it ends earlier when all is decided
"#;
