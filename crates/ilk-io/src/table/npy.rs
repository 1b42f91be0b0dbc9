//! Arrays in numpy's own format: a short text header, then the values.

use std::io::{self, Read};

/// What the header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) shape: Vec<usize>,
    by_columns: bool,
    element: Element,
}

/// The type of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Element {
    kind: Kind,
    size: usize,
    big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    Signed,
    Unsigned,
}

/// What can be wrong with an array.
#[derive(Debug)]
pub(super) enum Fault {
    /// The stream failed or ended early.
    Io(io::Error),
    /// It is not in this format.
    Damaged(String),
    /// It is a sound array, but not one of numbers in rows and columns.
    Unsuitable(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A matrix in row order.
#[derive(Debug, PartialEq)]
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) values: Vec<f64>,
}

/// Reads the header and leaves the stream at the first value.
pub(super) fn read_header(source: &mut impl Read) -> Result<Header, Fault> {
    let (descr, by_columns, shape) = header_parts(&header_text(source)?)?;
    Ok(Header { shape, by_columns, element: parse_element(&descr)? })
}

fn header_text(source: &mut impl Read) -> Result<String, Fault> {
    let mut start = [0; 8];
    source.read_exact(&mut start)?;
    let length = match start {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _] => {
            let mut length = [0; 2];
            source.read_exact(&mut length)?;
            u64::from(u16::from_le_bytes(length))
        }
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _] => {
            let mut length = [0; 4];
            source.read_exact(&mut length)?;
            u64::from(u32::from_le_bytes(length))
        }
        [0x93, b'N', b'U', b'M', b'P', b'Y', version, _] => {
            return Err(Fault::Damaged(format!("format {version} is unknown")));
        }
        _ => return Err(Fault::Damaged("it does not begin as one".to_owned())),
    };
    let mut text = Vec::new();
    source.take(length).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Type, order by columns and shape of a header such as `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }`.
fn header_parts(text: &str) -> Result<(String, bool, Vec<usize>), Fault> {
    let damaged = |what: &str| Fault::Damaged(format!("its header has no {what}"));
    let value = |key: &str| {
        let rest = text.split_once(&format!("'{key}'"))?.1;
        Some(rest.trim_start().strip_prefix(':')?.trim_start())
    };
    let descr = value("descr").ok_or_else(|| damaged("descr"))?;
    let Some(descr) = descr.strip_prefix('\'').and_then(|d| d.split_once('\'')) else {
        let reason = "it holds records or objects".to_owned();
        return Err(Fault::Unsuitable(reason));
    };
    let order = value("fortran_order").ok_or_else(|| damaged("fortran_order"))?;
    let shape = value("shape")
        .and_then(|shape| shape.strip_prefix('(')?.split_once(')'))
        .ok_or_else(|| damaged("shape"))?;
    let shape = shape
        .0
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .map(|size| size.trim_end_matches('L').parse())
        .collect::<Result<_, _>>()
        .map_err(|_| damaged("sound shape"))?;
    Ok((descr.0.to_owned(), order.starts_with("True"), shape))
}

fn parse_element(descr: &str) -> Result<Element, Fault> {
    let unsuitable = || {
        let reason = format!("it holds values of type {descr:?}, which are not numbers ilk reads");
        Fault::Unsuitable(reason)
    };
    let (order, rest) = descr.split_at_checked(1).ok_or_else(unsuitable)?;
    let (kind, size) = rest.split_at_checked(1).ok_or_else(unsuitable)?;
    let kind = match (kind, size) {
        ("f", "4" | "8") => Kind::Float,
        ("i", "1" | "2" | "4" | "8") => Kind::Signed,
        ("u", "1" | "2" | "4" | "8") | ("b", "1") => Kind::Unsigned,
        _ => return Err(unsuitable()),
    };
    Ok(Element { kind, size: size.parse().map_err(|_| unsuitable())?, big_endian: order == ">" })
}

/// Reads a whole array of two dimensions. Memory grows with the bytes that are there, not with what
/// the header claims.
pub(super) fn read_matrix(source: &mut impl Read) -> Result<Matrix, Fault> {
    let header = read_header(source)?;
    let &[rows, columns] = header.shape.as_slice() else {
        let reason = format!("it has {} dimensions", header.shape.len());
        return Err(Fault::Unsuitable(reason));
    };
    let cells = rows
        .checked_mul(columns)
        .ok_or_else(|| Fault::Damaged("its shape is impossible".to_owned()))?;
    let values = read_values(source, header.element, cells)?;
    Ok(Matrix {
        rows,
        columns,
        values: if header.by_columns { transposed(&values, rows, columns) } else { values },
    })
}

/// Reads a whole array of one dimension, or of one column.
pub(super) fn read_vector(source: &mut impl Read) -> Result<Vec<f64>, Fault> {
    let header = read_header(source)?;
    match *header.shape.as_slice() {
        [cells] | [cells, 1] => read_values(source, header.element, cells),
        _ => {
            let reason = format!("it has {} dimensions", header.shape.len());
            Err(Fault::Unsuitable(reason))
        }
    }
}

/// Reads one short text of bytes or characters.
pub(super) fn read_text(source: &mut impl Read) -> Result<String, Fault> {
    let unsuitable = || Fault::Unsuitable("it holds no text".to_owned());
    let (descr, _, shape) = header_parts(&header_text(source)?)?;
    let (kind, size) =
        descr.trim_start_matches(['|', '<', '=']).split_at_checked(1).ok_or_else(unsuitable)?;
    let width = if kind == "U" { 4 } else { 1 };
    let size: usize = size.parse().map_err(|_| unsuitable())?;
    if !matches!(kind, "S" | "U") || !shape.is_empty() || size > 64 {
        return Err(unsuitable());
    }
    let mut bytes = vec![0; size * width];
    source.read_exact(&mut bytes)?;
    // Plain letters, of which the first byte is the letter.
    let letters = bytes.chunks_exact(width).map(|letter| char::from(letter[0]));
    Ok(letters.take_while(|&letter| letter != '\0').collect())
}

fn read_values(source: &mut impl Read, element: Element, cells: usize) -> Result<Vec<f64>, Fault> {
    const CELLS_AT_ONCE: usize = 8192;
    let mut values = Vec::new();
    let mut bytes = vec![0; CELLS_AT_ONCE * element.size];
    while values.len() < cells {
        let count = CELLS_AT_ONCE.min(cells - values.len());
        let bytes = &mut bytes[..count * element.size];
        source.read_exact(bytes)?;
        values.extend(bytes.chunks_exact(element.size).map(|c| decode(element, c)));
    }
    if source.read(&mut bytes[..1])? != 0 {
        let reason = "it has more values than its header says".to_owned();
        return Err(Fault::Damaged(reason));
    }
    Ok(values)
}

/// One value of at most eight bytes. Whole numbers beyond 2^53 are rounded, as numpy does.
fn decode(element: Element, cell: &[u8]) -> f64 {
    let mut bytes = [0; 8];
    bytes[..cell.len()].copy_from_slice(cell);
    if element.big_endian {
        bytes[..cell.len()].reverse();
    }
    let bits = u64::from_le_bytes(bytes);
    match (element.kind, element.size) {
        (Kind::Float, 4) => f64::from(f32::from_bits(bits as u32)),
        (Kind::Float, _) => f64::from_bits(bits),
        (Kind::Unsigned, _) => bits as f64,
        (Kind::Signed, size) => {
            let unused = 64 - 8 * size as u32;
            ((bits << unused).cast_signed() >> unused) as f64
        }
    }
}

fn transposed(by_columns: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| by_columns[column * rows + row]))
        .collect()
}
