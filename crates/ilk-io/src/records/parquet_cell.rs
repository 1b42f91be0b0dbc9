//! Cells of Parquet columns as text and numbers.

use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};

/// What the numbers of a column stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Plain,
    Unsigned,
    /// Tenths, hundredths, …: the value is the number over 10 to this.
    Decimal(i32),
    /// A date or a time, which no distance should mix with other columns by accident.
    Time,
}

/// One cell.
#[derive(Debug, PartialEq)]
pub(super) enum Cell {
    Empty,
    Flag(bool),
    Number(f64),
    Integer(i128),
    Decimal(i128, i32),
    Text(String),
}

impl Cell {
    /// The cell as a number; NaN if it is none.
    pub(super) fn number(&self) -> f64 {
        match *self {
            Self::Flag(flag) => f64::from(u8::from(flag)),
            Self::Number(number) => number,
            Self::Integer(number) => number as f64,
            Self::Decimal(number, scale) => {
                format!("{number}e{}", -scale).parse().unwrap_or(f64::NAN)
            }
            Self::Empty | Self::Text(_) => f64::NAN,
        }
    }

    pub(super) fn into_text(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Flag(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Decimal(..) => self.number().to_string(),
            Self::Text(text) => text,
        }
    }
}

/// A stored value.
pub(super) trait Value {
    fn cell(&self, meaning: Meaning) -> Cell;
}

impl Value for bool {
    fn cell(&self, _: Meaning) -> Cell {
        Cell::Flag(*self)
    }
}

impl Value for i32 {
    fn cell(&self, meaning: Meaning) -> Cell {
        integer(i128::from(*self), i128::from(self.cast_unsigned()), meaning)
    }
}

impl Value for i64 {
    fn cell(&self, meaning: Meaning) -> Cell {
        integer(i128::from(*self), i128::from(self.cast_unsigned()), meaning)
    }
}

fn integer(signed: i128, unsigned: i128, meaning: Meaning) -> Cell {
    match meaning {
        Meaning::Plain => Cell::Integer(signed),
        Meaning::Unsigned => Cell::Integer(unsigned),
        Meaning::Decimal(scale) => Cell::Decimal(signed, scale),
        Meaning::Time => Cell::Text(format!("time {signed}")),
    }
}

impl Value for Int96 {
    fn cell(&self, _: Meaning) -> Cell {
        let [low, high, day] = *self.data() else {
            return Cell::Empty;
        };
        let nanoseconds = u64::from(high) << 32 | u64::from(low);
        Cell::Text(format!("time {nanoseconds} of day {day}"))
    }
}

impl Value for f32 {
    fn cell(&self, _: Meaning) -> Cell {
        Cell::Number(f64::from(*self))
    }
}

impl Value for f64 {
    fn cell(&self, _: Meaning) -> Cell {
        Cell::Number(*self)
    }
}

impl Value for ByteArray {
    fn cell(&self, meaning: Meaning) -> Cell {
        bytes(self.data(), meaning)
    }
}

impl Value for FixedLenByteArray {
    fn cell(&self, meaning: Meaning) -> Cell {
        bytes(self.data(), meaning)
    }
}

/// Text, or a decimal in two's complement with the highest byte first.
fn bytes(bytes: &[u8], meaning: Meaning) -> Cell {
    match meaning {
        Meaning::Decimal(scale) if (1..=16).contains(&bytes.len()) => {
            let sign = if bytes[0] & 0x80 == 0 { 0 } else { 0xff };
            let mut wide = [sign; 16];
            wide[16 - bytes.len()..].copy_from_slice(bytes);
            Cell::Decimal(i128::from_be_bytes(wide), scale)
        }
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cell::Text(text.to_owned()),
            Err(_) => Cell::Text(format!("{} bytes", bytes.len())),
        },
    }
}
