//! The few pieces of HTML that the sections are made of.

use crate::plot::MarkerStyle;
use crate::text::escape;

/// A section with a heading.
pub(crate) fn section(heading: &str, body: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{body}</section>\n", escape(heading))
}

/// A table; the cells are HTML already.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &[&str]| {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let between = format!("{close}{open}");
        format!("<tr>{open}{}{close}</tr>\n", cells.join(&between))
    };
    let head = match head {
        [] => String::new(),
        head => format!("<thead>{}</thead>\n", cells("th", head)),
    };
    let rows: String = rows
        .iter()
        .map(|row| cells("td", &row.iter().map(String::as_str).collect::<Vec<_>>()))
        .collect();
    format!("<div class=\"scroll\"><table>\n{head}<tbody>\n{rows}</tbody>\n</table></div>\n")
}

/// A horizontal bar that fills `share` of its cell.
pub(super) fn bar(share: f64, color: &str) -> String {
    let percent = (share * 100.0).clamp(0.0, 100.0);
    format!("<span class=\"bar\"><i style=\"width:{percent:.1}%;background:{color}\"></i></span>")
}

/// A disc in the colour of a cluster.
fn dot(color: &str) -> String {
    format!("<span class=\"dot\" style=\"background:{color}\"></span>")
}

/// The name of a cluster after a disc in its colour; scripts know by `data-c` which cluster it is.
pub(super) fn cluster_name(cluster: Option<usize>) -> String {
    let color = MarkerStyle::of(cluster).color.to_string();
    match cluster {
        Some(number) => {
            format!("<span data-c=\"{number}\">{}cluster {number}</span>", dot(&color))
        }
        None => format!("<span data-c=\"none\">{}in no cluster</span>", dot(&color)),
    }
}

/// A small remark below something.
pub(crate) fn note(text: &str) -> String {
    format!("<p class=\"note\">{text}</p>\n")
}

/// An SVG file for the inside of a page: sized by the page, without its namespace.
pub(crate) fn inline(svg: &str) -> String {
    svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1).replacen(
        "<svg ",
        "<svg role=\"img\" ",
        1,
    )
}
