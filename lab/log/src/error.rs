//! Why an output gives no measurements.

use std::path::PathBuf;

/// What is wrong with an output, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A place in the text cannot be read.
    #[error("{tool}: line {line}{}: {problem}", column_text(*.column))]
    Text {
        /// The reader's name.
        tool: &'static str,
        /// Line, counted from 1.
        line: usize,
        /// Byte in the line, counted from 1; 0 when only the line is known.
        column: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A benchmark failed, or its values contradict each other.
    #[error("{tool}: `{name}`: {problem}")]
    Benchmark {
        /// The reader's name.
        tool: &'static str,
        /// The benchmark as the tool names it.
        name: String,
        /// What is wrong with it and what to do.
        problem: String,
    },
    /// The text holds no measurement.
    #[error("{tool}: no measurement in this text; expected {expected}")]
    Empty {
        /// The reader's name.
        tool: &'static str,
        /// What the reader reads, with the command that writes it.
        expected: &'static str,
    },
    /// No reader knows the text.
    #[error(
        "this is the output of no tool that karat reads ({readers}); write it in the tool's JSON \
         format, or name the reader"
    )]
    Unrecognised {
        /// The names of all readers.
        readers: String,
    },
    /// No reader has the name.
    #[error("there is no reader `{name}`; the readers are {readers}")]
    NoReader {
        /// The name asked for.
        name: String,
        /// The names of all readers.
        readers: String,
    },
    /// A file or folder cannot be read, or is not what was asked for.
    #[error("{}: {problem}", .path.display())]
    Path {
        /// The file or folder.
        path: PathBuf,
        /// What the system said, or what was expected there.
        problem: String,
    },
    /// A file's content cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        error: Box<ReadError>,
    },
}

fn column_text(column: usize) -> String {
    match column {
        0 => String::new(),
        column => format!(", column {column}"),
    }
}

impl ReadError {
    /// What is wrong with a line, counted from 1.
    pub fn line(tool: &'static str, line: usize, problem: impl Into<String>) -> Self {
        Self::Text {
            tool,
            line,
            column: 0,
            problem: problem.into(),
        }
    }

    /// What is wrong with a benchmark.
    pub fn benchmark(
        tool: &'static str,
        name: impl Into<String>,
        problem: impl Into<String>,
    ) -> Self {
        Self::Benchmark {
            tool,
            name: name.into(),
            problem: problem.into(),
        }
    }

    /// Why a file or folder cannot be read.
    pub fn path(path: impl Into<PathBuf>, problem: impl ToString) -> Self {
        Self::Path {
            path: path.into(),
            problem: problem.to_string(),
        }
    }

    /// The same, in a file.
    #[must_use]
    pub fn in_file(self, path: impl Into<PathBuf>) -> Self {
        Self::File {
            path: path.into(),
            error: Box::new(self),
        }
    }
}
