//! What the braces around a place belong to.

/// What a place is inside of, as far as braces tell.
#[derive(Debug, Default)]
pub(super) struct Around {
    open: Vec<Brace>,
    pub(super) head: Head,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// Of a type or a list of values: definitions, or no statements.
    Other,
    /// Of a namespace.
    Space,
    /// Of a function.
    Code,
}

/// What has come since the last statement or block.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) names_type: bool,
    names_space: bool,
    /// `typedef`
    pub(super) is_alias: bool,
    has_parameters: bool,
}

impl Around {
    pub(super) fn is_code(&self) -> bool {
        self.open.last() == Some(&Brace::Code)
    }

    /// Outside of types and functions.
    pub(super) fn is_outside(&self) -> bool {
        self.open.iter().all(|brace| *brace == Brace::Space)
    }

    pub(super) fn word(&mut self, word: &[u8], before: u8) {
        // Those of parameters say nothing of what is defined.
        let is_outer = !matches!(before, b'(' | b',' | b'<');
        let is_type = matches!(word, b"class" | b"struct" | b"union" | b"enum");
        self.head.names_type |= is_outer && is_type;
        self.head.names_space |= is_outer && word == b"namespace";
        self.head.is_alias |= word == b"typedef";
    }

    pub(super) fn token(&mut self, byte: u8, before: u8, last: &[u8]) {
        match byte {
            b'{' => {
                let brace = self.brace(before, last);
                self.open.push(brace);
                self.head = Head::default();
            }
            b'}' => {
                self.open.pop();
                self.head = Head::default();
            }
            b';' => self.head = Head::default(),
            b')' => self.head.has_parameters = true,
            _ => {}
        }
    }

    /// What a brace opens, by what stands before it.
    fn brace(&self, before: u8, last: &[u8]) -> Brace {
        // `extern "C" {`
        if self.head.names_space || before == b'"' {
            return Brace::Space;
        }
        let is_code = match before {
            b')' | b']' => true,
            b'=' | b',' | b'(' => false,
            // Behind the values that members begin with: `: size{1} {`.
            b'}' => true,
            _ if matches!(
                last,
                b"const" | b"noexcept" | b"override" | b"mutable" | b"try" | b"volatile"
            ) =>
            {
                true
            }
            _ if last == b"return" || self.head.names_type => false,
            _ => self.is_code() || self.head.has_parameters,
        };
        if is_code { Brace::Code } else { Brace::Other }
    }
}
