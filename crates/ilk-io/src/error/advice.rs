//! Parts of messages: lists of names, and what to do about a cell.

use std::path::Path;

/// Names in quotes, separated by commas; a long list is cut.
pub(crate) fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text =
        names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    if names.is_empty() {
        text.push_str("(none)");
    } else if names.len() > SHOWN {
        text = format!("{text} and {} more", names.len() - SHOWN);
    }
    text
}

/// The ids that stand in one of two files only.
pub(super) fn one_sided(
    left: &Path,
    only_left: &[String],
    right: &Path,
    only_right: &[String],
) -> String {
    [(left, only_left), (right, only_right)]
        .iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(path, ids)| format!("only {} has {}", path.display(), list(ids)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// A name as a shell would read it.
pub(crate) fn word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

/// A number of bytes.
pub(crate) fn byte_size(n: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(shift, _)| n > 0 && n.trailing_zeros() >= *shift) {
        Some((shift, unit)) => format!("{} {unit}", n >> shift),
        None => format!("{n} bytes"),
    }
}

/// What to do about text where a number should be, after the likely cause.
pub(super) fn text_advice(column: &str, value: &str, others: &[String]) -> String {
    if let Some(cause) = cause_of_text(value) {
        return format!("; {cause}");
    }
    if others.is_empty() {
        let column = word(column);
        return format!(
            "; name the number columns with --features, leave this one out with --exclude {column}, or make a \
             feature of every value with --one-hot {column}"
        );
    }
    let all: Vec<&str> = [column].into_iter().chain(others.iter().map(String::as_str)).collect();
    let hold = if others.len() == 1 { "holds" } else { "hold" };
    format!(
        ", and {} {hold} text too; leave them all out with --numeric-only, or make a feature of every value \
         with --one-hot {}",
        list(others),
        word(&all.join(","))
    )
}

/// How a number may have become text.
fn cause_of_text(value: &str) -> Option<&'static str> {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let unsigned = value.trim_start_matches(['+', '-']);
    if value.ends_with('%') && value.trim_end_matches('%').trim().parse::<f64>().is_ok() {
        return Some("it is a percentage; write it without the sign");
    }
    if let Some((whole, part)) = unsigned.split_once(',') {
        let is_decimal = digits(whole) && digits(part) && part.len() != 3;
        if is_decimal {
            return Some("it has a decimal comma; save the file with decimal points");
        }
    }
    let is_separator = |c: char| matches!(c, ',' | ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '_');
    let joined: String = unsigned.chars().filter(|&c| !is_separator(c)).collect();
    let grouped = unsigned.split(is_separator).skip(1).all(|group| {
        let whole = group.split('.').next().unwrap_or(group);
        digits(whole) && whole.len() == 3
    });
    if grouped && unsigned.contains(is_separator) && joined.parse::<f64>().is_ok() {
        return Some("it separates thousands (or has a decimal comma); write numbers as 1234.5");
    }
    // 1.234,5 as it is written in much of Europe.
    if unsigned.contains('.') && unsigned.contains(',') {
        let joined = unsigned.replace('.', "").replace(',', ".");
        if joined.parse::<f64>().is_ok() {
            return Some("it has a decimal comma; save the file with decimal points");
        }
    }
    None
}

/// What can be done about a gap; nothing of it helps against infinities.
pub(super) fn gap_advice(value: &str) -> &'static str {
    if value.parse::<f64>().is_ok_and(f64::is_infinite) {
        "drop the row, "
    } else {
        "let --missing drop, mean or median deal with gaps, "
    }
}
