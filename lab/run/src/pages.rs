//! What the codes of `findings.rs` mean: the pages of `karat explain`.

/// The page of one code.
pub struct Page {
    /// Such as `KR008`.
    pub code: &'static str,
    /// A few words.
    pub title: &'static str,
    /// What it is, why it matters and what to do, in Markdown without a heading.
    body: &'static str,
}

impl Page {
    /// The page, in Markdown.
    #[must_use]
    pub fn text(&self) -> String {
        format!("# {}: {}\n\n{}", self.code, self.title, self.body)
    }
}

/// All pages, in the order of the codes.
pub const PAGES: &[Page] = &[
    Page {
        code: "KR001",
        title: "expected function is not in the baseline",
        body: "\
A function that the study's `[[expect]]` names is in no variant's binary under that
name, the baseline's included.

## Why it matters
Nothing can be said about the survival of a function that was never there: most often
its name is written wrongly.

## What to do
- Compare the name with those that `karat audit BINARY --top 200` lists.
- Keep symbols: a stripped binary has no names.
",
    },
    Page {
        code: "KR002",
        title: "another number of compiler warnings",
        body: "\
The build of a variant gave more or fewer warnings than the baseline's.

## Why it matters
A flag that the compiler does not know, or code that is no longer used, is told by a
warning and by nothing else.

## What to do
- Read `logs/build-VARIANT.log` in the folder of the run.
",
    },
    Page {
        code: "KR003",
        title: "the baseline fails its own parity check",
        body: "\
The program of the baseline ends a parity check with another exit code than 0.

## Why it matters
Variants are compared with it all the same. That they fail in the same way says little
about whether they work.

## What to do
- Run the command of the check by hand and give it arguments with which it succeeds.
",
    },
    Page {
        code: "KR004",
        title: "behaviour differs",
        body: "\
A variant's exit code, output or warnings in a parity check are not the baseline's.

## Why it matters
A program that does something else cannot be called faster. The variant is NO-GO and is
not measured.

## What to do
- Read the difference in the report.
- Where only times, addresses or the order differ, give the check a `reader`, which
  compares what the output says rather than its bytes.
",
    },
    Page {
        code: "KR005",
        title: "the baseline differs from itself",
        body: "\
In the A/A arm the baseline runs a second time, as if it were a variant. It came out
different.

## Why it matters
Something here makes differences where there are none, so no verdict of this workload
can be trusted; it is withheld.

## What to do
- See what `karat doctor` says about this machine, and end what else runs on it.
- Measure again, with more rounds or longer runs.
- Look for state that runs share: caches on disk, a server, files that grow.
",
    },
    Page {
        code: "KR006",
        title: "not audited",
        body: "\
A variant's program is no binary that karat can read: a script, or a binary of another
system.

## Why it matters
It is measured all the same, but reports say nothing about its code.

## What to do
- Nothing, if a script is what you compare.
",
    },
    Page {
        code: "KR007",
        title: "processes left running",
        body: "\
Runs ended while processes that they had started were still at work.

## Why it matters
The time of what was left is in no figure, and while it lives it disturbs the runs that
follow.

## What to do
- Let the program wait for its children before it exits.
- Start and stop servers in `setup` and `cleanup`.
",
    },
    Page {
        code: "KR008",
        title: "runs too short to compare",
        body: "\
A run of the baseline takes less than 5 ms.

## Why it matters
To start a process takes the system about half a millisecond, never twice the same: it
loads libraries, makes pages and fills caches. Of a short run that is a large part. It
hides differences of the program itself, and makes those that are told small: twice the
speed of the work is a few percent of such a run.

## What to do
- Give each run more work: a larger input (`--stdin FILE`), more repetitions, a loop in
  the program. 20 ms to 1 s is good.
- Do not loop in a shell: that starts as many processes again.
- Let the program measure its own work and print it, and judge by that
  (`--metric json:KEY`, in a study `metric = { json = \"KEY\", … }`).
- If the start itself is what you compare, all is well.
",
    },
    Page {
        code: "KR009",
        title: "a metric that could not be told",
        body: "\
Peak memory was asked for, and a run's could not be told from karat's own.

## Why it matters
The kernel hands the peak memory of whoever starts a program on to the program. A
program that needs less than karat shows karat's size, so the metric is not judged.

## What to do
- Judge by `page-faults`: it counts the memory of small programs too.
- Give the program more work, if its memory grows with it.
",
    },
];
