//! The paths that a Rust source uses, found without a parser: comments and literals are blanked,
//! the rest is cut into words, and `a::{b, c::d}` is spread into `a::b` and `a::c::d`.

/// A path such as `super::problem::Points`; the last word of a macro ends in `!`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UsedPath {
    /// Where its last word stands, counted from 1.
    pub(crate) line: usize,
    /// Its words in order.
    pub(crate) words: Vec<String>,
}

/// All paths of a source, in order. A path that is a single word counts too.
pub(crate) fn used_paths(text: &str) -> Vec<UsedPath> {
    let tokens = tokens(&blank_literals(text));
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is_word() {
            at = spread(&tokens, at, &[], &mut paths);
        } else {
            at += 1;
        }
    }
    paths
}

/// Reads the path that starts at `at` below `prefix`, adds what it leads to, and returns the
/// position after it.
fn spread(tokens: &[Token], mut at: usize, prefix: &[String], out: &mut Vec<UsedPath>) -> usize {
    let mut words = prefix.to_vec();
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    loop {
        words.push(tokens[at].text.clone());
        let line = tokens[at].line;
        at += 1;
        if text(at) == "::" && tokens.get(at + 1).is_some_and(Token::is_word) {
            at += 1;
            continue;
        }
        if text(at) == "::" && text(at + 1) == "{" {
            at += 2;
            while at < tokens.len() && text(at) != "}" {
                if tokens[at].is_word() {
                    at = spread(tokens, at, &words, out);
                    // What may follow up to the comma is `as name`.
                    while at < tokens.len() && text(at) != "," && text(at) != "}" {
                        at += 1;
                    }
                } else {
                    at += 1;
                }
            }
            return at + 1;
        }
        if text(at) == "!"
            && text(at + 1) != "="
            && let Some(last) = words.last_mut()
        {
            last.push('!');
        }
        out.push(UsedPath { line, words });
        return at;
    }
}

#[derive(Debug)]
struct Token {
    line: usize,
    text: String,
}

impl Token {
    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// Words, `::`, and every other visible character by itself.
fn tokens(code: &str) -> Vec<Token> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    for (number, mut rest) in code.lines().enumerate() {
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else {
                break;
            };
            let length = if in_word(first) {
                rest.find(|c| !in_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push(Token { line: number + 1, text: rest[..length].to_owned() });
            rest = &rest[length..];
        }
    }
    tokens
}

/// The source with comments, strings and characters replaced by spaces, line by line as before.
fn blank_literals(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let literal = literal_length(rest, code.chars().next_back());
        if literal > 0 {
            let blanks = rest[..literal].chars();
            code.extend(blanks.map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[literal..];
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

/// The length of the comment or literal that `rest` starts with; 0 if it starts with neither.
fn literal_length(rest: &str, before: Option<char>) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_length(rest);
    }
    if rest.starts_with('"') {
        return quoted_length(rest, '"');
    }
    let starts_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if starts_word && (rest.starts_with("r\"") || rest.starts_with("r#")) {
        let hashes: String = rest[1..].chars().take_while(|c| *c == '#').collect();
        if rest[1 + hashes.len()..].starts_with('"') {
            let end = format!("\"{hashes}");
            let body = 2 + hashes.len();
            let length = rest[body..].find(&end).map(|at| body + at + end.len());
            return length.unwrap_or(rest.len());
        }
    }
    // A quote that is not a character starts a lifetime.
    let mut chars = rest.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\''), Some('\\'), _) => quoted_length(rest, '\''),
        (Some('\''), Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 0,
    }
}

/// The length up to the closing quote, past escaped ones.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Block comments nest.
fn block_comment_length(rest: &str) -> usize {
    let (mut at, mut depth) = (2, 1);
    while depth > 0 {
        let opening = rest[at..].find("/*").unwrap_or(usize::MAX);
        let Some(closing) = rest[at..].find("*/") else {
            return rest.len();
        };
        depth = if opening < closing { depth + 1 } else { depth - 1 };
        at += opening.min(closing) + 2;
    }
    at
}
