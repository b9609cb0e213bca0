//! QEMU's log of system calls, pages and signals.
//!
//! Lines look like
//!
//! ```text
//! start_code  0x0000004000001000
//! 3536 openat(-100,"/lib/x86_64-linux-gnu/libc.so.6",O_RDONLY|O_CLOEXEC) = 4
//! 3536 mmap(NULL,1974096,PROT_READ,MAP_PRIVATE|MAP_DENYWRITE,4,0) = 0x000000400284a000
//! 3536 execve("/bin/true",{"true",NULL})
//! --- SIGILL {si_signo=SIGILL, si_code=2, si_addr=0x0000004000001169} ---
//! ```
//!
//! A table of pages may stand between a call and its result. While one process waits in a
//! call, its line is not ended: what another process says next stands behind it,
//!
//! ```text
//! 3536 wait4(-1,0x40007ff8,0,NULL)--- SIGILL {si_signo=SIGILL, si_code=2, si_addr=0x4000001169} ---
//! ```

use std::collections::HashMap;

/// What the log says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Where the code of the program itself begins.
    pub start_code: Option<u64>,
    /// What was mapped, the last first for one place.
    pub mapped: Vec<Mapping>,
    /// Where the last illegal instruction was.
    pub illegal: Option<u64>,
    /// Programs that were executed, each once.
    pub executed: Vec<String>,
}

/// A part of a file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub size: u64,
    pub file: String,
    pub offset: u64,
}

impl Mapping {
    /// Where in the file the byte at an address is.
    pub fn offset_of(&self, address: u64) -> Option<u64> {
        let inside = address.checked_sub(self.start)?;
        (inside < self.size).then(|| self.offset + inside)
    }
}

/// Size, file and offset of a `mmap` whose result is not known yet.
type Pending = (u64, Option<String>, u64);

impl Log {
    /// Reads a log. What is not understood is passed over.
    pub fn parse(text: &str) -> Self {
        let mut out = Self::default();
        // All processes share one table: numbers are seldom used for different libraries.
        let mut files: HashMap<u64, String> = HashMap::new();
        let mut pending: Option<Pending> = None;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("start_code") {
                out.start_code = out.start_code.or_else(|| number(rest.trim()));
                continue;
            }
            if let Some((_, signal)) = line.split_once("--- SIGILL {si_signo=SIGILL,") {
                let address = signal.split_once("si_addr=").and_then(|(_, rest)| {
                    let end = rest.find([',', '}']).unwrap_or(rest.len());
                    number(rest[..end].trim())
                });
                out.illegal = address.or(out.illegal);
                continue;
            }
            if let Some(result) = line.strip_prefix(" = ") {
                if let Some(pending) = pending.take() {
                    out.map(pending, result);
                }
                continue;
            }
            let call = last_call(line);
            if let Some(rest) = call
                .strip_prefix("openat(")
                .or_else(|| call.strip_prefix("open("))
            {
                let path = quoted(rest);
                let fd = call
                    .rsplit_once(" = ")
                    .and_then(|(_, fd)| fd.trim().parse().ok());
                if let (Some(path), Some(fd)) = (path, fd) {
                    files.insert(fd, path.to_owned());
                }
            } else if let Some(rest) = call.strip_prefix("mmap(") {
                let Some(found) = mapping(rest, &files) else {
                    continue;
                };
                match rest.rsplit_once(" = ") {
                    Some((_, result)) => out.map(found, result),
                    None => pending = Some(found),
                }
            } else if let Some(path) = call.strip_prefix("execve(").and_then(quoted)
                && !out.executed.iter().any(|known| known == path)
            {
                out.executed.push(path.to_owned());
            }
        }
        out
    }

    fn map(&mut self, (size, file, offset): Pending, result: &str) {
        let (Some(start), Some(file)) = (number(result.trim()), file) else {
            return;
        };
        self.mapped.insert(
            0,
            Mapping {
                start,
                size,
                file,
                offset,
            },
        );
    }

    /// The file that lay at an address, and the offset in it.
    pub fn file_at(&self, address: u64) -> Option<(&str, u64)> {
        self.mapped
            .iter()
            .find_map(|m| Some((m.file.as_str(), m.offset_of(address)?)))
    }
}

/// The last call that begins in a line, without the number of its process: `wait4(…)3550
/// openat(…` is `openat(…`. Quoted text is not looked into.
fn last_call(line: &str) -> &str {
    let mut begins = 0;
    let mut quoted = false;
    let bytes = line.as_bytes();
    for at in 0..bytes.len() {
        match bytes[at] {
            b'"' => quoted = !quoted,
            b')' if !quoted && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => begins = at + 1,
            _ => {}
        }
    }
    line[begins..]
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start()
}

/// Size, file and offset of the arguments `addr,size,prot,flags,fd,offset)…`.
fn mapping(arguments: &str, files: &HashMap<u64, String>) -> Option<Pending> {
    let end = arguments.find(')')?;
    let words: Vec<&str> = arguments[..end].split(',').collect();
    let [_, size, _, _, fd, offset] = words[..] else {
        return None;
    };
    let file = fd.parse().ok().and_then(|fd: u64| files.get(&fd).cloned());
    Some((number(size)?, file, number(offset)?))
}

/// The text between the first quotes.
fn quoted(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('"')?;
    rest.split_once('"').map(|(inner, _)| inner)
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_below_an_illegal_instruction_is_found() {
        // From qemu-x86_64 7.2, shortened.
        let log = Log::parse(concat!(
            "start_code  0x0000004000001000\n",
            "3536 openat(-100,\"/lib/libz.so.1\",O_RDONLY|O_CLOEXEC) = 4\n",
            "3536 mmap(NULL,8192,PROT_READ,MAP_PRIVATE,4,0)page layout changed following mmap\n",
            "start            end              size             prot\n",
            "0000004000000000-0000004000001000 0000000000001000 r--\n",
            " = 0x0000004002870000\n",
            "3536 mmap(0x0000004002871000,4096,PROT_EXEC|PROT_READ,MAP_PRIVATE,4,0x26000) = ",
            "0x0000004002871000\n",
            "3536 openat(-100,\"/none\",O_RDONLY) = -1 errno=2 (No such file or directory)\n",
            "3536 mmap(NULL,4096,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0) = ",
            "0x0000004002900000\n",
            "3550 execve(\"/bin/true\",{\"true\",NULL})\n",
            "--- SIGILL {si_signo=SIGILL, si_code=2, si_addr=0x0000004002871169} ---\n",
        ));
        assert_eq!(log.illegal, Some(0x40_0287_1169));
        assert_eq!(log.start_code, Some(0x40_0000_1000));
        assert_eq!(log.executed, ["/bin/true"]);
        let at = log.illegal.unwrap();
        assert_eq!(log.file_at(at), Some(("/lib/libz.so.1", 0x2_6169)));
        assert_eq!(log.file_at(0x40_0290_0000), None);
    }

    #[test]
    fn what_stands_behind_a_call_that_waits_is_read() {
        let log = Log::parse(concat!(
            "20 wait4(-1,0x40007ff8,0,NULL)21 openat(-100,\"/lib/a(1)2.so\",O_RDONLY) = 4\n",
            "20 wait4(-1,0x40007ff8,0,NULL)21 mmap(NULL,4096,PROT_READ,MAP_PRIVATE,4,0) = ",
            "0x0000004002870000\n",
            "20 wait4(-1,0x40007ff8,0,NULL)--- SIGILL {si_signo=SIGILL, si_code=2, ",
            "si_addr=0x0000004002870169} ---\n",
        ));
        assert_eq!(log.illegal, Some(0x40_0287_0169));
        assert_eq!(log.file_at(0x40_0287_0169), Some(("/lib/a(1)2.so", 0x169)));
    }
}
