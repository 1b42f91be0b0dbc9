//! Quotes that are never closed.
//!
//! The parser takes whatever follows an open quote for one field: the rest of the file, or all up to the
//! next quote, vanishes into it without an error. This looks at the bytes as they pass, by the parser's
//! own rules, and fails where that happens.

use std::io::{self, Read};

/// A quote that opens a field and is not closed, or only where another begins.
#[derive(Debug)]
pub(super) struct OpenQuote {
    /// The line it stands on, counted from 1.
    pub(super) line: u64,
}

impl std::fmt::Display for OpenQuote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the quote of line {} is open", self.line)
    }
}

impl std::error::Error for OpenQuote {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote within quotes, which ends the field or stands for a quote.
    Closing,
}

/// Passes bytes on, and fails after an open quote.
pub(super) struct QuoteCheck<R> {
    inner: R,
    delimiter: u8,
    state: State,
    line: u64,
    opened: u64,
}

impl<R> QuoteCheck<R> {
    pub(super) fn new(inner: R, delimiter: u8) -> Self {
        Self { inner, delimiter, state: State::FieldStart, line: 1, opened: 0 }
    }

    fn open_quote(&self) -> io::Error {
        io::Error::other(OpenQuote { line: self.opened })
    }

    fn pass(&mut self, byte: u8) -> io::Result<()> {
        let is_end = byte == self.delimiter || byte == b'\n';
        self.state = match (self.state, byte) {
            (State::FieldStart, b'"') => {
                self.opened = self.line;
                State::Quoted
            }
            (State::Quoted, b'"') => State::Closing,
            (State::Quoted, _) | (State::Closing, b'"') => State::Quoted,
            _ if is_end => State::FieldStart,
            // Over several lines, this was the quote that opens another field.
            (State::Closing, _) if byte != b'\r' && self.line > self.opened => {
                return Err(self.open_quote());
            }
            (State::Closing, b'\r') => State::Closing,
            _ => State::Plain,
        };
        self.line += u64::from(byte == b'\n');
        Ok(())
    }
}

impl<R: Read> Read for QuoteCheck<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if read == 0 && !buffer.is_empty() && self.state == State::Quoted {
            return Err(self.open_quote());
        }
        for &byte in &buffer[..read] {
            self.pass(byte)?;
        }
        Ok(read)
    }
}
