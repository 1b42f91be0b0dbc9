use super::{Bench, Language, choose, page, processor};

fn bench(language: Language, name: &str) -> Bench {
    Bench { language, name: name.to_owned() }
}

fn known() -> Vec<Bench> {
    vec![
        bench(Language::Rust, "exp"),
        bench(Language::Rust, "mean_shift"),
        bench(Language::Python, "mean_shift"),
    ]
}

#[test]
fn no_name_means_every_bench() {
    assert_eq!(choose(&known(), &[]), Ok(known()));
}

#[test]
fn a_name_means_the_benches_of_that_name_in_both_languages() {
    let names = ["mean_shift".to_owned()];
    assert_eq!(choose(&known(), &names), Ok(known()[1..].to_vec()));
}

#[test]
fn an_unknown_name_is_refused_with_the_names_there_are() {
    let names = ["exp".to_owned(), "means".to_owned()];
    let message = "there is no bench \"means\"; known benches: exp, mean_shift";
    assert_eq!(choose(&known(), &names), Err(message.to_owned()));
}

#[test]
fn the_page_says_how_and_where_and_holds_every_section() {
    let sections = ["## One\n\n| a |\n|---|".to_owned(), "## Two".to_owned()];
    let names = ["exp".to_owned()];
    assert_eq!(
        page("Machine: 2 cores.", true, &names, &sections),
        "# Benchmarks\n\n\
         Written by `cargo xtask bench --quick exp`. Every ratio compares two measurements of the \
         same run.\n\n\
         Machine: 2 cores.\n\n\
         ## One\n\n| a |\n|---|\n\n\
         ## Two\n"
    );
}

#[test]
fn the_processor_is_read_from_the_first_core() {
    let info =
        "processor\t: 0\nmodel name\t: Some CPU @ 2.5GHz\nprocessor\t: 1\nmodel name\t: Other\n";
    assert_eq!(processor(info), Some("Some CPU @ 2.5GHz"));
    assert_eq!(processor("processor : 0\n"), None);
}
