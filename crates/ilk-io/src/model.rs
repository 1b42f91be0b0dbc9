//! Model files: one format for Rust, the shell and Python.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the signature `\x89ilk\r\n\x1a\n`, which a transfer as text would damage |
//! | 4 | CRC-32 of everything after it |
//! | 4 | format of the contents |
//! | 4 | packing: 0 as they are, 1 deflate |
//! | 8 | length of the contents, unpacked |
//! | 8 | length of the contents, as stored |
//! | … | the contents: a [`SavedModel`] as `MessagePack` with named fields |
//!
//! Numbers are little-endian. This envelope is the same in all formats, so that a damaged file is
//! distinguished from one of another format.

use std::io::{Read, Write};
use std::path::Path;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use ilk::embed::SparseAxes;
use ilk::group::{Label, StopReason};
use ilk::method::AnyMethod;
use ilk::observe::{Observer, Silent};
use ilk::outcome::{AnyModel, Chosen, Fit};
use ilk::problem::Points;
use serde::{Deserialize, Serialize};

use crate::error::{ArrayProblem, ModelProblem, byte_size};
use crate::limit::max_unpacked;
use crate::scale::Scaling;
use crate::source::{open_file, read_to_end};
use crate::table::{Missing, Table, TableOptions, is_array, read_as_fitted};
use crate::write::write_file;
use crate::{Error, Result};

/// Values within values that a file may hold. Models nest a dozen; thousands would exhaust the stack.
const MAX_DEPTH: usize = 64;

const SIGNATURE: &[u8; 8] = b"\x89ilk\r\n\x1a\n";
const ENVELOPE: usize = 36;

/// The format of the contents that is written and read.
pub const MODEL_FORMAT: u32 = 2;

/// A fitted model with the method, the columns and the scaling that it was fitted with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedModel {
    /// The version of ilk that made it.
    pub ilk_version: String,
    /// The method and its parameters.
    pub method: AnyMethod,
    /// The columns that it was fitted on; none if they had no names.
    pub features: Option<Vec<String>>,
    /// The axes onto which sparse rows were projected before all else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<SparseAxes>,
    /// How the columns were scaled before the fit.
    pub scaling: Scaling,
    /// What gaps of each column were filled with before that, where they were; gaps of new rows are
    /// filled alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Vec<f64>>,
    /// Number of points it was fitted on.
    pub n_points: usize,
    /// The clusters of those points.
    pub labels: Vec<Label>,
    /// Iterations done by the fit.
    pub iterations: usize,
    /// Why the fit ended.
    pub stop: StopReason,
    /// The bandwidth that was used, for methods with one.
    pub bandwidth: Option<f64>,
    /// The parameters that the method chose by itself, such as a bandwidth.
    #[serde(default)]
    pub chosen: Vec<Chosen>,
    /// The model itself.
    pub model: AnyModel,
}

impl SavedModel {
    /// The model of a fit on columns with these names.
    pub fn new(
        method: &AnyMethod,
        fit: &Fit,
        features: Option<Vec<String>>,
        scaling: Scaling,
    ) -> Self {
        let clustering = &fit.clustering;
        Self {
            ilk_version: env!("CARGO_PKG_VERSION").to_owned(),
            method: method.clone(),
            features,
            axes: None,
            scaling,
            fill: None,
            n_points: clustering.labels.len(),
            labels: clustering.labels.clone(),
            iterations: clustering.iterations,
            stop: clustering.stop,
            bandwidth: clustering.bandwidth,
            chosen: clustering.chosen.clone(),
            model: fit.model.clone(),
        }
    }

    /// Reads new data: the columns that the model was fitted on, by name where both have names.
    pub fn read_table(&self, path: impl AsRef<Path>, options: &TableOptions) -> Result<Table> {
        let path = path.as_ref();
        let mut options = options.clone();
        if options.features.is_none() && !is_array(path) {
            options.features.clone_from(&self.features);
        }
        if self.fill.is_none() && options.missing.fills() {
            let missing = if options.missing == Missing::Mean { "mean" } else { "median" };
            return Err(Error::ModelFillsNoGaps { path: path.to_owned(), missing });
        }
        let table = read_as_fitted(path, &options, self.fill.as_deref(), self.axes.as_ref())?;
        // Sparse rows were projected as they were read.
        let dims = table.axes.as_ref().map_or(table.points.dims(), SparseAxes::dims);
        if table.axes.is_some() && self.axes.is_none() && table.points.dims() != dims {
            let reason = "the model was fitted on rows that are not sparse; save these as an array, by \
                          numpy.save(path, X.toarray())";
            let problem = ArrayProblem::Sparse { reason: reason.to_owned() };
            return Err(Error::Array { path: path.to_owned(), problem });
        }
        if dims == self.dims() {
            return Ok(table);
        }
        Err(Error::InFile {
            path: path.to_owned(),
            source: Box::new(ilk::Error::WrongDimensions { found: dims, expected: self.dims() }),
        })
    }

    /// Number of columns that new data must have.
    pub fn dims(&self) -> usize {
        self.axes.as_ref().map_or_else(|| self.model.dims(), SparseAxes::dims)
    }

    /// The clusters of new points, given in the units of the data.
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.predict_observed(points, &Silent)
    }

    /// As [`predict`](Self::predict), with an observer that sees progress and can cancel.
    pub fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
        let scaled = self.prepare(points)?;
        Ok(self.model.predict_observed(&scaled, observer)?)
    }

    /// New points as the model takes them: projected, unless they are along its axes already, and scaled as those of the fit
    /// were.
    pub fn prepare(&self, points: &Points) -> Result<Points> {
        match &self.axes {
            Some(axes) if points.dims() != axes.n_axes() => {
                self.scaling.apply(&axes.project_dense(points)?)
            }
            _ => self.scaling.apply(points),
        }
    }

    /// The bytes of a model file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let encoded = match &self.model {
            AnyModel::Foreign(foreign) => {
                rmp_serde::to_vec_named(&Self { model: foreign.save()?, ..self.clone() })
            }
            _ => rmp_serde::to_vec_named(self),
        };
        let plain = encoded.map_err(|error| Error::CannotEncode { reason: error.to_string() })?;
        let packed = deflate(&plain)?;
        let (packing, stored) =
            if packed.len() < plain.len() { (1_u32, &packed) } else { (0, &plain) };
        let mut bytes = Vec::with_capacity(ENVELOPE + stored.len());
        bytes.extend_from_slice(SIGNATURE);
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&MODEL_FORMAT.to_le_bytes());
        bytes.extend_from_slice(&packing.to_le_bytes());
        bytes.extend_from_slice(&(plain.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&(stored.len() as u64).to_le_bytes());
        bytes.extend_from_slice(stored);
        let sum = checksum(&bytes[12..]);
        bytes[8..12].copy_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }

    /// A model from the bytes of a file. It never panics, whatever the bytes are, and allocates no more
    /// memory than they need.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        decode(bytes, "the data")
    }
}

/// Saves a model; an older file is replaced only when the new one is complete.
pub fn save_model(path: impl AsRef<Path>, model: &SavedModel) -> Result<()> {
    let bytes = model.to_bytes()?;
    write_file(path, |out| out.write_all(&bytes))
}

/// Loads a model.
pub fn load_model(path: impl AsRef<Path>) -> Result<SavedModel> {
    let path = path.as_ref();
    let bytes = read_to_end(open_file(path)?, path)?;
    decode(&bytes, &path.display().to_string())
}

fn decode(bytes: &[u8], origin: &str) -> Result<SavedModel> {
    let fails = |problem| Error::Model { origin: origin.to_owned(), problem };
    let damaged = |reason: String| fails(ModelProblem::Damaged { reason });
    if !bytes.starts_with(SIGNATURE) {
        return Err(fails(ModelProblem::NotAModel));
    }
    let Some((envelope, stored)) = bytes.split_first_chunk::<ENVELOPE>() else {
        return Err(damaged("it ends within its first bytes".to_owned()));
    };
    let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| envelope[at + i]));
    let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| envelope[at + i]));
    let (sum, format, packing) = (short(8), short(12), short(16));
    let (plain_length, stored_length) = (long(20), long(28));
    if (stored.len() as u64) < stored_length {
        let reason = format!("{} of {stored_length} bytes are there", stored.len());
        return Err(damaged(reason));
    }
    if checksum(&bytes[12..]) != sum {
        return Err(damaged("its checksum does not fit".to_owned()));
    }
    if format > MODEL_FORMAT {
        return Err(fails(ModelProblem::TooNew { found: format, newest: MODEL_FORMAT }));
    }
    if format < MODEL_FORMAT {
        return Err(fails(ModelProblem::TooOld { found: format, expected: MODEL_FORMAT }));
    }
    let unpacked;
    let plain = match packing {
        0 => stored,
        1 if plain_length > max_unpacked() => {
            let reason = format!(
                "it unpacks to {plain_length} bytes, and at most {} are read (--max-unpacked raises that)",
                byte_size(max_unpacked())
            );
            return Err(damaged(reason));
        }
        1 => {
            unpacked = inflate(stored, plain_length).map_err(|e| damaged(e.to_string()))?;
            &unpacked
        }
        other => return Err(damaged(format!("packing {other} is unknown"))),
    };
    if plain.len() as u64 != plain_length {
        return Err(damaged("its contents have another length".to_owned()));
    }
    let mut reader = rmp_serde::Deserializer::from_read_ref(plain);
    reader.set_max_depth(MAX_DEPTH);
    let saved = SavedModel::deserialize(&mut reader).map_err(|error| damaged(error.to_string()))?;
    saved.check().map_err(damaged)?;
    Ok(saved)
}

impl SavedModel {
    /// Fails where the parts contradict each other.
    fn check(&self) -> std::result::Result<(), String> {
        if let Some(axes) = self.axes.as_ref().filter(|axes| axes.n_axes() != self.model.dims()) {
            let (axes, dims) = (axes.n_axes(), self.model.dims());
            return Err(format!(
                "it has {axes} axes of sparse rows, but places points by {dims} columns"
            ));
        }
        let dims = self.model.dims();
        let scaled = self.scaling.dims();
        if scaled != dims {
            return Err(format!("it has {dims} columns, but scales {scaled}"));
        }
        let dims = self.dims();
        if let Some(features) = self.features.as_ref().filter(|f| f.len() != dims) {
            return Err(format!("it has {dims} columns, but names {}", features.len()));
        }
        if let Some(fill) = &self.fill
            && (fill.len() != dims || !fill.iter().all(|value| value.is_finite()))
        {
            return Err("what it fills gaps with does not fit its columns".to_owned());
        }
        if self.labels.len() != self.n_points {
            return Err(format!(
                "it was fitted on {} points, but labels {}",
                self.n_points,
                self.labels.len()
            ));
        }
        let clusters = self.model.n_clusters();
        if let Some(label) = self.labels.iter().flatten().find(|&&label| label >= clusters) {
            return Err(format!("it has {clusters} clusters, but a point in cluster {label}"));
        }
        Ok(())
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn deflate(plain: &[u8]) -> Result<Vec<u8>> {
    let pack = || -> std::io::Result<Vec<u8>> {
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(plain)?;
        encoder.finish()
    };
    pack().map_err(|error| Error::CannotEncode { reason: error.to_string() })
}

/// Unpacks at most one byte more than expected, enough to notice that the length is wrong.
fn inflate(packed: &[u8], expected: u64) -> std::io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    DeflateDecoder::new(packed).take(expected.saturating_add(1)).read_to_end(&mut plain)?;
    Ok(plain)
}
