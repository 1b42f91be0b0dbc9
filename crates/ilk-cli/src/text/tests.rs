use super::*;

#[test]
fn counts_are_grouped_by_three() {
    assert_eq!(count(0), "0");
    assert_eq!(count(999), "999");
    assert_eq!(count(1_000), "1,000");
    assert_eq!(count(1_234_567), "1,234,567");
    assert_eq!(counted(1, "point"), "1 point");
    assert_eq!(counted(2_000, "point"), "2,000 points");
}

#[test]
fn numbers_have_four_significant_digits() {
    assert_eq!(number(0.0), "0");
    assert_eq!(number(0.316_227), "0.3162");
    assert_eq!(number(12.0), "12");
    assert_eq!(number(-1234.56), "-1235");
    assert_eq!(number(1.5e-7), "1.500e-7");
    assert_eq!(number(f64::INFINITY), "inf");
}

#[test]
fn short_text_is_whole_and_long_text_is_cut() {
    assert_eq!(short("abc", 3), "abc");
    assert_eq!(short("abcd", 3), "ab…");
    assert_eq!(short("a\u{1b}[31m", 9), "a\u{FFFD}[31m");
}

#[test]
fn columns_line_up() {
    let rows = [vec!["a".into(), "10".into()], vec!["long".into(), "9".into()]];
    assert_eq!(table(&rows), "a     10\nlong   9\n");
}
