//! What is shown after answers: how well the clusters agree, and whether more questions are worth their time.

use anyhow::Result;
use ilk::ask::{AnnotatorErrors, Answer, Question, Session};
use ilk::observe::Silent;

use crate::text::counted;

/// Questions that are looked ahead.
const AHEAD: usize = 10;

/// Below this share of the points more answers are hardly worth their time.
const LITTLE: f64 = 0.01;

/// One line after an answer.
pub(crate) fn line(session: &Session) -> Result<String> {
    let answered = counted(session.state().answered().len(), "answer");
    let labels = session.clusters()?;
    let n_clusters = labels.iter().flatten().max().map_or(0, |last| last + 1);
    let mut parts = vec![answered, counted(n_clusters, "cluster")];
    parts.extend(agreement(session)?);
    parts.extend(gain(session)?);
    Ok(parts.join("; "))
}

/// How well the clusters agree with the answers kept for judging.
fn agreement(session: &Session) -> Result<Option<String>> {
    Ok(session.agreement()?.map(|found| {
        let (low, high) = found.interval;
        format!(
            "agree with {} of {} kept for judging ({:.0} to {:.0}%)",
            found.agreeing,
            found.total,
            100.0 * low,
            100.0 * high
        )
    }))
}

/// A plain sentence about what more answers will change.
pub(crate) fn gain(session: &Session) -> Result<Option<String>> {
    let Some(gain) = session.expected_gain(AHEAD, &Silent)? else { return Ok(None) };
    let n = gain.n_questions;
    Ok(Some(if gain.share < LITTLE {
        format!("another {n} answers are not expected to change more than 1% of the points")
    } else {
        format!("another {n} answers may decide up to {:.0}% of the points", 100.0 * gain.share)
    }))
}

/// What is known of an annotator's errors.
pub(crate) fn errors(of: &AnnotatorErrors) -> String {
    let who = of.annotator.as_deref().unwrap_or("the annotator");
    format!(
        "{who}: {} of {} asked again answered in two ways; about {:.0}% of the answers are wrong",
        of.contradicted,
        counted(of.repeated, "question"),
        100.0 * of.error_rate
    )
}

/// An answer in words.
pub(crate) fn answer(
    answer: &Answer,
    question: &Question,
    name: &dyn Fn(usize) -> String,
) -> String {
    let points = question.points();
    match answer {
        Answer::Same => "same".to_owned(),
        Answer::Different => "different".to_owned(),
        Answer::Odd(at) => {
            format!("{} is the odd one", points.get(*at).map_or(String::new(), |&p| name(p)))
        }
        Answer::Equal => "about equal".to_owned(),
        Answer::Together(chosen) if chosen.is_empty() => "none belongs with the first".to_owned(),
        Answer::Together(chosen) => {
            let chosen: Vec<String> = chosen.iter().map(|&point| name(point)).collect();
            format!("{} with the first", chosen.join(", "))
        }
        Answer::Label(label) => label.clone(),
        Answer::Skip => "skip".to_owned(),
        Answer::CannotTell => "cannot tell".to_owned(),
    }
}
