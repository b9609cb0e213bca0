//! The child's output: read as it comes, without a thread.

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use std::io::{self, Read};
use std::os::fd::OwnedFd;

/// Output kept of each stream; what exceeds it is read and dropped.
const KEEP: usize = 16 << 20;

/// The read end of one of the child's streams.
pub(super) struct Stream {
    pub(super) fd: Option<OwnedFd>,
    pub(super) kept: Vec<u8>,
}

impl Stream {
    pub(super) fn new(fd: Option<OwnedFd>) -> io::Result<Self> {
        if let Some(fd) = &fd {
            fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        Ok(Self {
            fd,
            kept: Vec::new(),
        })
    }

    /// Reads what is there; closes at the end of the stream.
    pub(super) fn read_some(&mut self) -> io::Result<bool> {
        let Some(fd) = self.fd.take() else {
            return Ok(false);
        };
        let mut file = std::fs::File::from(fd);
        let mut buffer = [0_u8; 16 << 10];
        let more = match file.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(n) => {
                let room = KEEP.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&buffer[..n.min(room)]);
                true
            }
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => false,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => true,
            Err(e) => return Err(e),
        };
        self.fd = Some(file.into());
        Ok(more)
    }

    pub(super) fn drain(&mut self) -> io::Result<()> {
        while self.read_some()? {}
        Ok(())
    }
}
