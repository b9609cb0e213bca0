//! `karat gates`: what the assembly has of gates, kernels and functions, and what a run
//! of a command executes of them. One call for a command line or a binding.
//!
//! [`karat_audit`] says where something is and what must be watched; `watch` makes one
//! list of places of it; [`karat_trace`] runs the command; `answers` says what it means.

mod answers;
mod watch;

use karat_audit::{FunctionSites, GateSites, KernelSite};
use karat_binary::BinaryError;
use karat_binary::debug::places::lines;
use karat_binary::read::image::Image;
use karat_model::gates::{Coverage, GatesDocument, SCHEMA, TracedRun, Via};
use karat_process::executable::refused;
pub use karat_trace::Program;
use karat_trace::{Ending, FileSites, Plan, TraceError, Traced};
use std::io;
use std::path::{Path, PathBuf};
use watch::{Owner, Watch};

/// What is asked of a file.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// A linked ELF program or library.
    pub binary: &'a Path,
    /// Functions, or lines as `file:line`.
    pub gates: &'a [String],
    /// Whether to look at code that a dispatcher may choose.
    pub kernels: bool,
    /// Whether to look at all functions. Needs a command.
    pub all: bool,
    /// What another run with `all` found.
    pub against: Option<&'a GatesDocument>,
    /// Further folders of debug files.
    pub debug_dirs: &'a [PathBuf],
    /// What to run; none to look at the file only.
    pub command: Option<&'a Program>,
    /// Up to how many times to count a place; none to see only whether it is executed.
    pub count: Option<u64>,
    /// karat's version.
    pub karat: &'a str,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum GatesError {
    /// The file cannot be read.
    #[error("{}: {why}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The file cannot be searched.
    #[error("{}: {error}", path.display())]
    Audit {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: BinaryError,
    },
    /// The command is no program that can be executed.
    #[error("cannot execute `{program}`: {why}")]
    NotExecutable {
        /// As it was given.
        program: String,
        /// Why not, and what to do.
        why: String,
    },
    /// The system does not let karat trace.
    #[error(transparent)]
    Forbidden(TraceError),
    /// Tracing failed.
    #[error(transparent)]
    Trace(TraceError),
}

impl From<TraceError> for GatesError {
    fn from(error: TraceError) -> Self {
        match error {
            TraceError::Execute { program, .. } if program.is_empty() => Self::NotExecutable {
                program,
                why: "the first word of the command is empty".into(),
            },
            TraceError::Execute { program, error } => Self::NotExecutable {
                why: refused(Path::new(&program), &error).unwrap_or_else(|| error.to_string()),
                program,
            },
            TraceError::ZeroByte => Self::NotExecutable {
                program: "the command".into(),
                why: error.to_string(),
            },
            TraceError::Forbidden { .. } => Self::Forbidden(error),
            TraceError::System { .. } => Self::Trace(error),
        }
    }
}

/// What there is to watch, as the audit found it.
#[derive(Default)]
struct Found {
    gates: Option<GateSites>,
    kernels: Option<Vec<KernelSite>>,
    functions: Vec<FunctionSites>,
}

/// Looks at the file, runs the command if there is one, and says what it executed. The
/// command has the caller's standard streams.
///
/// # Errors
/// See [`GatesError`]. A command that ends badly is no error; its end is in the
/// document.
pub fn document(request: &Request<'_>) -> Result<GatesDocument, GatesError> {
    let path = request.binary;
    let read = |why| GatesError::Read {
        path: path.to_owned(),
        why,
    };
    let audit = |error| GatesError::Audit {
        path: path.to_owned(),
        error,
    };
    let bytes = karat_audit_files::open(path).map_err(read)?;
    let (debug, split) = karat_audit_files::debug_files(path, &bytes, request.debug_dirs);
    let debug = debug.as_deref();
    let split: Vec<&[u8]> = split.iter().map(|file| &file[..]).collect();
    let mut found = Found::default();
    if !request.gates.is_empty() {
        let sites = karat_audit::gate_sites(&bytes, debug, &split, request.gates);
        found.gates = Some(sites.map_err(audit)?);
    }
    if request.kernels {
        found.kernels = Some(karat_audit::kernel_sites(&bytes, debug, &[]).map_err(audit)?);
    }
    if request.all {
        found.functions = karat_audit::function_sites(&bytes, debug).map_err(audit)?;
    }
    let image = Image::parse(&bytes).map_err(audit)?;
    let watch = match request.command {
        Some(program) => {
            let (watch, traced) = run(request, program, &image, &found).map_err(|e| match e {
                Failed::Read(error) => read(error.to_string()),
                Failed::Trace(error) => error.into(),
            })?;
            Some((watch, of_run(program, &traced, request.count)))
        }
        None => None,
    };
    let mut document = answers::document(found, watch);
    document.schema = SCHEMA;
    document.karat = request.karat.into();
    document.binary = path.display().to_string();
    answers::notes(&image, &mut document);
    if let Some(coverage) = &mut document.coverage {
        locate(&image, coverage);
        let other = request.against;
        coverage.against = other.and_then(|other| {
            let command = other.run.as_ref().map_or(&[][..], |run| &run.command);
            Some(coverage.difference(other.coverage.as_ref()?, command))
        });
    }
    Ok(document)
}

enum Failed {
    Read(io::Error),
    Trace(TraceError),
}

/// Runs the command and watches all that was found.
fn run(
    request: &Request<'_>,
    program: &Program,
    image: &Image<'_>,
    found: &Found,
) -> Result<(Watch, Traced), Failed> {
    let mut watch = Watch::new(request.count);
    if let Some(sites) = &found.gates {
        for (at, gate) in sites.gates.iter().enumerate() {
            watch.add(image, Owner::Gate(at), &gate.addresses, &[]);
            for (number, call) in gate.calls.iter().enumerate() {
                let body = &sites.bodies[at][number];
                let (first, rest) = match call.via {
                    Via::Folded => (&body[..], &[][..]),
                    _ => (std::slice::from_ref(&call.address), &body[..]),
                };
                watch.add(image, Owner::Call(at, number), first, rest);
                if let Some(guard) = &call.guard {
                    watch.add(image, Owner::Guard(at, number), &[guard.address], &[]);
                }
            }
        }
    }
    for (at, found) in found.kernels.iter().flatten().enumerate() {
        let address = found.is_start.then_some(found.kernel.address);
        watch.add(image, Owner::Kernel(at), address.as_slice(), &[]);
    }
    for (at, found) in found.functions.iter().enumerate() {
        let (entry, rest) = match found.function.address {
            address if found.sites.first() == Some(&address) => found.sites.split_at(1),
            _ => (&[][..], &found.sites[..]),
        };
        watch.add(image, Owner::Function(at), entry, rest);
    }
    let offsets = watch.finish();
    let sites = FileSites::new(request.binary, offsets).map_err(Failed::Read)?;
    let plan = Plan { files: vec![sites] };
    let traced = karat_trace::run(plan, program, &mut |hit, done| watch.hit(hit.site, done));
    Ok((watch, traced.map_err(Failed::Trace)?))
}

fn of_run(program: &Program, traced: &Traced, counted: Option<u64>) -> TracedRun {
    let words = [&program.program].into_iter().chain(&program.arguments);
    let (exit_code, signal) = match traced.ending {
        Ending::Exited(code) => (Some(code), None),
        Ending::Signalled(signal) => (None, Some(signal)),
    };
    TracedRun {
        command: words
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        exit_code,
        signal,
        wall: traced.wall.as_secs_f64(),
        user: traced.user.as_secs_f64(),
        system: traced.system.as_secs_f64(),
        stopped: traced.stopped.as_secs_f64(),
        traps: traced.traps,
        planted: traced.planted,
        processes: traced.processes,
        threads: traced.threads,
        loaded: traced.mapped.iter().sum(),
        left_running: traced.left_running,
        counted,
        notes: traced.notes.clone(),
    }
}

/// Adds the source file of each function.
fn locate(image: &Image<'_>, coverage: &mut Coverage) {
    let addresses: Vec<u64> = coverage.functions.iter().map(|f| f.address).collect();
    let places = lines(image, &addresses);
    for function in &mut coverage.functions {
        let place = places.get(&function.address);
        function.file = place.map(|place| place.file.clone());
    }
}
