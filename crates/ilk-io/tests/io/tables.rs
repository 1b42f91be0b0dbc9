//! What becomes of columns and cells that are no plain numbers.

use ilk_io::{Missing, Table, TableOptions, read_table};

use crate::{Folder, features};

fn texts(table: &Table) -> Vec<String> {
    table.notes.iter().map(ToString::to_string).collect()
}

fn options(change: impl FnOnce(&mut TableOptions)) -> TableOptions {
    let mut options = TableOptions::default();
    change(&mut options);
    options
}

fn read(contents: &str, options: &TableOptions) -> Table {
    read_table(Folder::new().file("data.csv", contents), options).unwrap()
}

fn refused(contents: &str, options: &TableOptions) -> String {
    let folder = Folder::new();
    folder.message(read_table(folder.file("data.csv", contents), options))
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn an_index_beside_the_ids_is_left_out_and_said_to_be() {
    for index in ["", "Unnamed: 0"] {
        let table = read(&format!("{index},id,x,y\n0,a,1,2\n1,b,3,4\n"), &TableOptions::default());
        assert_eq!(table.feature_names, ["x", "y"]);
        assert_eq!(table.ids, ["a", "b"]);
        let note = format!("column {index:?}, an index; name it with --features to use it");
        assert_eq!(texts(&table), [note]);
        assert!(!table.notes[0].is_warning());
    }
    let table = read("x,id,__index_level_0__\n1,a,0\n2,b,1\n", &TableOptions::default());
    assert_eq!(table.feature_names, ["x"]);
}

#[test]
fn an_index_without_an_id_beside_it_holds_the_ids() {
    let table = read("x,__index_level_0__\n1,7\n2,9\n", &TableOptions::default());
    assert_eq!(table.ids, ["7", "9"]);
    assert_eq!(table.notes, []);
    let chosen = read("id,__index_level_0__\na,7\nb,9\n", &features(&["__index_level_0__"]));
    assert_eq!(chosen.points.as_slice(), [7.0, 9.0]);
}

/// Ten rows of `x` and of the column that `other` makes.
fn ten_rows(name: &str, other: impl Fn(usize) -> usize) -> String {
    let rows = (0..10).map(|row| format!("{}.5,{}\n", row * row % 7, other(row)));
    format!("x,{name}\n{}", rows.collect::<String>())
}

#[test]
fn a_column_that_counts_the_rows_is_warned_of() {
    let table = read(&ten_rows("flower id", |row| row + 1), &TableOptions::default());
    assert_eq!(
        texts(&table),
        [
            "column \"flower id\" counts the rows (1 to 10) and is used as a feature; if it names the \
          rows, add --id 'flower id' or --exclude 'flower id'"
        ]
    );
    assert!(table.notes[0].is_warning());
    let chosen = read(&ten_rows("n", |row| row + 1), &features(&["x", "n"]));
    assert_eq!(chosen.notes, [], "who names it knows it");
}

#[test]
fn a_column_of_another_whole_number_in_every_row_is_warned_of() {
    let table = read(&ten_rows("key", |row| 3 * row % 10), &TableOptions::default());
    assert_eq!(
        texts(&table),
        [
            "column \"key\" is another whole number in every row and is used as a feature; if it names \
          the rows, add --id key or --exclude key"
        ]
    );
    let repeated = read(&ten_rows("age", |row| row / 2), &TableOptions::default());
    assert_eq!(repeated.notes, []);
}

#[test]
fn a_first_row_of_data_is_not_lost_in_silence() {
    let text = "5.1,3.5,setosa\n4.9,3.0,setosa\n";
    let exclude = options(|options| options.exclude = named(&["setosa"]));
    let table = read(text, &exclude);
    assert_eq!(
        texts(&table),
        [
            "line 1 (\"5.1,3.5,setosa\") looks like data and is taken for the names of the columns; if \
          it is a row, add --no-header"
        ]
    );
    let whole = options(|options| {
        options.no_header = true;
        options.exclude = named(&["x2"]);
    });
    let table = read(text, &whole);
    assert_eq!(table.points.as_slice(), [5.1, 3.5, 4.9, 3.0]);
    assert_eq!(table.feature_names, ["x0", "x1"]);
    assert!(!table.is_named);
    assert_eq!(table.notes, []);
    assert_eq!(
        refused("5,5\n4,3\n", &TableOptions::default()),
        "data.csv: line 1 (\"5,5\") looks like data; add --no-header, or put a header line with the \
         names of the columns above it"
    );
    let years = read("id,2019,2020\na,1,2\n", &TableOptions::default());
    assert_eq!(years.notes, [], "years are names");
}

#[test]
fn columns_with_commas_in_their_names_can_be_chosen() {
    let text = "id,\"mass, g\",\"a,b,c\",a,b\nq,1,2,3,4\n";
    let chosen = |list: &[&str]| read(text, &features(list)).feature_names;
    assert_eq!(chosen(&["mass, g"]), ["mass, g"]);
    assert_eq!(chosen(&["a,b,c,b,mass, g"]), ["a,b,c", "b", "mass, g"]);
    assert_eq!(chosen(&["a,b"]), ["a", "b"]);
    let rest = read(text, &options(|options| options.exclude = named(&["mass, g,a,b,c"])));
    assert_eq!(rest.feature_names, ["a", "b"]);
}

#[test]
fn all_columns_of_text_are_named_at_once() {
    let text = "id,sex,x,island,year\na,m,1,Biscoe,2007\nb,f,2,Dream,2008\n";
    assert_eq!(
        refused(text, &TableOptions::default()),
        "data.csv, line 2, column \"sex\": \"m\" is not a number, and \"island\" holds text too; leave \
         them all out with --numeric-only, or make a feature of every value with --one-hot sex,island"
    );
    let numeric = read(text, &options(|options| options.numeric_only = true));
    assert_eq!(numeric.feature_names, ["x", "year"]);
    assert_eq!(numeric.points.as_slice(), [1.0, 2007.0, 2.0, 2008.0]);
    assert_eq!(texts(&numeric), ["columns \"sex\", \"island\" of text"]);
    assert_eq!(
        refused("id,sex\na,m\n", &options(|options| options.numeric_only = true)),
        "data.csv: no column is left to cluster by; the columns are \"id\", \"sex\"; name some with \
         --features"
    );
}

#[test]
fn the_cause_of_text_among_numbers_is_named() {
    let cases = [
        ("1,5", "it has a decimal comma; save the file with decimal points"),
        ("-0,25", "it has a decimal comma; save the file with decimal points"),
        ("1.234,5", "it has a decimal comma; save the file with decimal points"),
        ("1,234", "it separates thousands (or has a decimal comma); write numbers as 1234.5"),
        ("1 234 567.8", "it separates thousands (or has a decimal comma); write numbers as 1234.5"),
        ("12%", "it is a percentage; write it without the sign"),
    ];
    for (cell, cause) in cases {
        assert_eq!(
            refused(&format!("id;x\na;{cell}\n"), &TableOptions::default()),
            format!("data.csv, line 2, column \"x\": {cell:?} is not a number; {cause}")
        );
    }
}

#[test]
fn true_and_false_are_1_and_0() {
    let table = read("id,x\na,True\nb,false\nc,1\n", &TableOptions::default());
    assert_eq!(table.points.as_slice(), [1.0, 0.0, 1.0]);
}

const GAPS: &str = "id,x,y\na,1,10\nb,,20\nc,4,NA\nd,7,nan\n";

fn with_missing(missing: Missing) -> TableOptions {
    options(|options| {
        options.missing = missing;
        options.keep = true;
    })
}

#[test]
fn rows_with_gaps_are_dropped_and_counted() {
    let table = read(GAPS, &with_missing(Missing::Drop));
    assert_eq!(table.ids, ["a"]);
    assert_eq!(table.points.as_slice(), [1.0, 10.0]);
    let columns = table.columns.as_ref().unwrap();
    assert_eq!((columns.rows(), columns.cell(0, 0)), (1, Some("a")));
    assert_eq!(texts(&table), ["3 of 4 rows with missing values"]);
    assert_eq!(table.fill, None);
    let numbered = read("x,y\n1,1\nNA,2\n3,3\n", &with_missing(Missing::Drop));
    assert_eq!(numbered.ids, ["0", "2"], "by their place in the file");
}

#[test]
fn gaps_are_filled_with_the_mean_or_the_median_of_their_column() {
    let mean = read(GAPS, &with_missing(Missing::Mean));
    assert_eq!(mean.points.as_slice(), [1.0, 10.0, 4.0, 20.0, 4.0, 15.0, 7.0, 15.0]);
    assert_eq!(mean.fill, Some(vec![4.0, 15.0]));
    assert_eq!(texts(&mean), ["3 missing values in 3 rows with the mean of their column"]);
    let skewed = "x\n1\n2\n30\nNA\n";
    let median = read(skewed, &with_missing(Missing::Median));
    assert_eq!(median.points.as_slice(), [1.0, 2.0, 30.0, 2.0]);
    assert_eq!(texts(&median), ["1 missing value in 1 row with the median of its column"]);
}

#[test]
fn gaps_that_cannot_be_dealt_with_are_refused() {
    assert_eq!(
        refused("id,x,y\na,,1\nb,2,\n", &with_missing(Missing::Drop)),
        "data.csv: each of the 2 rows lacks a value, so --missing drop leaves none; leave out the \
         columns with gaps by --exclude, or use --missing mean"
    );
    assert_eq!(
        refused("id,x,y\na,,1\nb,NA,2\n", &with_missing(Missing::Mean)),
        "data.csv: column \"x\" has no value at all to fill its gaps with; leave it out with \
         --exclude x"
    );
    assert_eq!(
        refused("id,x\na,1\nb,inf\n", &with_missing(Missing::Drop)),
        "data.csv, line 3, column \"x\": the value is inf; replace it, drop the row, or leave the \
         column out with --exclude x"
    );
}

#[test]
fn a_row_is_not_dropped_for_a_gap_in_a_column_that_is_left_out() {
    let numeric = options(|options| {
        options.numeric_only = true;
        options.missing = Missing::Drop;
    });
    let table = read("id,kind,x\na,,1\nb,oak,2\nc,elm,\n", &numeric);
    assert_eq!(table.ids, ["a", "b"]);
}

#[test]
fn a_column_of_categories_becomes_a_feature_for_every_value() {
    let text = "id,color,x\na,red,1\nb,blue,2\nc,red,3\n";
    let table = read(text, &options(|options| options.one_hot = named(&["color"])));
    assert_eq!(table.feature_names, ["color=blue", "color=red", "x"]);
    assert_eq!(table.points.as_slice(), [0.0, 1.0, 1.0, 1.0, 0.0, 2.0, 0.0, 1.0, 3.0]);
    assert_eq!(texts(&table), ["column \"color\" as 2 features of 0 and 1"]);
    let again = read(text, &features(&["color=blue", "color=red", "x"]));
    assert_eq!(again.points, table.points, "a model asks for them by these names");
}

#[test]
fn a_missing_category_is_a_gap_like_any_other() {
    let text = "id,color,x\na,red,1\nb,,2\nc,red,3\nd,blue,4\n";
    let with = |missing| {
        options(|options| {
            options.one_hot = named(&["color"]);
            options.missing = missing;
        })
    };
    assert_eq!(
        refused(text, &with(Missing::Error)),
        "data.csv, line 3, column \"color\": the cell is empty; fill it in, let --missing drop, mean or \
         median deal with gaps, or leave the column out with --exclude color"
    );
    let dropped = read(text, &with(Missing::Drop));
    assert_eq!(dropped.ids, ["a", "c", "d"]);
    let filled = read(text, &with(Missing::Mean));
    let third = 1.0 / 3.0;
    assert_eq!(filled.points.row(1), [third, third + third, 2.0], "the shares of the values");
}

#[test]
fn values_of_dropped_rows_make_no_features() {
    let dropped = options(|options| {
        options.one_hot = named(&["color"]);
        options.missing = Missing::Drop;
    });
    let table = read("id,color,x\na,red,1\nb,pink,\nc,blue,2\n", &dropped);
    assert_eq!(table.feature_names, ["color=blue", "color=red", "x"]);
}

#[test]
fn utf_16_is_read() {
    let text = "id,größe\na,1.5\n";
    for (mark, unit) in
        [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)]
    {
        let mut bytes = mark.to_vec();
        bytes.extend(text.encode_utf16().flat_map(unit));
        let table = Folder::new().table("data.csv", &bytes).unwrap();
        assert_eq!(table.feature_names, ["größe"]);
        assert_eq!(table.points.as_slice(), [1.5]);
        let folder = Folder::new();
        assert_eq!(
            folder.message(folder.table("data.csv", &bytes[..bytes.len() - 1])),
            "data.csv: cannot be read as UTF-16: it is cut short or damaged; the file is damaged or \
             of another kind"
        );
    }
}

#[test]
fn a_spreadsheet_is_known_by_its_first_bytes() {
    let folder = Folder::new();
    assert_eq!(
        folder.message(folder.table("data.csv", b"PK\x03\x04 and so on")),
        "data.csv: this is a spreadsheet, not a table of text; save the sheet as CSV (UTF-8) and give \
         that file"
    );
}

#[test]
fn an_unclosed_quote_is_named_by_the_line_it_opens_on() {
    let message = |line: u64| {
        format!(
            "data.csv, line {line}: a quote opens a field here and is not closed before the next one \
             opens or the file ends; close it, or write \"\" for a quote within quotes"
        )
    };
    let cases = [
        ("id,x,note\na,1,fine\nb,2,\"open\nc,3,lost\nd,4,lost\n", 3),
        ("id,x,note\na,1,\"open\nb,2,\"closed\"\nc,3,\"closed\"\n", 2),
        ("id,x,note\na,1,\"two\nlines\"\nb,2,\"", 4),
        ("\"id,x\na,1\n", 1),
    ];
    for (contents, line) in cases {
        assert_eq!(refused(contents, &TableOptions::default()), message(line), "{contents:?}");
    }
    let exclude = options(|options| options.exclude = named(&["note"]));
    let sound =
        read("id,x,note\na,1,\"say \"\"so\"\"\"\r\nb,2,\"two\nlines\"\nc,3,5\" tall\n", &exclude);
    assert_eq!(sound.ids, ["a", "b", "c"]);
}
