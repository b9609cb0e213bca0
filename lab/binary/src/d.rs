//! Names of the D language: the path of a function, by the grammar of D's ABI.
//!
//! Parameters and arguments of templates are read, since names of nested functions stand
//! behind them, and left out: `std.stdio.File.writeln`, `std.conv.to!(…)`. Overloads and
//! instances of a template read alike.

/// Nesting of types and of references back.
const DEEPEST: u32 = 64;
/// Steps of reading: references back let a short name stand for a long one.
const MOST_STEPS: u32 = 10_000;
/// Longest symbol that is read.
const LONGEST: usize = 1 << 14;

/// A symbol of D as a reader expects it; none for other symbols.
pub(crate) fn readable(mangled: &str) -> Option<String> {
    if mangled.len() > LONGEST || !mangled.is_ascii() {
        return None;
    }
    if mangled == "_Dmain" {
        return Some("D main".into());
    }
    let mut reader = Reader {
        text: mangled.as_bytes(),
        at: 2,
        depth: 0,
        steps: 0,
    };
    let is_name = mangled.starts_with("_D") && reader.starts_name();
    is_name.then_some(())?;
    let mut out = Vec::new();
    reader.path(&mut out)?;
    if !reader.take(b'Z') {
        reader.ty()?;
    }
    (reader.at == mangled.len()).then(|| out.join("."))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: u32,
    steps: u32,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == byte;
        self.at += usize::from(is_it);
        is_it
    }

    fn rest_starts(&self, with: &[u8]) -> bool {
        self.text
            .get(self.at..)
            .is_some_and(|r| r.starts_with(with))
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        std::str::from_utf8(&self.text[start..self.at])
            .ok()?
            .parse()
            .ok()
    }

    /// Reads something that may hold more of its kind.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.steps += 1;
        if self.depth >= DEEPEST || self.steps > MOST_STEPS {
            return None;
        }
        self.depth += 1;
        let out = read(self);
        self.depth -= 1;
        out
    }

    /// Reads what a `Q` at this place refers back to.
    fn back<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let to = self.referred()?;
        let after = std::mem::replace(&mut self.at, to);
        let out = self.nested(read);
        self.at = after;
        out
    }

    /// The place that a `Q` refers to, in base 26: capitals, then one small letter.
    fn referred(&mut self) -> Option<usize> {
        let from = self.at;
        self.take(b'Q').then_some(())?;
        let mut distance = 0_usize;
        loop {
            let byte = self.next()?;
            let digit = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a',
                _ => return None,
            };
            distance = distance.checked_mul(26)?.checked_add(digit.into())?;
            if byte.is_ascii_lowercase() {
                return from.checked_sub(distance).filter(|to| *to < from);
            }
        }
    }

    /// Whether a part of a path begins here: a `Q` may stand for a name or for a type.
    fn starts_name(&self) -> bool {
        match self.peek() {
            b'0'..=b'9' => true,
            b'_' => self.rest_starts(b"__T") || self.rest_starts(b"__U"),
            b'Q' => {
                let mut copy = Reader { ..*self };
                let to = copy.referred();
                to.is_some_and(|to| self.text[to].is_ascii_digit())
            }
            _ => false,
        }
    }

    /// The parts of a path, with the parameters of functions that others are nested in.
    fn path(&mut self, out: &mut Vec<String>) -> Option<()> {
        self.nested(|reader| {
            while reader.starts_name() {
                if let Some(name) = reader.name()? {
                    out.push(name);
                }
                let (before, was) = (reader.at, reader.steps);
                if reader.parameters_of_outer().is_none() || !reader.starts_name() {
                    reader.at = before;
                    reader.steps = was;
                }
            }
            Some(())
        })
    }

    /// The type of a function that the next part is nested in, without its result.
    fn parameters_of_outer(&mut self) -> Option<()> {
        if self.take(b'M') {
            self.modifiers();
        }
        self.function()
    }

    /// One part of a path; none for a scope without a name.
    fn name(&mut self) -> Option<Option<String>> {
        match self.peek() {
            b'Q' => return self.back(Self::name),
            b'_' => return self.template().map(Some),
            _ => {}
        }
        let length = self.number()?;
        let (start, end) = (self.at, self.at.checked_add(length)?);
        let name = self.text.get(start..end)?;
        if name.is_empty() {
            return Some(None);
        }
        let is_template = name.starts_with(b"__T") || name.starts_with(b"__U");
        if is_template && let Some(template) = self.template().filter(|_| self.at == end) {
            return Some(Some(template));
        }
        self.at = end;
        Some(Some(match name {
            b"__ctor" => "this".into(),
            b"__dtor" => "~this".into(),
            _ => String::from_utf8_lossy(name).into_owned(),
        }))
    }

    fn template(&mut self) -> Option<String> {
        self.at += "__T".len();
        let name = self.nested(Self::name)??;
        while !self.take(b'Z') {
            self.take(b'H');
            match self.next()? {
                b'T' => self.ty()?,
                b'V' => {
                    self.ty()?;
                    self.value()?;
                }
                b'S' => self.symbol()?,
                b'X' => {
                    let length = self.number()?;
                    self.at = self.at.checked_add(length)?;
                }
                _ => return None,
            }
        }
        Some(format!("{name}!(…)"))
    }

    /// A symbol that a template is given: a path, or a whole mangled name.
    fn symbol(&mut self) -> Option<()> {
        let mut none = Vec::new();
        if !self.rest_starts(b"_D") {
            return self.path(&mut none);
        }
        self.at += "_D".len();
        self.path(&mut none)?;
        match self.take(b'Z') {
            true => Some(()),
            false => self.ty(),
        }
    }

    fn value(&mut self) -> Option<()> {
        self.nested(|reader| {
            match reader.peek() {
                b'0'..=b'9' => return reader.number().map(drop),
                b'f' => {
                    reader.at += 1;
                    return reader.symbol();
                }
                _ => {}
            }
            match reader.next()? {
                b'n' => Some(()),
                b'i' | b'N' => reader.number().map(drop),
                b'e' => reader.real(),
                b'c' => {
                    reader.real()?;
                    reader.take(b'c').then_some(())?;
                    reader.real()
                }
                b'a' | b'w' | b'd' => {
                    let bytes = reader.number()?;
                    reader.take(b'_').then_some(())?;
                    reader.at = reader.at.checked_add(bytes.checked_mul(2)?)?;
                    (reader.at <= reader.text.len()).then_some(())
                }
                // Arrays and structures. Keys and values of a table stand as an array
                // of twice the length would, and are rare: none is read.
                b'A' | b'S' => {
                    let values = reader.number()?;
                    (0..values).try_for_each(|_| reader.value())
                }
                _ => None,
            }
        })
    }

    fn real(&mut self) -> Option<()> {
        for word in ["NAN", "INF", "NINF"] {
            if self.rest_starts(word.as_bytes()) {
                self.at += word.len();
                return Some(());
            }
        }
        self.take(b'N');
        let start = self.at;
        while matches!(self.peek(), b'0'..=b'9' | b'A'..=b'F') {
            self.at += 1;
        }
        (self.at > start && self.take(b'P')).then_some(())?;
        self.take(b'N');
        self.number().map(drop)
    }

    /// `const`, `immutable`, `shared` and `inout`.
    fn modifiers(&mut self) {
        loop {
            if self.rest_starts(b"Ng") {
                self.at += 2;
            } else if matches!(self.peek(), b'x' | b'y' | b'O') {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// A function's convention, attributes and parameters.
    fn function(&mut self) -> Option<()> {
        matches!(self.next()?, b'F' | b'U' | b'W' | b'V' | b'R' | b'Y').then_some(())?;
        // These four begin parameters.
        while self.peek() == b'N'
            && !matches!(self.text.get(self.at + 1)?, b'g' | b'h' | b'k' | b'n')
        {
            self.at += 2;
        }
        self.parameters()
    }

    fn parameters(&mut self) -> Option<()> {
        self.nested(|reader| {
            while !matches!(reader.peek(), b'X' | b'Y' | b'Z') {
                while reader.rest_starts(b"Nk")
                    || matches!(reader.peek(), b'I' | b'J' | b'K' | b'L' | b'M')
                {
                    reader.at += 1 + usize::from(reader.peek() == b'N');
                }
                reader.ty()?;
            }
            reader.next().map(drop)
        })
    }

    fn ty(&mut self) -> Option<()> {
        self.nested(|reader| {
            reader.modifiers();
            match reader.peek() {
                b'Q' => return reader.back(Self::ty),
                b'F' | b'U' | b'W' | b'V' | b'R' | b'Y' => {
                    reader.function()?;
                    return reader.ty();
                }
                _ => {}
            }
            match reader.next()? {
                b'A' | b'P' => reader.ty(),
                b'G' => {
                    reader.number()?;
                    reader.ty()
                }
                b'H' => {
                    reader.ty()?;
                    reader.ty()
                }
                b'N' => match reader.next()? {
                    b'h' => reader.ty(),
                    b'n' => Some(()),
                    _ => None,
                },
                b'D' => {
                    reader.modifiers();
                    match reader.peek() {
                        b'Q' => reader.back(Self::ty),
                        _ => reader.ty(),
                    }
                }
                b'M' => reader.ty(),
                b'I' | b'C' | b'S' | b'E' | b'T' => reader.path(&mut Vec::new()),
                b'B' => reader.parameters(),
                b'z' => matches!(reader.next()?, b'i' | b'k').then_some(()),
                b'a'..=b'w' => Some(()),
                _ => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    /// Symbols of GDC 12's libraries, with what `c++filt -s dlang` of binutils 2.40 says
    /// of their paths.
    const KNOWN: [(&str, &str); 16] = [
        ("_Dmain", "D main"),
        (
            "_D2rt4util8typeinfo__T20TypeInfoArrayGenericThThZQBb6equalsMxFIPvIQdZb",
            "rt.util.typeinfo.TypeInfoArrayGeneric!(…).TypeInfoArrayGeneric.equals",
        ),
        (
            "_D3std11concurrency14FiberScheduler14FiberCondition9notifyAllMFNbZv",
            "std.concurrency.FiberScheduler.FiberCondition.notifyAll",
        ),
        (
            "_D3std3uni__T19PackedArrayViewImplTSQBiQBh__T9BitPackedTbVmi1ZQrVmi1ZQCe7opSliceMFNaNbNiNfZSQDmQDl__TQDkTQCsVmi1ZQDw",
            "std.uni.PackedArrayViewImpl!(…).PackedArrayViewImpl.opSlice",
        ),
        (
            "_D3std4path11expandTildeFNbNfAyaZ21combineCPathWithDPathFNaNbNePaQBkmZQBp",
            "std.path.expandTilde.combineCPathWithDPath",
        ),
        (
            "_D3std5range__T4iotaTmTmZQkFmmZ6Result8containsMFNaNbNiNfmZb",
            "std.range.iota!(…).iota.Result.contains",
        ),
        (
            "_D3std6format8internal5write__T6getNthVAyaa17_696e746567657220707265636973696f6eSQDb6traits10isIntegralTiTQCpTQCtTmZQDhFNaNfkQDiQDlmZi",
            "std.format.internal.write.getNth!(…).getNth",
        ),
        (
            "_D3std7process12ProcessPipes9__xtoHashFNbNeKxSQBsQBrQBmZm",
            "std.process.ProcessPipes.__xtoHash",
        ),
        (
            "_D3std9exception__T11doesPointToTAyaTSQBk5stdio17LockingTextReaderTvZQByFNaNbNiNeKxAyaKxSQDjQBzQBwZb",
            "std.exception.doesPointTo!(…).doesPointTo",
        ),
        (
            "_D4core6stdcpp9exception11__moduleRefZ",
            "core.stdcpp.exception.__moduleRef",
        ),
        (
            "_D3gcc9backtrace12LibBacktrace6__ctorMFiZCQBoQBnQBg",
            "gcc.backtrace.LibBacktrace.this",
        ),
        ("_D3foo3Bar6__dtorMFZv", "foo.Bar.~this"),
        // Before D 2.077 instances had a length in front.
        ("_D3foo10__T3barTiZ3barFiZv", "foo.bar!(…).bar"),
        ("_D3foo3barFDFiZvPFZiZ3bazMFZv", "foo.bar.baz"),
        ("_D3foo3barFG4iHAyaiNhG4fNgxAaYv", "foo.bar"),
        ("_D3foo__T3barVde8P5Vqc0P0c0P0ZQvFZv", "foo.bar!(…).bar"),
    ];

    #[test]
    fn names_are_what_binutils_says_of_them() {
        for (mangled, expected) in KNOWN {
            assert_eq!(readable(mangled).as_deref(), Some(expected), "{mangled}");
        }
    }

    #[test]
    fn other_names_are_none_of_d() {
        for other in [
            "_DYNAMIC", "_D", "_D3", "_D3foo", "_D9foo", "_D3fooZx", "_Z3foov", "_D1",
        ] {
            assert_eq!(readable(other), None, "{other}");
        }
        // Each reads itself, or the one before twice.
        assert_eq!(readable("_D3fooQaZ"), None);
        let bomb = format!("_D3foo3barF{}Zv", "BiZ".repeat(9_000));
        assert_eq!(readable(&bomb), None);
        let deep = format!("_D3foo3barF{}iZv", "A".repeat(9_000));
        assert_eq!(readable(&deep), None);
    }

    #[test]
    fn damaged_names_end() {
        for (mangled, _) in KNOWN {
            for at in 0..mangled.len() {
                let _ = readable(&mangled[..at]);
                for byte in ["Q", "z", "9", "F", "T", "_", "Z"] {
                    let _ = readable(&format!("{}{byte}{}", &mangled[..at], &mangled[at + 1..]));
                }
            }
        }
    }
}
