//! The SQLite index: what `karat history` reads, made from the run folders.

use crate::{EVIDENCE, StoreError, at, read_evidence};
use karat_model::evidence::Evidence;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, params};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const FILE: &str = "index.sqlite";

/// Raised when a table changes; an index of another version is made anew.
const VERSION: i64 = 1;

const TABLES: &str = "
    DROP TABLE IF EXISTS comparisons;
    DROP TABLE IF EXISTS runs;
    CREATE TABLE runs (
        id TEXT PRIMARY KEY, study TEXT NOT NULL, started TEXT NOT NULL,
        verdict TEXT, about TEXT, recommended TEXT, summary TEXT NOT NULL,
        seconds REAL NOT NULL, samples INTEGER NOT NULL, cpu TEXT NOT NULL
    );
    CREATE TABLE comparisons (
        run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
        workload TEXT NOT NULL, variant TEXT NOT NULL,
        speed REAL NOT NULL, low REAL, high REAL, judgement TEXT NOT NULL
    );
    CREATE INDEX comparisons_of ON comparisons(run);
";

/// Finished runs.
#[derive(Debug, Default)]
pub struct History {
    /// Those that can be read, newest first.
    pub rows: Vec<HistoryRow>,
    /// Why others cannot; each names its file.
    pub damaged: Vec<StoreError>,
}

/// One finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryRow {
    /// Name of its folder.
    pub id: String,
    /// The study.
    pub study: String,
    /// Start, RFC 3339.
    pub started: String,
    /// The verdict's word; `None` when withheld.
    pub verdict: Option<String>,
    /// The variant the verdict is about.
    pub about: Option<String>,
    /// The recommended variant.
    pub recommended: Option<String>,
    /// The verdict in a sentence.
    pub summary: String,
    /// How long it took.
    pub seconds: f64,
    /// Measured processes.
    pub samples: u64,
    /// CPU it ran on.
    pub cpu: String,
    /// What it found, workload by workload.
    pub comparisons: Vec<HistoryComparison>,
}

/// One comparison of a finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryComparison {
    /// The workload.
    pub workload: String,
    /// The variant, compared with the baseline.
    pub variant: String,
    /// Speed over the baseline's speed.
    pub speed: f64,
    /// Lower bound, if there is one.
    pub low: Option<f64>,
    /// Upper bound, if there is one.
    pub high: Option<f64>,
    /// The judge's word.
    pub judgement: String,
}

pub(crate) struct Index {
    path: PathBuf,
    db: Connection,
}

/// A connection to an index with its tables.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(std::time::Duration::from_secs(10))?;
    db.pragma_update(None, "foreign_keys", true)?;
    if version(&db)? != VERSION {
        // Several karats may find no tables at the same time: one makes them.
        let transaction = write(&db)?;
        if version(&transaction)? != VERSION {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
    }
    Ok(db)
}

fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// A transaction that waits for other writers at its beginning rather than fail
/// at its first change.
fn write(db: &Connection) -> rusqlite::Result<Transaction<'_>> {
    Transaction::new_unchecked(db, TransactionBehavior::Immediate)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
    )
}

fn is_read_only(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen)
    )
}

impl Index {
    /// Opens the index of `root`, and makes it if it is not there, of another
    /// version, or damaged: nothing in it is not in the run folders too. Where
    /// nothing can be written, it is made in memory.
    pub(crate) fn open(root: &Path) -> Result<Self, StoreError> {
        let path = root.join(FILE);
        let db = match connect(&path) {
            Err(e) if is_damage(&e) => {
                std::fs::remove_file(&path).map_err(at(&path))?;
                connect(&path)
            }
            Err(e) if is_read_only(&e) && !path.is_dir() => connect(Path::new(":memory:")),
            Ok(db) if db.is_readonly("main").unwrap_or(false) => connect(Path::new(":memory:")),
            other => other,
        };
        match db {
            Ok(db) => Ok(Self { path, db }),
            Err(error) => Err(StoreError::Index { path, error }),
        }
    }

    fn fail(&self, error: rusqlite::Error) -> StoreError {
        StoreError::Index {
            path: self.path.clone(),
            error,
        }
    }

    /// Makes the index agree with the finished run folders. A folder whose
    /// evidence cannot be read is left out, and the reason is given back.
    pub(crate) fn refresh(&self, folders: &[PathBuf]) -> Result<Vec<StoreError>, StoreError> {
        let name = |p: &PathBuf| p.file_name().map(|n| n.to_string_lossy().into_owned());
        let present: HashSet<String> = folders.iter().filter_map(name).collect();
        let known = self.ids().map_err(|e| self.fail(e))?;
        // Another karat may have finished a run since `folders` were listed.
        let there = |id: &&String| self.path.with_file_name(id).join(EVIDENCE).is_file();
        for gone in known.difference(&present).filter(|id| !there(id)) {
            self.db
                .execute("DELETE FROM runs WHERE id = ?1", [gone])
                .map_err(|e| self.fail(e))?;
        }
        let mut damaged = Vec::new();
        for folder in folders {
            let Some(id) = name(folder).filter(|id| !known.contains(id)) else {
                continue;
            };
            match read_evidence(&folder.join(EVIDENCE)) {
                Ok(evidence) => self.insert(&id, &evidence).map_err(|e| self.fail(e))?,
                Err(error) => damaged.push(error),
            }
        }
        Ok(damaged)
    }

    fn ids(&self) -> rusqlite::Result<HashSet<String>> {
        let mut statement = self.db.prepare("SELECT id FROM runs")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect()
    }

    fn insert(&self, id: &str, evidence: &Evidence) -> rusqlite::Result<()> {
        let transaction = write(&self.db)?;
        // Another karat may have entered it since this one looked.
        let new = transaction.execute(
            "INSERT OR IGNORE INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                id,
                evidence.study.name,
                evidence.run.started,
                evidence.verdict.verdict.map(|v| v.word()),
                evidence.verdict.about,
                evidence.verdict.recommended,
                evidence.verdict.summary,
                evidence.run.seconds,
                evidence.samples.len() as i64,
                evidence.machine.cpu,
            ],
        )?;
        for workload in evidence.workloads.iter().filter(|_| new > 0) {
            for c in &workload.comparisons {
                transaction.execute(
                    "INSERT INTO comparisons VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    params![
                        id,
                        workload.name,
                        c.variant,
                        c.speed.estimate,
                        c.speed.low,
                        c.speed.high,
                        c.judgement.word(),
                    ],
                )?;
            }
        }
        transaction.commit()
    }

    pub(crate) fn rows(&self) -> Result<Vec<HistoryRow>, StoreError> {
        let read = || -> rusqlite::Result<Vec<HistoryRow>> {
            let mut statement = self.db.prepare(
                "SELECT id, study, started, verdict, about, recommended, summary, seconds, \
                 samples, cpu FROM runs ORDER BY started DESC, id DESC",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(HistoryRow {
                    id: row.get(0)?,
                    study: row.get(1)?,
                    started: row.get(2)?,
                    verdict: row.get(3)?,
                    about: row.get(4)?,
                    recommended: row.get(5)?,
                    summary: row.get(6)?,
                    seconds: row.get(7)?,
                    samples: row.get::<_, i64>(8)?.max(0) as u64,
                    cpu: row.get(9)?,
                    comparisons: Vec::new(),
                })
            })?;
            let mut rows: Vec<HistoryRow> = rows.collect::<rusqlite::Result<_>>()?;
            for row in &mut rows {
                row.comparisons = self.comparisons(&row.id)?;
            }
            Ok(rows)
        };
        read().map_err(|e| self.fail(e))
    }

    fn comparisons(&self, run: &str) -> rusqlite::Result<Vec<HistoryComparison>> {
        let mut statement = self.db.prepare_cached(
            "SELECT workload, variant, speed, low, high, judgement FROM comparisons \
             WHERE run = ?1 ORDER BY rowid",
        )?;
        let rows = statement.query_map([run], |row| {
            Ok(HistoryComparison {
                workload: row.get(0)?,
                variant: row.get(1)?,
                speed: row.get(2)?,
                low: row.get(3)?,
                high: row.get(4)?,
                judgement: row.get(5)?,
            })
        })?;
        rows.collect()
    }
}
