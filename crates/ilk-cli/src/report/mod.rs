//! One HTML file that reports a whole run: no fonts, nothing to fetch, and one small script, without which it
//! can be read as well.

mod cluster_counts;
mod distances;
mod explanation;
mod graph;
pub(crate) mod html;
mod iterations;
mod sections;

use anyhow::Result;

use crate::run::Run;

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'a> {
    /// The command that made it.
    pub(crate) command: &'a str,
    /// The run.
    pub(crate) run: &'a Run,
    /// The plot, as SVG.
    pub(crate) plot: &'a str,
    /// The same data without the constraints, to compare with, and its plot.
    pub(crate) before: Option<(&'a Run, &'a str)>,
}

/// The text of the file.
///
/// # Errors
/// Those of explaining the clusters.
pub(crate) fn html(report: &Report<'_>) -> Result<String> {
    let title = crate::run_plot::title(report.run);
    let body: String = [
        sections::headline(report),
        sections::cards(report.run),
        sections::plots(report),
        sections::comparison(report),
        sections::sizes(report.run),
        graph::section_of(report.run),
        explanation::sections_of(report.run)?,
        sections::constraints(report.run),
        sections::contradictions(report.run),
        sections::scores(report.run),
        iterations::section_of(report.run),
        distances::section_of(report),
        sections::chosen(report.run),
        sections::leaderboard(report.run),
        cluster_counts::section_of(report.run),
        sections::how_to_read(report.run),
        sections::what_was_run(report),
    ]
    .concat();
    let script = format!("<script>\n{}</script>\n", include_str!("script.js"));
    Ok(page(&format!("{title} - ilk report"), &(body + &script)))
}

/// A browser fetches nothing for such a page, whatever is in it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// A whole page around `body`.
pub(crate) fn page(title: &str, body: &str) -> String {
    let style = include_str!("style.css");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{}</title>\n<style>\n{style}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        crate::text::escape(title)
    )
}

#[cfg(test)]
mod tests;
