//! One HTML file that tells a run's whole story: no scripts, no fonts, nothing to fetch.

mod course;
mod distances;
pub(crate) mod html;
mod sections;

use crate::run::Run;
pub(crate) use html::escape;

/// What is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'a> {
    /// The command that made it.
    pub(crate) command: &'a str,
    /// The run.
    pub(crate) run: &'a Run,
    /// The plot, as SVG.
    pub(crate) picture: &'a str,
    /// The same data without what was said, to compare with, and its plot.
    pub(crate) before: Option<(&'a Run, &'a str)>,
}

/// The text of the file.
pub(crate) fn html(report: &Report<'_>) -> String {
    let title = crate::picture::title(report.run);
    let body: String = [
        sections::headline(report),
        sections::cards(report.run),
        sections::pictures(report),
        sections::comparison(report),
        sections::sizes(report.run),
        sections::said(report.run),
        sections::contradictions(report.run),
        sections::scores(report.run),
        course::section_of(report.run),
        distances::section_of(report),
        sections::chosen(report.run),
        sections::how_to_read(report.run),
        sections::what_was_run(report),
    ]
    .concat();
    page(&format!("{title} - ilk report"), &body)
}

/// A whole page around `body`.
pub(crate) fn page(title: &str, body: &str) -> String {
    let style = include_str!("style.css");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{style}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

#[cfg(test)]
mod tests;
