//! The figures as pages: what stands on them ([`Page`]), and its two forms.

mod build;
mod chart;
mod html;
mod markdown;
mod scan;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::Result;
use ilk_io::write_file;

pub(crate) use build::{build, figure};
pub(crate) use scan::scans;

/// What stands on a page, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    /// The files are named after this.
    pub(crate) name: String,
    pub(crate) kicker: String,
    pub(crate) title: String,
    pub(crate) lede: String,
    pub(crate) sections: Vec<Section>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Text(String),
    /// Something that must not be overlooked.
    Notice(String),
    List(Vec<String>),
    Table {
        head: Vec<String>,
        rows: Vec<Vec<Entry>>,
    },
    Plot {
        /// The name of the file beside the Markdown.
        file: String,
        svg: String,
        caption: String,
    },
    Photo {
        /// The name of the file beside the Markdown.
        file: String,
        png: Vec<u8>,
        caption: String,
    },
}

/// A field of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
}

impl From<String> for Entry {
    fn from(text: String) -> Self {
        Self { text, tone: Tone::Plain }
    }
}

/// Writes the page as HTML and as Markdown with its plots; returns the two files.
pub(crate) fn write(page: &Page, folder: &Path) -> Result<[PathBuf; 2]> {
    let file = |ending: &str| folder.join(format!("{}.{ending}", page.name));
    let (html, markdown) = (file("html"), file("md"));
    write_text(&html, &html::render(page))?;
    write_text(&markdown, &markdown::render(page))?;
    for block in page.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::Plot { file, svg, .. } => write_text(&folder.join(file), svg)?,
            Block::Photo { file, png, .. } => {
                write_file(folder.join(file), |out| out.write_all(png))?;
            }
            Block::Text(_) | Block::Notice(_) | Block::List(_) | Block::Table { .. } => {}
        }
    }
    Ok([html, markdown])
}

fn write_text(path: &Path, text: &str) -> Result<()> {
    write_file(path, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}
