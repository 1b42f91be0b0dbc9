use super::html::inline;
use crate::text::escape;

#[test]
fn text_is_escaped_for_html() {
    assert_eq!(escape("<a href='x'>\"&\u{1}"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{FFFD}");
}

#[test]
fn the_style_knows_the_colours_of_the_plot() {
    let style = include_str!("style.css");
    for color in crate::plot::THEMED {
        assert!(style.contains(&color.to_string()), "{color}");
    }
}

#[test]
fn an_inline_plot_names_no_address() {
    let svg = "<svg width=\"9\" xmlns=\"http://www.w3.org/2000/svg\">";
    assert_eq!(inline(svg), "<svg role=\"img\" width=\"9\">");
}
