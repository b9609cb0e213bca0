//! The parts of which the beginnings of lines are made: times, levels, names of containers.

/// A place in a line.
pub struct At<'a> {
    pub line: &'a [u8],
    pub at: usize,
}

impl At<'_> {
    pub fn rest(&self) -> Option<u8> {
        self.line.get(self.at).copied().filter(|b| *b != b'\r')
    }

    pub fn one(&mut self, of: &[u8]) -> Option<()> {
        let found = of.contains(self.line.get(self.at)?);
        self.at += usize::from(found);
        found.then_some(())
    }

    pub fn text(&mut self, text: &[u8]) -> Option<()> {
        let found = self.line[self.at..].starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found.then_some(())
    }

    /// What a terminal takes for colours (`ESC [ 90 m`), if it is there.
    pub fn colours(&mut self) {
        while self.line[self.at..].starts_with(b"\x1b[") {
            let rest = &self.line[self.at + 2..];
            let Some(end) = rest.iter().position(|b| (b'@'..=b'~').contains(b)) else {
                return;
            };
            self.at += end + 3;
        }
    }

    /// ` INFO `, ` - INFO - `, ` [INFO] `, ` INFO: `.
    pub fn level(&mut self) -> Option<()> {
        self.one(b" ")?;
        let dashed = self.text(b"- ").is_some();
        let bracket = self.one(b"[").is_some();
        let levels: [&[u8]; 4] = [b"INFO", b"DEBUG", b"info", b"debug"];
        levels.iter().find_map(|level| self.text(level))?;
        if bracket {
            self.one(b"]")?;
        }
        let _ = self.one(b":");
        if dashed {
            self.text(b" -")?;
        }
        self.blank()
    }

    /// `web-1  | `: containers' names end in their number.
    pub fn container(&mut self) -> Option<()> {
        let start = self.at;
        self.word(b"|")?;
        let name = &self.line[start..self.at];
        let number = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let before = name.len().checked_sub(number + 1)?;
        (number > 0 && before > 0 && matches!(name[before], b'-' | b'_')).then_some(())?;
        self.colours();
        while self.one(b" ").is_some() {}
        self.one(b"|")?;
        self.colours();
        self.blank()
    }

    /// One blank, or the end of the line.
    pub fn blank(&mut self) -> Option<()> {
        match self.rest() {
            None => Some(()),
            Some(_) => self.one(b" "),
        }
    }

    pub fn digits(&mut self, least: usize, most: usize) -> Option<()> {
        let rest = &self.line[self.at..];
        let count = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += count;
        (least..=most).contains(&count).then_some(())
    }

    /// `.123` or `,123`, if it is there.
    pub fn fraction(&mut self) -> Option<()> {
        match self.one(b".,") {
            Some(()) => self.digits(1, 9),
            None => Some(()),
        }
    }

    pub fn field(&mut self) -> Option<()> {
        let rest = &self.line[self.at..];
        let length = rest.iter().position(|b| *b == b'\t')?;
        self.at += length + 1;
        (length > 0).then_some(())
    }

    /// A word up to a blank or one of `ends`.
    pub fn word(&mut self, ends: &[u8]) -> Option<()> {
        let rest = &self.line[self.at..];
        let length = rest.iter().position(|b| *b == b' ' || ends.contains(b))?;
        self.at += length;
        (length > 0).then_some(())
    }

    /// `2026/11/22 18:26:39`, `11/22/2026 06:26:39 PM`.
    pub fn slashes(&mut self) -> Option<()> {
        let start = self.at;
        let year_first = self.digits(4, 4).is_some();
        if !year_first {
            self.at = start;
            self.digits(1, 2)?;
        }
        self.one(b"/")?;
        self.digits(1, 2)?;
        self.one(b"/")?;
        match year_first {
            true => self.digits(1, 2)?,
            false => self.digits(4, 4)?,
        }
        self.one(b" ")?;
        self.clock()?;
        let _ = self.text(b" AM").or_else(|| self.text(b" PM"));
        Some(())
    }

    /// `12:34:56.789`.
    pub fn clock(&mut self) -> Option<()> {
        self.digits(2, 2)?;
        self.one(b":")?;
        self.digits(2, 2)?;
        self.one(b":")?;
        self.digits(2, 2)?;
        self.fraction()
    }

    /// `2026-11-22T18:26:39.123Z` (RFC 3339), with a blank for the T as well.
    pub fn iso(&mut self) -> Option<()> {
        self.digits(4, 4)?;
        self.one(b"-")?;
        self.digits(2, 2)?;
        self.one(b"-")?;
        self.digits(2, 2)?;
        self.one(b"T ")?;
        self.clock()?;
        if self.one(b"Z").is_none() && self.one(b"+-").is_some() {
            self.digits(2, 4)?;
            if self.one(b":").is_some() {
                self.digits(2, 2)?;
            }
        }
        Some(())
    }

    /// Any of the forms, in brackets or not.
    pub fn time(&mut self) -> Option<()> {
        let start = self.at;
        let bracket = self.one(b"[").is_some();
        let inside = self.at;
        let forms = [
            Self::iso,
            Self::month,
            Self::slashes,
            Self::clock,
            Self::seconds,
        ];
        forms.iter().find_map(|form| {
            self.at = inside;
            form(self)?;
            match bracket {
                true => self.one(b"]"),
                // Seconds alone are any number.
                false => Some(()),
            }
        })?;
        let text = &self.line[start..self.at];
        // `12.5` is a figure, `[   12.500000]` and `1700000000.1` are times.
        let number = text.iter().all(|b| b.is_ascii_digit() || *b == b'.');
        let sound = !number || text.iter().take_while(|b| b.is_ascii_digit()).count() == 10;
        self.colours();
        sound.then_some(())
    }

    /// `Nov 22 18:26:39`.
    pub fn month(&mut self) -> Option<()> {
        let name = self.line.get(self.at..self.at + 3)?;
        const NAMES: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
        NAMES.chunks(3).find(|known| *known == name)?;
        self.at += 3;
        self.one(b" ")?;
        let _ = self.one(b" ");
        self.digits(1, 2)?;
        self.one(b" ")?;
        self.clock()
    }

    /// `1700000000.123`, `   12.345678`.
    pub fn seconds(&mut self) -> Option<()> {
        while self.one(b" ").is_some() {}
        self.digits(1, 10)?;
        self.one(b".")?;
        self.digits(1, 9)
    }
}
