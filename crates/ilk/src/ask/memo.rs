//! What was computed from the data or from some answers, kept because it is needed again. All of it follows from its key
//! alone, so that whether it is kept changes how long a question takes and nothing else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::belief::Belief;
use super::question::QuestionKind;
use super::questioner::RankedQuestion;
use super::space::{AskSpace, Part};
use super::state::Answered;
use crate::Result;
use crate::numerics::neighbors::NeighborTable;

/// Values that are kept: those of a state, of the one before it and of the next.
const KEPT: usize = 4;

/// Splits that are kept, of which one course of questions needs a few hundred.
const MOST_SPLITS: usize = 20_000;

/// Units, and into how many parts they are split.
type SplitKey = (Vec<usize>, usize);

/// Shared by all states of one problem and one seed.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The learned space, by the answers that it was learned from.
    pub(super) learned: Recent<Vec<Answered>, AskSpace>,
    /// What the answers say.
    pub(super) beliefs: Recent<Vec<Answered>, Belief>,
    /// All questions of [`ExpectedChange`](super::ExpectedChange) in order.
    pub(super) ranked: Recent<(QuestionKind, Vec<Answered>), Vec<RankedQuestion>>,
    /// The units near every point.
    pub(super) nearest: OnceLock<NeighborTable>,
    splits: Mutex<BTreeMap<SplitKey, Arc<Vec<Part>>>>,
}

impl Memo {
    /// Units split into so many parts, computed where that was not done before.
    pub(super) fn split(
        &self,
        units: &[usize],
        parts: usize,
        compute: impl FnOnce() -> Result<Vec<Part>>,
    ) -> Result<Arc<Vec<Part>>> {
        // What a panic left is whole: values are put in at once.
        let key = (units.to_vec(), parts);
        let splits = || self.splits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = splits().get(&key) {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(compute()?);
        let mut splits = splits();
        if splits.len() >= MOST_SPLITS {
            splits.clear();
        }
        splits.insert(key, Arc::clone(&found));
        Ok(found)
    }
}

/// The values of the last few keys.
#[derive(Debug)]
pub(super) struct Recent<K, V>(Mutex<Vec<(K, Arc<V>)>>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, V> Recent<K, V> {
    /// The value of a key, computed where it is not kept. Nothing is locked meanwhile.
    pub(super) fn get(&self, key: K, compute: impl FnOnce() -> Result<Arc<V>>) -> Result<Arc<V>> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept().iter().find(|(other, _)| *other == key) {
            return Ok(Arc::clone(known));
        }
        let found = compute()?;
        let mut kept = kept();
        kept.insert(0, (key, Arc::clone(&found)));
        kept.truncate(KEPT);
        Ok(found)
    }
}
