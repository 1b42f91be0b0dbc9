//! A page as HTML, with its plots inside.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::{Block, Entry, Page, Tone};
use crate::report::html::{inline, note, section, table};
use crate::report::page;
use crate::text::escape;

/// Entries longer than this may be broken into lines.
const LONG: usize = 30;

pub(super) fn render(it: &Page) -> String {
    let mut body = format!(
        "<header>\n<p class=\"kicker\">{}</p>\n<h1>{}</h1>\n<p class=\"lede\">{}</p>\n</header>\n",
        escape(&it.kicker),
        escape(&it.title),
        escape(&it.lede)
    );
    for part in &it.sections {
        let blocks: String = part.blocks.iter().map(block).collect();
        body.push_str(&section(&part.heading, &blocks));
    }
    page(&format!("{} - ilk", it.title), &body)
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => note(&escape(text)),
        Block::Notice(text) => format!("<p class=\"bad\"><b>{}</b></p>\n", escape(text)),
        Block::List(items) => {
            let items: Vec<String> = items.iter().map(|item| escape(item)).collect();
            format!("<ul>\n<li>{}</li>\n</ul>\n", items.join("</li>\n<li>"))
        }
        Block::Table { head, rows } => {
            let head: Vec<String> = head.iter().map(|name| escape(name)).collect();
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            let rows: Vec<Vec<String>> =
                rows.iter().map(|row| row.iter().map(entry).collect()).collect();
            table(&head, &rows)
        }
        Block::Plot { svg, caption, .. } => format!(
            "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            inline(svg),
            escape(caption)
        ),
        Block::Photo { png, caption, .. } => format!(
            "<figure>\n<img alt=\"\" src=\"data:image/png;base64,{}\">\n<figcaption>{}</figcaption>\n</figure>\n",
            BASE64_STANDARD.encode(png),
            escape(caption)
        ),
    }
}

fn entry(entry: &Entry) -> String {
    let text = escape(&entry.text);
    match entry.tone {
        Tone::Plain if entry.text.len() > LONG => format!("<span class=\"long\">{text}</span>"),
        Tone::Plain => text,
        Tone::Good => format!("<span class=\"good\">{text}</span>"),
        Tone::Bad => format!("<span class=\"bad\">{text}</span>"),
    }
}
