//! Readers of every format on damaged files: each ends with a result or an error, never with a panic.
//!
//! A few cases run with all tests; `cargo xtask fuzz --seconds N` goes on for as long as asked. Cases are numbered: a seed and a
//! number give the same bytes everywhere.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ilk::method::{AnyMethod, Method};
use ilk::ndarray::{Array2, array};
use ilk::numerics::rng::{Rng, rng_stream};
use ilk::observe::Silent;
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::{
    Context, GraphOptions, MODEL_FORMAT, PartitionOptions, SavedModel, Scale, Summary,
    TableOptions, load_model, read_graph, read_image, read_labels, read_pairs, read_partition,
    read_scribbles, read_table, read_triplets,
};
use image::{DynamicImage, GrayImage, ImageFormat, Luma, RgbImage};
use ndarray_npy::{NpzWriter, WriteNpyExt};

use crate::Folder;

/// Cases where no time is given.
const FEW: u64 = 600;

/// Whole files from which damaged ones are made: those of the folder `corpus`, and binary ones that are made here.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut files: Vec<(String, Vec<u8>)> =
        paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect();
    files.extend([("points.npy".to_owned(), npy()), ("points.npz".to_owned(), npz())]);
    files.extend([("grey.png", ImageFormat::Png), ("colour.jpg", ImageFormat::Jpeg)].map(
        |(name, format)| {
            let image = match format {
                ImageFormat::Png => GrayImage::from_fn(9, 7, |x, y| Luma([(x * y) as u8])).into(),
                _ => DynamicImage::from(RgbImage::from_fn(17, 9, |x, y| {
                    image::Rgb([(x * 15) as u8, (y * 20) as u8, 7])
                })),
            };
            let mut bytes = Cursor::new(Vec::new());
            image.write_to(&mut bytes, format).unwrap();
            (name.to_owned(), bytes.into_inner())
        },
    ));
    #[cfg(feature = "parquet")]
    files.push(("points.parquet".to_owned(), crate::parquet::sound()));
    for method in ["mean-shift", "cms", "gaussian-mixture", "kernel-kmeans", "spectral", "skms"] {
        files.push((format!("{method}.ilk"), model(method)));
    }
    files
}

fn npy() -> Vec<u8> {
    let mut bytes = Vec::new();
    array![[1.0, 2.0], [3.0, 4.0]].write_npy(&mut bytes).unwrap();
    bytes
}

fn npz() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = NpzWriter::new_compressed(&mut bytes);
    writer.add_array("X", &array![[1.0, 2.0], [3.0, 4.0]]).unwrap();
    writer.finish().unwrap();
    bytes.into_inner()
}

/// The contents of a model file, to which an envelope with the right checksum is put after the damage.
fn model(name: &str) -> Vec<u8> {
    let rows = Array2::from_shape_fn((12, 2), |(i, j)| (i % 3 * 9 + j) as f64 + 0.1 * i as f64);
    let points = Points::new(rows).unwrap();
    let scaling = Scale::None.fit(&points);
    let mut constraints = Constraints::new(12);
    if name == "cms" || name == "skms" {
        constraints.must_link(0, 3).unwrap().cannot_link(0, 1).unwrap();
    }
    let mut method = AnyMethod::named(name).unwrap();
    if method.info().takes_clusters {
        ilk_io::set_parameter(&mut method, "n_clusters", "3").unwrap();
    }
    let fit = method.fit(&Problem::new(points, constraints).unwrap(), &Silent).unwrap();
    rmp_serde::to_vec_named(&SavedModel::new(&method, &fit, None, scaling)).unwrap()
}

/// The bytes of a file with some damage.
fn damaged(rng: &mut Rng, files: &[(String, Vec<u8>)], bytes: &[u8]) -> Vec<u8> {
    /// Bytes and words that mean something to a reader.
    const WORDS: [&[u8]; 22] = [
        b"\0",
        b"\xff",
        b"\x7f",
        b"\x80",
        b"\"",
        b",",
        b"\n",
        b"\r\n",
        b";",
        b"\t",
        b"nan",
        b"inf",
        b"-1",
        b"0",
        b"1e308",
        b"1e-320",
        b"99999999999999999999",
        b"\xff\xff\xff\xff",
        b"\x80\0\0\0",
        b"{",
        b"]",
        b"\xef\xbb\xbf",
    ];
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let to = (at + 1 + rng.below(8)).min(bytes.len());
        match rng.below(8) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            2 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            3 => drop(bytes.splice(at..to.max(at), [])),
            4 => {
                let again = bytes[at..to.max(at)].repeat(1 + rng.below(40));
                bytes.splice(at..at, again);
            }
            5 => {
                let (_, other) = &files[rng.below(files.len())];
                let from = rng.below(other.len() + 1);
                let part = other[from..other.len().min(from + 64)].to_vec();
                bytes.splice(at..to.max(at), part);
            }
            _ => {
                let word = WORDS[rng.below(WORDS.len())].to_vec();
                let to = if rng.below(2) == 0 { at } else { to.max(at) };
                bytes.splice(at..to, word);
            }
        }
    }
    bytes
}

/// The envelope of a model file.
fn envelope(contents: &[u8]) -> Vec<u8> {
    let mut body = MODEL_FORMAT.to_le_bytes().to_vec();
    body.extend(0_u32.to_le_bytes());
    body.extend((contents.len() as u64).to_le_bytes());
    body.extend((contents.len() as u64).to_le_bytes());
    body.extend(contents);
    let mut crc = flate2::Crc::new();
    crc.update(&body);
    [b"\x89ilk\r\n\x1a\n".to_vec(), crc.sum().to_le_bytes().to_vec(), body].concat()
}

/// A reader of constraints.
type Reader<'a> = &'a dyn Fn(&mut Constraints) -> ilk_io::Result<Summary>;

/// Reads a file as everything that a file of its name can be.
fn read(path: &Path) {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    match &*ending {
        "png" | "jpg" => {
            let _ = read_image(path);
            let _ = read_scribbles(path, 9, 7);
        }
        "ilk" => {
            if let Ok(model) = load_model(path) {
                let points = array![[0.5, 1.0], [9.0, -4.0], [1e9, 0.0]];
                let _ = model.predict(&Points::new(points).unwrap());
            }
        }
        _ => {
            let _ = read_table(path, &TableOptions::default());
            let _ = read_partition(path, &PartitionOptions::default());
            let _ = read_graph(path, &GraphOptions::default());
            let ids: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
            let context = Context::default();
            let readers: [Reader<'_>; 3] = [
                &|into| read_pairs(path, into, &context),
                &|into| read_triplets(path, into, &context),
                &|into| read_labels(path, into, &context),
            ];
            for read in readers {
                let mut constraints = Constraints::with_ids(&ids).unwrap();
                if read(&mut constraints).is_ok() {
                    let _ = constraints.check().explanations().count();
                }
            }
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn damaged_files_of_every_format_are_read_or_refused() {
    let seed = number("ILK_FUZZ_SEED").unwrap_or(1);
    let first = number("ILK_FUZZ_FIRST").unwrap_or(0);
    let limit = number("ILK_FUZZ_SECONDS").map(Duration::from_secs);
    let (files, folder, start) = (corpus(), Folder::new(), Instant::now());
    let mut faults = Vec::new();
    let mut case = first;
    while limit.map_or(case < first + FEW, |limit| start.elapsed() < limit) {
        let mut rng = rng_stream(seed, case);
        let (name, sound) = &files[rng.below(files.len())];
        let mut bytes = damaged(&mut rng, &files, sound);
        if Path::new(&name).extension().is_some_and(|ending| ending == "ilk") {
            bytes = envelope(&bytes);
        }
        let path = folder.file(name, &bytes);
        let begun = Instant::now();
        let panicked = catch_unwind(AssertUnwindSafe(|| read(&path))).is_err();
        let is_slow = limit.is_some() && begun.elapsed() > Duration::from_secs(30);
        if panicked || is_slow {
            let what = if panicked { "a panic" } else { "over 5 s" };
            faults.push(format!("seed {seed}, case {case}: {what} on {name}"));
            eprintln!("{}", faults[faults.len() - 1]);
        }
        case += 1;
    }
    eprintln!("{} damaged files with seed {seed}", case - first);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
