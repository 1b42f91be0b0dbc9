//! What came of a session: its clusters, how good they are, and which answers disagree.

use std::path::Path;

use anyhow::Result;
use ilk::ask::{Disagreement, Purpose, Session};
use ilk::problem::{ConstraintKind, Constraints};
use ilk_io::{
    Clusters, ConstraintFiles, Context, Contradiction, contradictions_in, write_clusters,
    write_file,
};
use serde_json::json;

use super::status;
use crate::terminal::{self, Terminal};
use crate::text::{counted, harmless};

/// Contradictions and disagreements that are shown.
const SHOWN: usize = 3;

/// A session that is over for now.
pub(crate) struct Ended<'a> {
    pub(crate) session: &'a Session,
    pub(crate) ids: &'a [String],
    /// All files of constraints, that of the answers last.
    pub(crate) files: Vec<ConstraintFiles>,
}

/// Answers that contradict each other, in words.
struct Contradictions {
    total: usize,
    shown: Vec<String>,
}

impl Ended<'_> {
    pub(crate) fn write_clusters(&self, path: Option<&Path>) -> Result<()> {
        let Some(path) = path else { return Ok(()) };
        let clusters = Clusters {
            ids: self.ids,
            labels: &self.session.clusters()?,
            confidence: None,
            constraints: None,
            keep: None,
        };
        write_file(path, |file| write_clusters(file, &clusters))?;
        Ok(())
    }

    /// Writes what came of it to stdout.
    pub(crate) fn tell(&self, terminal: &Terminal) -> Result<()> {
        let contradictions = self.contradictions()?;
        let disagreements = self.session.disagreements();
        if terminal.json() {
            return self.tell_json(&contradictions, &disagreements);
        }
        let mut lines = vec![status::line(self.session)?];
        lines.extend(self.session.annotator_errors().iter().map(status::errors));
        let disagreement = |of| format!("disagreement: {}", self.in_words(of));
        lines.extend(disagreements.iter().take(SHOWN).map(disagreement));
        lines.extend(and_more(disagreements.len(), "disagreement"));
        let contradiction = |text: &String| format!("contradiction: {text}");
        lines.extend(contradictions.shown.iter().map(contradiction));
        lines.extend(and_more(contradictions.total, "contradiction"));
        let text = lines.join("\n") + "\n";
        terminal::result(|out| out.write_all(harmless(&text).as_bytes()))
    }

    fn tell_json(
        &self,
        contradictions: &Contradictions,
        disagreements: &[Disagreement],
    ) -> Result<()> {
        let labels = self.session.clusters()?;
        let answered = self.session.state().answered();
        let of = |purpose: Purpose| answered.iter().filter(|one| one.purpose == purpose).count();
        let agreement = self.session.agreement()?;
        terminal::result_json(&json!({
            "answers": answered.len(),
            "kept_for_judging": of(Purpose::Judge),
            "asked_again": of(Purpose::Repeat),
            "confirmed": of(Purpose::Confirm),
            "n_clusters": labels.iter().flatten().max().map_or(0, |last| last + 1),
            "agreement": agreement.map(|found| json!({
                "agreeing": found.agreeing, "total": found.total,
                "low": found.interval.0, "high": found.interval.1,
            })),
            "annotators": self.session.annotator_errors().iter().map(|of| json!({
                "annotator": of.annotator, "repeated": of.repeated,
                "contradicted": of.contradicted, "error_rate": of.error_rate,
            })).collect::<Vec<_>>(),
            "n_contradictions": contradictions.total,
            "contradictions": contradictions.shown,
            "n_disagreements": disagreements.len(),
            "disagreements": disagreements
                .iter()
                .take(SHOWN)
                .map(|of| self.in_words(of))
                .collect::<Vec<_>>(),
        }))
    }

    /// The contradictions of all files together, with the lines of their answers and the likeliest culprit.
    fn contradictions(&self) -> Result<Contradictions> {
        let mut constraints = Constraints::with_ids(self.ids)?;
        // Files of labels hold one of each point: two labels of a point are a disagreement.
        let has_two_labels = self.session.state().has_two_labels();
        let files = &self.files[..self.files.len() - usize::from(has_two_labels)];
        for files in files {
            files.read(&mut constraints, &Context::default())?;
        }
        let check = constraints.check();
        let found = contradictions_in(files, &constraints, &check, SHOWN)?;
        let with_culprit = |found: Contradiction| -> Result<String> {
            let culprit = self.likeliest_wrong(&constraints, &found)?;
            Ok(culprit.map_or(found.text.clone(), |culprit| format!("{}; {culprit}", found.text)))
        };
        let shown = found.into_iter().map(with_culprit).collect::<Result<_>>()?;
        Ok(Contradictions { total: check.n_contradictions(), shown })
    }

    /// Which answer of a contradiction is likeliest to be wrong.
    fn likeliest_wrong(
        &self,
        constraints: &Constraints,
        found: &Contradiction,
    ) -> Result<Option<String>> {
        let points = |&((kind, entry), _): &((ConstraintKind, usize), _)| {
            Some((kind, constraints.points_of(kind, entry)?.to_vec()))
        };
        let Some(entries) = found.entries.iter().map(points).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let Some(wrong) = self.session.state().likeliest_wrong(&entries)? else { return Ok(None) };
        let ((kind, entry), place) = &found.entries[wrong];
        let sentence = constraints.describe(*kind, *entry).unwrap_or_default();
        let place = place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
        Ok(Some(format!("the likeliest to be wrong: {sentence}{place}")))
    }

    /// `ann and bob disagree on r1, r2: same, different`.
    fn in_words(&self, disagreement: &Disagreement) -> String {
        let points = disagreement.question.points();
        let ids: Vec<&str> = points.iter().map(|&point| self.ids[point].as_str()).collect();
        let name = |point: usize| self.ids[point].clone();
        let answers = disagreement.answers.iter().map(|(annotator, answer)| {
            let who = annotator.as_deref().unwrap_or("one without a name");
            format!("{who}: {}", status::answer(answer, &disagreement.question, &name))
        });
        format!("on {}: {}", ids.join(", "), answers.collect::<Vec<_>>().join(", "))
    }
}

fn and_more(total: usize, noun: &str) -> Option<String> {
    let more = total.saturating_sub(SHOWN);
    (more > 0).then(|| format!("and {}", counted(more, &format!("more {noun}"))))
}
