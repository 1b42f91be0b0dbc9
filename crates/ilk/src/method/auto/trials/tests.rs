use proptest::prelude::*;

use super::*;
use crate::problem::ConstraintKind;
use crate::select::Folds;

const N: usize = 24;

proptest! {
    #[test]
    fn no_pair_by_which_members_are_judged_is_implied_by_those_that_they_are_given(
        entries in prop::collection::vec(
            (prop::sample::select(ConstraintKind::ALL.to_vec()), [0..N, 0..N, 0..N]),
            0..60,
        ),
        seed: u64,
    ) {
        let mut constraints = Constraints::new(N);
        for (kind, points) in entries {
            // Entries that name a point twice are left out.
            let _ = match kind {
                ConstraintKind::Label => constraints.label(points[0], &(points[1] % 3).to_string()).map(|_| ()),
                kind => constraints.add(kind, &points[..kind.arity()], 1.0, None).map(|_| ()),
            };
        }
        for split in Folds::new(&constraints, FOLDS, 1, seed)?.splits() {
            let fold = Fold::new(split)?;
            let closure = fold.train.closure();
            for (pair, _) in fold.test.pairs() {
                let [a, b] = pair.points;
                prop_assert!(!closure.are_linked(a, b), "{a} and {b} are linked in training");
                prop_assert!(!closure.are_separated(a, b), "{a} and {b} are apart in training");
            }
        }
    }
}
