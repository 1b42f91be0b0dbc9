//! `ilk segment`: images in, images and a table out.

use crate::common::{Sandbox, methods};
use ilk::image::{DEFAULT_METHOD, DEFAULT_METHOD_WITH_SCRIBBLES, Image, LabelMap};
use ilk_io::{read_image, write_image, write_label_image};

/// With `flag.png`: three stripes of 10 x 8 pixels, dark red, mid grey, light blue; `scribbles.png`, which
/// puts the grey stripe with the blue one; and `one.png` with a single scribble.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let colours = [[0.5, 0.0, 0.0], [0.5, 0.5, 0.5], [0.6, 0.8, 1.0]];
    let values = (0..8 * 30).flat_map(|at| colours[at % 30 / 10]).collect();
    let flag = Image::new(30, 8, 3, values).expect("an image");
    write_image(sandbox.file("flag.png"), &flag).expect("written");
    for (name, right) in [("scribbles.png", 2), ("one.png", 1)] {
        let scribble = |at: usize| match (at / 30, at % 30) {
            (3, 2..8) => 1,
            (3, 12..28) => right,
            _ => 0,
        };
        let scribbles = LabelMap::new(30, 8, (0..8 * 30).map(scribble).collect());
        write_label_image(sandbox.file(name), &scribbles.expect("a map")).expect("written");
    }
    sandbox
}

fn labels(sandbox: &Sandbox, name: &str) -> Vec<u8> {
    let read = read_image(sandbox.file(name)).expect("an image").image;
    assert_eq!(read.channels(), 1);
    let values = read.values().iter();
    values.map(|value| (255.0 * value).round() as u8).collect()
}

#[test]
fn all_images_and_a_table_are_written() {
    let sandbox = sandbox();
    let ended = sandbox.ok(
        "segment flag.png --clusters 3 --method kmeans --coordinate-scale 0.1 --out labels.png --means means.png \
         --boundaries boundaries.png --palette palette.png",
    );
    let labels = labels(&sandbox, "labels.png");
    for (at, label) in labels.iter().enumerate() {
        assert_eq!(*label, labels[at % 30 / 10 * 10], "{at}");
    }
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", ended.out);
    let heads: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(heads, ["segment", "pixels", "share", "mean", "colour"]);
    assert!(ended.out.contains("80  33.33%      #800000"), "{}", ended.out);
    assert!(ended.err.contains("image        30 x 8 pixels, colour, from flag.png\n"));
    assert!(ended.err.contains("kmeans       3 segments; converged after "));
    assert!(ended.err.contains("wrote        palette.png\n"));
    // Flat colours are their own means.
    let flag = read_image(sandbox.file("flag.png")).expect("read").image;
    let means = read_image(sandbox.file("means.png")).expect("read").image;
    assert_eq!(means, flag);
    let drawn = read_image(sandbox.file("boundaries.png")).expect("read").image;
    for at in 0..240 {
        let expected: &[f32] = match at % 30 {
            9 | 19 => &[1.0, 1.0, 0.0],
            _ => flag.pixel(at),
        };
        assert_eq!(drawn.pixel(at), expected, "{at}");
    }
}

#[test]
fn scribbles_say_how_many_segments_there_are_and_which_colours_belong_together() {
    let sandbox = sandbox();
    let json = sandbox.json("segment flag.png --scribbles scribbles.png --out labels.png");
    assert_eq!(json["method"], DEFAULT_METHOD_WITH_SCRIBBLES);
    assert_eq!(json["n_segments"], 2);
    assert_eq!(json["pooled"], serde_json::Value::Null);
    assert_eq!(json["scribbles"][0]["pixels"], 6);
    assert_eq!(json["scribbles"][1]["held"], 16);
    let labels = labels(&sandbox, "labels.png");
    assert_eq!(labels[15], labels[25]);
    assert_ne!(labels[5], labels[15]);
}

#[test]
fn pooling_is_reported() {
    let sandbox = sandbox();
    let ended = sandbox.ok("segment flag.png --clusters 3 --method kmeans --max-pixels 30");
    assert!(
        ended.err.contains(
            "pooled       240 pixels into 24 pools of about 3 x 3, since there are more than 30; kmeans counts \
             each as its pixels, and every pixel has the segment of its pool\n"
        ),
        "{}",
        ended.err
    );
    let json =
        sandbox.json("segment flag.png --clusters 3 --method kmeans --max-pixels 30 --quiet");
    assert_eq!(json["pooled"]["side"], 3);
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let sandbox = sandbox();
    let run = "segment flag.png --clusters 2 --method kmeans --seed 5 --max-pixels 100";
    sandbox.ok(&format!("{run} --out a.png --threads 1"));
    sandbox.ok(&format!("{run} --out b.png --threads 3"));
    let bytes = |name: &str| std::fs::read(sandbox.file(name)).expect("a file");
    assert_eq!(bytes("a.png"), bytes("b.png"));
}

#[test]
fn mistakes_are_named() {
    let sandbox = sandbox();
    sandbox.write("data.csv", "id,x\na,1\n");
    sandbox.refused(
        "segment flag.png --scribbles one.png",
        2,
        "one scribble separates nothing; draw another in another value or colour, or add --clusters K",
    );
    sandbox.refused(
        "segment flag.png --clusters 2 --method kmeans --out flag.png",
        2,
        "--out flag.png would overwrite an input; choose another name",
    );
    sandbox.refused(
        "segment data.csv --clusters 2",
        1,
        "data.csv: cannot be read as PNG or JPEG: its first bytes are those of neither; the file is damaged or of \
         another kind",
    );
    sandbox.refused(
        "segment flag.png --method kmeans --clusters 241",
        1,
        "241 clusters were asked for, but there are only 240 points",
    );
    let able = methods(|info| info.supervision.contains(&ilk::problem::ConstraintKind::Label));
    let ended = sandbox.run("segment flag.png --scribbles scribbles.png --method kmeans");
    let message = format!("error: kmeans cannot use label constraints; methods that can: {able}\n");
    assert!(ended.err.ends_with(&message), "{}", ended.err);
    assert_eq!(ended.code, Some(1));
}

#[test]
fn help_names_the_methods_for_images() {
    let help = Sandbox::new().ok("segment --help").out;
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!(
        "[default: {DEFAULT_METHOD}, with scribbles {DEFAULT_METHOD_WITH_SCRIBBLES}]"
    )));
}
