//! Places numbered by the cell of a grid that they lie in.

use std::collections::HashMap;

/// A grid whose cells are numbered as they are first met: places that nearly coincide get the same
/// number in one pass.
///
/// A cell reaches half its side to either side of its middle, and the origin is the middle of one,
/// so that values that should be 0 share a cell whatever their sign. Of two places on either side of
/// an edge each has its own, however near they are: a grid may leave apart what nearly coincides, but
/// never joins what is farther apart than the diagonal of a cell.
///
/// ```
/// use ilk::numerics::cells::Cells;
///
/// let mut cells = Cells::new(0.5);
/// assert_eq!([[-0.1], [3.0], [0.1], [2.9]].map(|place| cells.number(&place)), [0, 1, 0, 1]);
/// let mut places = Cells::of_equal_places();
/// assert_eq!([[0.0], [-0.0], [0.1]].map(|place| places.number(&place)), [0, 0, 1]);
/// ```
#[derive(Debug, Clone)]
pub struct Cells {
    /// 0 where places have to be equal.
    side: f64,
    /// By the bits of the cell's number in every dimension: unlike whole numbers, floats number
    /// cells that are small beside the extent of the data without running out.
    numbers: HashMap<Vec<u64>, usize>,
}

impl Cells {
    /// A grid with cells of this side, above 0.
    pub fn new(side: f64) -> Self {
        Self {
            side,
            numbers: HashMap::new(),
        }
    }

    /// Cells so small that only equal places share one.
    pub fn of_equal_places() -> Self {
        Self::new(0.0)
    }

    /// The number of the cell in which `place` lies, counted from 0 in the order of first use.
    pub fn number(&mut self, place: &[f64]) -> usize {
        self.number_of(place, None)
    }

    /// As [`number`](Self::number), where places also have to have equal tags to share a cell.
    pub fn number_tagged(&mut self, place: &[f64], tag: f64) -> usize {
        self.number_of(place, Some(tag))
    }

    fn number_of(&mut self, place: &[f64], tag: Option<f64>) -> usize {
        let along = |x: &f64| {
            if self.side > 0.0 {
                (x / self.side).round()
            } else {
                *x
            }
        };
        // Adding 0 makes a negative zero positive.
        let key = place.iter().map(along).chain(tag);
        let key = key.map(|x| (x + 0.0).to_bits()).collect();
        let next = self.numbers.len();
        *self.numbers.entry(key).or_insert(next)
    }

    /// Forgets all cells.
    pub fn clear(&mut self) {
        self.numbers.clear();
    }
}
