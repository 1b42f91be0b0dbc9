//! Which groups are asked for, and by which groups constraints are drawn.

use anyhow::{Result, bail};
use serde::Serialize;

/// The labels of the classes of the first of two groups; all other classes are the second.
pub(crate) type Group = &'static [&'static str];

/// Which groups are asked for, and by which constraints are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Truth {
    /// The classes of the set.
    Classes,
    /// Two groups of classes.
    TwoGroups(Group),
    /// The classes, with constraints by the classes and constraints by two groups of them together.
    ClassesOfBoth(Group),
    /// Two groups of classes, with the same constraints as [`ClassesOfBoth`](Self::ClassesOfBoth).
    TwoGroupsOfBoth(Group),
}

impl Truth {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
    pub(super) fn is_classes(&self) -> bool {
        *self == Self::Classes
    }

    /// The groups that are asked for. `labels` holds the label of every class.
    pub(super) fn judged(self, classes: &[usize], labels: &[String]) -> Result<Vec<usize>> {
        match self {
            Self::Classes | Self::ClassesOfBoth(_) => Ok(classes.to_vec()),
            Self::TwoGroups(first) | Self::TwoGroupsOfBoth(first) => {
                two_groups(first, classes, labels)
            }
        }
    }

    /// The groups by which constraints are drawn.
    pub(super) fn constraint_truths(
        self,
        classes: &[usize],
        labels: &[String],
    ) -> Result<Vec<Vec<usize>>> {
        match self {
            Self::Classes | Self::TwoGroups(_) => Ok(vec![self.judged(classes, labels)?]),
            Self::ClassesOfBoth(first) | Self::TwoGroupsOfBoth(first) => {
                Ok(vec![classes.to_vec(), two_groups(first, classes, labels)?])
            }
        }
    }
}

fn two_groups(first: Group, classes: &[usize], labels: &[String]) -> Result<Vec<usize>> {
    if let Some(label) = first.iter().find(|&&name| labels.iter().all(|l| l != name)) {
        bail!("no class of the set is labelled {label:?}; its labels are: {}", labels.join(", "));
    }
    let is_first = |&class: &usize| first.contains(&labels[class].as_str());
    let groups = classes.iter().map(|c| usize::from(!is_first(c)));
    Ok(groups.collect())
}
