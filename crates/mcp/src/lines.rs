//! Lines out of a byte stream, in bounded memory.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The longest line that is read; one message is one line.
pub(crate) const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// A buffer that one large line has grown beyond this is given back.
const KEPT_CAPACITY: usize = 256 * 1024;

const READ_BYTES: usize = 64 * 1024;

pub(crate) enum Line<'a> {
    /// One line without its newline. The last line of a stream needs none.
    Text(&'a [u8]),
    /// A line over the limit. It is reported as soon as it is too long, since
    /// it may never end, and its rest is discarded before the next line.
    TooLong,
    End,
}

pub(crate) struct LineReader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    discarding: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(crate) fn new(input: R) -> Self {
        LineReader {
            input: BufReader::with_capacity(READ_BYTES, input),
            line: Vec::new(),
            discarding: false,
        }
    }

    /// The next line. Not cancel safe: a dropped call loses what it has read.
    pub(crate) async fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        self.line.shrink_to(KEPT_CAPACITY);
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let ended_line = !self.line.is_empty();
                return Ok(if ended_line { Line::Text(&self.line) } else { Line::End });
            }
            let newline = available.iter().position(|&byte| byte == b'\n');
            let text = &available[..newline.unwrap_or(available.len())];
            let consumed = text.len() + usize::from(newline.is_some());
            let too_long = !self.discarding && self.line.len() + text.len() > MAX_LINE_BYTES;
            if !self.discarding && !too_long {
                self.line.extend_from_slice(text);
            }
            self.input.consume(consumed);
            if too_long {
                self.discarding = newline.is_none();
                return Ok(Line::TooLong);
            }
            match newline {
                Some(_) if self.discarding => self.discarding = false,
                Some(_) => return Ok(Line::Text(&self.line)),
                None => {}
            }
        }
    }
}
