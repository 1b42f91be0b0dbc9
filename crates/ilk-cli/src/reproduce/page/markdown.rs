//! A page as Markdown, with its plots beside it.

use std::fmt::Write;

use super::{Block, Entry, Page, Tone};

pub(super) fn render(page: &Page) -> String {
    let mut out = format!("# {}\n\n{}\n", page.title, page.lede);
    for section in &page.sections {
        let _ = write!(out, "\n## {}\n", section.heading);
        for block in &section.blocks {
            out.push('\n');
            write_block(&mut out, block);
        }
    }
    out
}

fn write_block(out: &mut String, block: &Block) {
    let _ = match block {
        Block::Text(text) => writeln!(out, "{text}"),
        Block::Notice(text) => writeln!(out, "**{text}**"),
        Block::List(items) => {
            for item in items {
                let _ = writeln!(out, "- {item}");
            }
            Ok(())
        }
        Block::Table { head, rows } => {
            let _ = writeln!(out, "| {} |", head.join(" | "));
            let _ = writeln!(out, "|{}", "---|".repeat(head.len()));
            for row in rows {
                let fields: Vec<String> = row.iter().map(entry).collect();
                let _ = writeln!(out, "| {} |", fields.join(" | "));
            }
            Ok(())
        }
        Block::Plot { file, caption, .. } | Block::Photo { file, caption, .. } => {
            writeln!(out, "![{caption}]({file})")
        }
    };
}

fn entry(entry: &Entry) -> String {
    let text = entry.text.replace('|', "\\|");
    match entry.tone {
        Tone::Bad => format!("**{text}**"),
        Tone::Plain | Tone::Good => text,
    }
}
