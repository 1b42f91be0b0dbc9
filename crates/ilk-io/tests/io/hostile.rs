//! No bytes may make a reader panic, whatever the file is named.

use ilk::ndarray::array;
use ilk::problem::Constraints;
use ilk_io::{Context, PartitionOptions, TableOptions, read_labels, read_partition, read_table};
use ndarray_npy::{NpzWriter, WriteNpyExt};
use proptest::prelude::*;

use crate::Folder;

fn read_as_everything(folder: &Folder, bytes: &[u8], endings: &[&str]) {
    for ending in endings {
        let path = folder.file(&format!("data.{ending}"), bytes);
        let _ = read_table(&path, &TableOptions::default());
        let _ = read_partition(&path, &PartitionOptions::default());
        let mut constraints = Constraints::new(3);
        let _ = read_labels(&path, &mut constraints, &Context::default());
        std::fs::remove_file(path).unwrap();
    }
}

fn sound_npy() -> Vec<u8> {
    let mut bytes = Vec::new();
    array![[1.0, 2.0], [3.0, 4.0]].write_npy(&mut bytes).unwrap();
    bytes
}

fn sound_npz() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut writer = NpzWriter::new_compressed(&mut bytes);
    writer.add_array("X", &array![[1.0, 2.0], [3.0, 4.0]]).unwrap();
    writer.finish().unwrap();
    bytes.into_inner()
}

fn changed(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    for (at, byte) in changes {
        let at = at.index(bytes.len());
        bytes[at] = *byte;
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)
}

/// At every byte, because the reader has panics that few random changes trigger.
#[cfg(feature = "parquet")]
#[test]
fn a_change_to_any_byte_of_a_parquet_file() {
    let folder = Folder::new();
    let sound = crate::parquet::sound();
    for at in 0..sound.len() {
        for flipped in [0x01, 0x40, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= flipped;
            read_as_everything(&folder, &bytes, &["parquet"]);
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_as_everything(&Folder::new(), &bytes, &["csv", "tsv", "jsonl", "npy", "npz", "parquet"]);
    }

    #[test]
    fn arbitrary_text(text in "[a-c,;\"\n\r\t0-9.{}:e-]{0,80}") {
        read_as_everything(&Folder::new(), text.as_bytes(), &["csv", "tsv", "jsonl"]);
    }

    #[test]
    fn damaged_arrays(changes in changes()) {
        read_as_everything(&Folder::new(), &changed(sound_npy(), &changes), &["npy"]);
        read_as_everything(&Folder::new(), &changed(sound_npz(), &changes), &["npz"]);
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn damaged_parquet(changes in changes()) {
        read_as_everything(&Folder::new(), &changed(crate::parquet::sound(), &changes), &["parquet"]);
    }
}
