//! Contradictions in words.

use std::fmt;

use super::{ChainLink, ChainStep, Check, Conflict, Cycle};

/// Steps of a proof that are written out at each end of a long one.
const SHOWN: usize = 5;
/// Contradictions that [`Check`]'s text lists.
const LISTED: usize = 10;

impl Check<'_> {
    /// A conflict and the chain that proves it, as a sentence with the names of the points: "a
    /// must-link b must-link c, but a cannot-link c". The middle of a long chain is left out.
    /// `None` where there is no such conflict. Costs what [`chain`](Self::chain) does.
    pub fn explain(&self, index: usize) -> Option<String> {
        let chain = self.chain(index)?;
        let ends = [chain.first()?.from, chain.last()?.to];
        let [from, to] = ends.map(|point| self.constraints.name_of(point));
        let steps = shortened(&chain, |step| self.step_text(step));
        let but = match self.conflict(index)? {
            Conflict::CannotLink { .. } => format!("{from} cannot-link {to}"),
            Conflict::Labels { first, second } => {
                let [first, second] = [first, second].map(|l| &self.constraints.label_names()[l]);
                format!("{from} is labelled {first:?} and {to} is labelled {second:?}")
            }
        };
        Some(format!("{from}{steps}, but {but}"))
    }

    /// A contradictory circle of comparisons, as distances and then as the constraints behind them. The middle
    /// of a long one is left out. `None` where there is no such cycle.
    pub fn explain_cycle(&self, index: usize) -> Option<String> {
        let Cycle { steps } = self.cycles.get(index)?;
        let distance = |points: [usize; 2]| {
            let [a, b] = points.map(|point| self.constraints.name_of(point));
            format!("d({a}, {b})")
        };
        let distances = shortened(steps, |step| {
            let sign = if step.strict { '<' } else { '=' };
            format!(" {sign} {}", distance(step.to))
        });
        let constraints = shortened(steps, |step| {
            let sentence = self.constraints.describe(step.kind, step.entry);
            format!(" {};", sentence.unwrap_or_default())
        });
        let (start, constraints) =
            (distance(steps.first()?.from), constraints.trim_end_matches(';'));
        Some(format!("{start}{distances}:{constraints}"))
    }

    /// All contradictions in words: the conflicts, then the cycles, each made by the iterator.
    pub fn explanations(&self) -> impl Iterator<Item = String> + '_ {
        let conflicts = (0..self.n_conflicts()).filter_map(|index| self.explain(index));
        let cycles = (0..self.cycles.len()).filter_map(|index| self.explain_cycle(index));
        conflicts.chain(cycles)
    }

    fn step_text(&self, step: &ChainStep) -> String {
        let to = self.constraints.name_of(step.to);
        match step.link {
            ChainLink::MustLink(_) => format!(" must-link {to}"),
            ChainLink::SharedLabel(label) => {
                let name = &self.constraints.label_names()[label];
                format!(" shares label {name:?} with {to}")
            }
        }
    }
}

/// The texts of all steps in a row, or of the first and the last of many.
fn shortened<S>(steps: &[S], text: impl Fn(&S) -> String) -> String {
    let all = |steps: &[S]| steps.iter().map(&text).collect::<String>();
    let hidden = steps.len().saturating_sub(2 * SHOWN);
    if hidden <= 1 {
        return all(steps);
    }
    let (head, tail) = (&steps[..SHOWN], &steps[SHOWN + hidden..]);
    format!("{} ... ({hidden} more steps) ...{}", all(head), all(tail))
}

/// The contradictions, one a line, at most ten of them.
impl fmt::Display for Check<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n_contradictions() {
            0 => return f.write_str("no contradictions"),
            1 => f.write_str("1 contradiction:")?,
            count => write!(f, "{count} contradictions:")?,
        }
        for text in self.explanations().take(LISTED) {
            write!(f, "\n- {text}")?;
        }
        match self.n_contradictions().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, "\n- and {more} more"),
        }
    }
}
