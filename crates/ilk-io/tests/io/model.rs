use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use ilk::embed::SparseAxes;
use ilk::group::Label;
use ilk::method::{AnyMethod, Method};
use ilk::ndarray::{Array2, array};
use ilk::observe::{Event, Observer, Silent};
use ilk::outcome::{AnyModel, MergedModel, Model};
use ilk::problem::{Points, Problem, SparsePoints};
use ilk_io::{Error, MODEL_FORMAT, SavedModel, Scale, TableOptions, load_model, save_model};
use proptest::prelude::*;

use crate::Folder;

fn data() -> Array2<f64> {
    array![[0.0, 10.0], [0.1, 11.0], [5.0, 90.0], [5.1, 91.0], [0.05, 10.5]]
}

fn saved() -> SavedModel {
    let points = Points::new(data()).unwrap();
    let scaling = Scale::Standard.fit(&points);
    let problem = Problem::unsupervised(scaling.apply(&points).unwrap());
    let mut method = AnyMethod::named("mean-shift").unwrap();
    ilk_io::set_parameter(&mut method, "bandwidth", "0.3").unwrap();
    let fit = method.fit(&problem, &Silent).unwrap();
    let names = vec!["x".to_owned(), "y".to_owned()];
    SavedModel::new(&method, &fit, Some(names), scaling)
}

#[test]
fn a_model_comes_back_as_it_was() {
    let folder = Folder::new();
    let model = saved();
    save_model(folder.path("m.ilk"), &model).unwrap();
    let loaded = load_model(folder.path("m.ilk")).unwrap();
    assert_eq!(loaded, model);
    assert_eq!(SavedModel::from_bytes(&model.to_bytes().unwrap()).unwrap(), model);
    assert_eq!(folder.names(), ["m.ilk"]);
}

#[test]
fn a_model_of_sparse_rows_takes_dense_ones_of_all_columns() {
    let mut wide = Array2::zeros((40, 150));
    for i in 0..40 {
        wide[[i, 75 * (i % 2) + i]] = 1.0;
        wide[[i, 75 * (i % 2)]] = 3.0;
    }
    let cells = wide.indexed_iter().filter(|(_, value)| **value != 0.0);
    let (columns, values): (Vec<usize>, Vec<f64>) =
        cells.map(|((_, j), &value)| (j, value)).unzip();
    let n_values = wide.rows().into_iter().map(|row| row.iter().filter(|x| **x != 0.0).count());
    let offsets = n_values.scan(0, |end, n| {
        *end += n;
        Some(*end)
    });
    let offsets: Vec<usize> = std::iter::once(0).chain(offsets).collect();
    let sparse = SparsePoints::from_parts(150, &offsets, &columns, &values).unwrap();
    let axes = SparseAxes::fit(&sparse.clone().unit_rows(), 2, &Silent).unwrap();
    let points = axes.project(&sparse).unwrap();
    let scaling = Scale::Unit.fit(&points);
    let mut method = AnyMethod::named("kmeans").unwrap();
    ilk_io::set_parameter(&mut method, "n_clusters", "2").unwrap();
    let problem = Problem::unsupervised(scaling.apply(&points).unwrap());
    let fit = method.fit(&problem, &Silent).unwrap();
    let model = SavedModel { axes: Some(axes), ..SavedModel::new(&method, &fit, None, scaling) };
    let again = SavedModel::from_bytes(&model.to_bytes().unwrap()).unwrap();
    assert_eq!(again, model);
    assert_eq!(again.dims(), 150);
    assert_eq!(again.predict(&Points::new(wide * 7.0).unwrap()).unwrap(), model.labels);
    assert_eq!(model.labels[..4], [Some(0), Some(1), Some(0), Some(1)]);
    let axes = SparseAxes::fit(&sparse, 1, &Silent).unwrap();
    let wrong = SavedModel { axes: Some(axes), ..model }.to_bytes().unwrap();
    assert_eq!(
        SavedModel::from_bytes(&wrong).unwrap_err().to_string(),
        "the data is a damaged ilk model: it has 1 axes of sparse rows, but places points by 2 columns; make it anew, \
         or take it from a backup"
    );
}

#[test]
fn a_model_takes_data_in_its_own_units_and_by_name() {
    let folder = Folder::new();
    let model = saved();
    let path = folder.file("new.csv", "y,name,x\n90.5,p,5.05\n10.5,q,0.05\n");
    let table = model.read_table(path, &TableOptions::default()).unwrap();
    assert_eq!(table.points.row(0), [5.05, 90.5]);
    let labels = model.predict(&table.points).unwrap();
    assert_eq!(labels, [model.labels[2], model.labels[0]]);
    assert_ne!(labels[0], labels[1]);
}

#[test]
fn a_prediction_can_be_observed_and_cancelled() {
    let model = saved();
    let points = Points::new(data()).unwrap();
    let finished = AtomicUsize::new(0);
    let observer = |event: &Event| {
        finished.fetch_max(event.finished, Ordering::SeqCst);
        ControlFlow::Continue(())
    };
    let labels = model.predict_observed(&points, &observer).unwrap();
    assert_eq!(labels, model.labels);
    assert_eq!(finished.into_inner(), points.len());
    let stop = |_: &Event| ControlFlow::Break(());
    let cancelled = model.predict_observed(&points, &stop);
    let Err(Error::Engine(error)) = cancelled else {
        panic!("{cancelled:?}");
    };
    assert!(matches!(*error, ilk::Error::Cancelled { .. }), "{error}");
}

#[test]
fn new_data_must_have_the_columns_of_the_model() {
    let folder = Folder::new();
    let model = saved();
    let default = TableOptions::default();
    let path = folder.file("new.csv", "x,z\n1,2\n");
    assert_eq!(
        folder.message(model.read_table(path, &default)),
        "new.csv: there is no column \"y\"; the columns are \"x\", \"z\""
    );
    let path = folder.path("new.npy");
    ndarray_npy::write_npy(&path, &array![[1.0, 2.0, 3.0]]).unwrap();
    assert_eq!(
        folder.message(model.read_table(path, &default)),
        "new.npy: the new points have 3 columns, but the model was fitted on 2"
    );
}

#[test]
fn a_model_of_repeating_numbers_is_packed() {
    let mut model = saved();
    let small = model.to_bytes().unwrap().len();
    model.labels = vec![Some(0); 100_000];
    model.n_points = 100_000;
    assert!(model.to_bytes().unwrap().len() < small + 1000);
    assert_eq!(SavedModel::from_bytes(&model.to_bytes().unwrap()).unwrap(), model);
}

/// The bytes of a sound model with another format number and a checksum that fits.
fn of_format(format: u32) -> Vec<u8> {
    let mut bytes = saved().to_bytes().unwrap();
    bytes[12..16].copy_from_slice(&format.to_le_bytes());
    let mut crc = flate2::Crc::new();
    crc.update(&bytes[12..]);
    bytes[8..12].copy_from_slice(&crc.sum().to_le_bytes());
    bytes
}

#[test]
fn each_fault_of_a_model_has_its_message() {
    let folder = Folder::new();
    let sound = saved().to_bytes().unwrap();
    let message = |bytes: &[u8]| folder.message(load_model(folder.file("m.ilk", bytes)));
    let foreign = "m.ilk is not an ilk model; give a file that was written by `ilk cluster \
                   --model` or `save`";
    assert_eq!(message(b""), foreign);
    assert_eq!(message(b"id,x\n1,2\n"), foreign);
    assert_eq!(message(&sound[..7]), foreign);
    let damaged = |reason: &str| {
        format!("m.ilk is a damaged ilk model: {reason}; make it anew, or take it from a backup")
    };
    assert_eq!(message(&sound[..20]), damaged("it ends within its first bytes"));
    let stored = sound.len() - 36;
    assert_eq!(
        message(&sound[..sound.len() - 1]),
        damaged(&format!("{} of {stored} bytes are there", stored - 1))
    );
    let mut longer = sound.clone();
    longer.push(0);
    assert_eq!(message(&longer), damaged("its checksum does not fit"));
    let mut flipped = sound.clone();
    flipped[100] ^= 1;
    assert_eq!(message(&flipped), damaged("its checksum does not fit"));
    assert_eq!(
        message(&of_format(MODEL_FORMAT + 1)),
        format!(
            "m.ilk is an ilk model of format 3, but this is ilk {}, which knows formats up to 2; \
             update ilk",
            env!("CARGO_PKG_VERSION")
        )
    );
    assert_eq!(
        message(&of_format(1)),
        format!(
            "m.ilk is an ilk model of format 1, but this is ilk {}, which reads format 2; fit it \
             again with this version",
            env!("CARGO_PKG_VERSION")
        )
    );
    assert_eq!(
        folder.message(load_model(folder.path("absent.ilk"))),
        "absent.ilk: there is no such file; check the name and the folder"
    );
    assert_eq!(
        SavedModel::from_bytes(b"?").unwrap_err().to_string(),
        "the data is not an ilk model; give a file that was written by `ilk cluster --model` or \
         `save`"
    );
}

#[test]
fn a_model_whose_parts_do_not_fit_is_damaged() {
    let mut model = saved();
    model.scaling.offset.pop();
    assert!(SavedModel::from_bytes(&model.to_bytes().unwrap()).is_err());
    let mut model = saved();
    model.scaling.factor[1] = 0.0;
    assert!(SavedModel::from_bytes(&model.to_bytes().unwrap()).is_err());
    let mut model = saved();
    model.scaling.offset[0] = f64::NAN;
    assert!(SavedModel::from_bytes(&model.to_bytes().unwrap()).is_err());
    let mut model = saved();
    model.labels.pop();
    assert!(SavedModel::from_bytes(&model.to_bytes().unwrap()).is_err());
    let mut model = saved();
    model.labels[0] = Some(model.model.n_clusters());
    assert!(SavedModel::from_bytes(&model.to_bytes().unwrap()).is_err());
    let mut model = saved();
    model.features = Some(vec!["x".to_owned()]);
    let error = SavedModel::from_bytes(&model.to_bytes().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the data is a damaged ilk model: it has 2 columns, but names 1; make it anew, or take it \
         from a backup"
    );
}

#[test]
fn a_model_that_is_nested_too_deeply_is_refused() {
    let mut model = saved();
    let clusters: Vec<Label> = (0..model.model.n_clusters()).map(Some).collect();
    for _ in 0..100 {
        model.model = MergedModel::new(model.model, clusters.clone()).into();
    }
    let error = SavedModel::from_bytes(&model.to_bytes().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the data is a damaged ilk model: depth limit exceeded; make it anew, or take it from a backup"
    );
}

#[derive(Debug)]
struct Constant {
    saves: bool,
}

impl Model for Constant {
    fn n_clusters(&self) -> usize {
        2
    }

    fn dims(&self) -> usize {
        2
    }

    fn predict_observed(&self, points: &Points, _: &dyn Observer) -> ilk::Result<Vec<Label>> {
        Ok(vec![Some(0); points.len()])
    }

    fn save(&self) -> ilk::Result<AnyModel> {
        if self.saves { Ok(saved().model) } else { Ok(AnyModel::foreign(Self { saves: false })) }
    }
}

#[test]
fn a_foreign_model_is_saved_as_what_it_says_or_not_at_all() {
    let mut model = saved();
    model.model = AnyModel::foreign(Constant { saves: true });
    let loaded = SavedModel::from_bytes(&model.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded, saved());
    model.model = AnyModel::foreign(Constant { saves: false });
    assert_eq!(model, model.clone());
    assert_eq!(
        model.to_bytes().unwrap_err().to_string(),
        "the model cannot be saved: a model file cannot use the model of a foreign method; the \
         crate that defines the model has to save it"
    );
}

/// Any contents with a matching checksum: what the checksum does not detect must not panic either.
fn envelope(packing: u32, plain_length: u64, contents: &[u8]) -> Vec<u8> {
    let mut body = MODEL_FORMAT.to_le_bytes().to_vec();
    body.extend(packing.to_le_bytes());
    body.extend(plain_length.to_le_bytes());
    body.extend((contents.len() as u64).to_le_bytes());
    body.extend(contents);
    let mut crc = flate2::Crc::new();
    crc.update(&body);
    [b"\x89ilk\r\n\x1a\n".to_vec(), crc.sum().to_le_bytes().to_vec(), body].concat()
}

#[test]
fn any_flipped_bit_is_found() {
    let sound = saved().to_bytes().unwrap();
    for at in 0..sound.len() {
        for bit in 0..8 {
            let mut bytes = sound.clone();
            bytes[at] ^= 1 << bit;
            assert!(SavedModel::from_bytes(&bytes).is_err(), "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn a_length_beyond_all_memory_is_refused() {
    for packing in [0, 1] {
        let bytes = envelope(packing, u64::MAX, b"\x03\x00");
        assert!(SavedModel::from_bytes(&bytes).is_err());
    }
    // MessagePack that promises an array of 2^32 - 1 entries.
    let bytes = envelope(0, 5, b"\xdd\xff\xff\xff\xff");
    assert!(SavedModel::from_bytes(&bytes).is_err());
}

proptest! {
    #[test]
    fn no_bytes_make_loading_panic(
        contents in prop::collection::vec(any::<u8>(), 0..300),
        packing in 0..3u32,
        plain_length in prop_oneof![0..400u64, Just(u64::MAX)],
    ) {
        let _ = SavedModel::from_bytes(&contents);
        let _ = SavedModel::from_bytes(&envelope(packing, plain_length, &contents));
    }

    #[test]
    fn changed_contents_under_a_checksum_that_fits_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let model = saved();
        let mut contents = rmp_serde::to_vec_named(&model).unwrap();
        for (at, byte) in changes {
            let at = at.index(contents.len());
            contents[at] = byte;
        }
        let bytes = envelope(0, contents.len() as u64, &contents);
        if let Ok(changed) = SavedModel::from_bytes(&bytes) {
            let _ = changed.predict(&Points::new(data()).unwrap());
        }
    }
}
