//! The child's output, read as it comes on a thread that is not on the measured
//! processor, so that a program that prints much does not share it with karat.

use karat_host::pin;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::SigSet;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::thread::{Builder, JoinHandle};

/// Output captured of each stream; what exceeds it is read and dropped.
const CAPTURED: usize = 16 << 20;

/// What a pipe is to hold: as much as the kernel lets users ask for (pipe(7)). A
/// program that prints much then waits seldom for the reader.
const PIPE: i32 = 1 << 20;

/// Bytes that one call reads.
const CHUNK: usize = 64 << 10;

/// Reads of one stream in a row: more than a pipe holds.
const TURN: usize = 32;

/// Ample for a buffer on the heap and two calls.
const STACK: usize = 64 << 10;

/// Reads until all that wrote are gone, or until it is told that they are.
pub(super) struct Reader {
    thread: JoinHandle<io::Result<[Vec<u8>; 2]>>,
    /// Closed, it ends the reading of what nobody will write to any more.
    stop: PipeWriter,
}

impl Reader {
    /// Starts reading stdout and stderr.
    pub(super) fn start(pipes: [Option<PipeReader>; 2]) -> io::Result<Self> {
        let (stopped, stop) = io::pipe()?;
        let mut streams = Vec::new();
        for pipe in pipes {
            streams.push(Stream::new(pipe)?);
        }
        let elsewhere = pin::elsewhere();
        let thread = Builder::new()
            .name("karat-output".into())
            .stack_size(STACK)
            .spawn(move || {
                // Signals are to end the wait for the program at once, which is on the
                // thread that started this one.
                let _ = SigSet::all().thread_block();
                // On a single processor it shares that.
                if let Some(elsewhere) = elsewhere {
                    pin::this_thread_to(&elsewhere);
                }
                read(streams, stopped)
            })?;
        Ok(Self { thread, stop })
    }

    /// What was captured of stdout and stderr.
    pub(super) fn finish(self) -> io::Result<[Vec<u8>; 2]> {
        drop(self.stop);
        let lost = |_| io::Error::other("the thread that reads the output panicked");
        self.thread.join().map_err(lost)?
    }
}

fn read(mut streams: Vec<Stream>, stopped: PipeReader) -> io::Result<[Vec<u8>; 2]> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let ended = wait_for(&streams, &stopped)?;
        for stream in &mut streams {
            // Not for ever: what nobody could attribute to a run may still write.
            for _ in 0..TURN {
                if !stream.read_some(&mut buffer)? {
                    break;
                }
            }
        }
        if ended || streams.iter().all(|s| s.pipe.is_none()) {
            let mut captured = streams.into_iter().map(|s| s.captured);
            return Ok(std::array::from_fn(|_| captured.next().unwrap_or_default()));
        }
    }
}

/// Waits until one of the streams has something to say; whether it is the last time.
fn wait_for(streams: &[Stream], stopped: &PipeReader) -> io::Result<bool> {
    let open = streams.iter().filter_map(|s| s.pipe.as_ref());
    let mut fds = vec![PollFd::new(stopped.as_fd(), PollFlags::POLLIN)];
    fds.extend(open.map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)));
    match poll(&mut fds, PollTimeout::NONE) {
        Ok(_) => Ok(fds[0].revents().is_some_and(|r| !r.is_empty())),
        Err(nix::errno::Errno::EINTR) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// The read end of one of the child's streams.
struct Stream {
    pipe: Option<PipeReader>,
    captured: Vec<u8>,
}

impl Stream {
    fn new(pipe: Option<PipeReader>) -> io::Result<Self> {
        if let Some(pipe) = &pipe {
            fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
            // Beyond what a user may have in all, it stays as it is.
            let _ = fcntl(pipe, FcntlArg::F_SETPIPE_SZ(PIPE));
        }
        Ok(Self {
            pipe,
            captured: Vec::new(),
        })
    }

    /// Reads what is there; closes at the end of the stream. Whether there may be
    /// more at once.
    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(false);
        };
        match pipe.read(buffer) {
            Ok(0) => {
                self.pipe = None;
                Ok(false)
            }
            Ok(n) => {
                let free = CAPTURED.saturating_sub(self.captured.len());
                self.captured.extend_from_slice(&buffer[..n.min(free)]);
                Ok(true)
            }
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(true),
            Err(e) => Err(e),
        }
    }
}
