//! `ilk formats`: every file that the command reads or writes, with an example.

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use crate::terminal::{self, Terminal};
use crate::text::wrap;

#[derive(Debug, Args)]
#[command(after_help = text())]
pub(crate) struct FormatsArgs {}

pub(crate) fn run(_: &FormatsArgs, terminal: &Terminal) -> Result<()> {
    if terminal.json() {
        let all = FORMATS.iter().map(Format::as_json);
        return terminal::result_json(&all.collect::<Vec<Value>>());
    }
    terminal::result(|out| out.write_all(text().as_bytes()))
}

/// A kind of file.
struct Format {
    /// What the examples of the help call it.
    file: &'static str,
    /// Which commands and options take it.
    used_by: &'static str,
    about: &'static str,
    /// A whole file; nothing for files that are no text.
    example: &'static str,
}

/// What holds for all text files.
const INTRODUCTION: &str = "Text files are UTF-8 (or UTF-16) CSV with a header; columns may also be separated by tabs \
     (.tsv) or semicolons, and any file may be packed with gzip (.gz). The same columns are read from JSON lines (.jsonl) \
     and Parquet (.parquet). Ids are text: 7 and 07 are two ids. Columns that a file does not need are passed over. - stands \
     for stdin or stdout.";

const FORMATS: [Format; 10] = [
    Format {
        file: "data.csv",
        used_by: "ilk cluster, predict, explain, neighbors",
        about: "The rows: a column of ids, called id or chosen by --id, and columns of numbers. Rows without ids are numbered \
                from 0. Arrays of numpy (.npy, .npz) are read too, and sparse rows that scipy.sparse.save_npz wrote (.npz), such as \
                TF-IDF: these are projected onto the 100 axes that keep most of their squared lengths. --one-hot, --missing, --exclude and --features say what to do \
                with the rest.",
        example: "id,length,width\nfly,0.1,0.2\nbee,0.2,0.1\nant,0.1,0.1\nowl,5.1,5.0\nemu,5.0,5.2\n",
    },
    Format {
        file: "pairs.csv",
        used_by: "--pairs",
        about: "Whether two rows belong together: must-link, cannot-link or skip. Also read: ml and cl, 1 and -1, same and \
                different, match and distinct; the headers id_1,id_2 and unique_id_l,unique_id_r. Optional: weight, a number above \
                0; confidence, from 0 to 1, by which the weight is multiplied; source or annotator.",
        example: "id_a,id_b,relation,confidence\nfly,bee,must-link,1\nbee,owl,cannot-link,0.8\nant,emu,skip,\n",
    },
    Format {
        file: "triplets.csv",
        used_by: "--triplets",
        about: "Which of three rows is the odd one: a, b or c for the column, or its id; equal where all three differ as much; \
                or skip. Also read: anchor,near,far and head,winner,loser, where the first is closer to the second than to the \
                third. Optional: weight, confidence, source or annotator.",
        example: "id_a,id_b,id_c,answer\nfly,bee,owl,c\nowl,emu,ant,ant\nfly,bee,ant,equal\n",
    },
    Format {
        file: "labels.csv",
        used_by: "--labels",
        about: "The labels of some rows; an empty one says nothing. Rows of one label belong together, rows of two do not. \
                Optional: weight, confidence, source or annotator.",
        example: "id,label\nfly,insect\nowl,bird\nemu,\n",
    },
    Format {
        file: "truth.csv",
        used_by: "--truth, ilk evaluate",
        about: "The right answer for all rows or some, to score by: a column called cluster, label or class, or the only one \
                beside the ids. --truth also takes the name of a column of the data.",
        example: "id,class\nfly,insect\nbee,insect\nant,insect\nowl,bird\nemu,bird\n",
    },
    Format {
        file: "clusters.csv",
        used_by: "written by ilk cluster, graph and predict; ilk evaluate, explain",
        about: "The cluster of every row, empty for none. confidence and runner_up come from methods that tell them; violations \
                counts the answers about the row that the clusters break. --keep repeats the columns of the data.",
        example: "id,cluster,confidence,runner_up,is_noise,is_constrained,violations\nfly,0,0.981,1,false,true,0\nbee,0,0.975,1,false,true,0\nant,0,0.970,1,false,false,0\nowl,1,0.990,0,false,true,0\nemu,,0.500,1,true,false,0\n",
    },
    Format {
        file: "edges.csv",
        used_by: "ilk graph, written by ilk neighbors",
        about: "The edges of a graph, each in one direction or both; without a weight it is 1. Also read: source,target and \
                from,to and src,dst and id_a,id_b and id_1,id_2 and node_1,node_2; and files with any other ending, in which a \
                line has two ids and perhaps a weight, with blanks between, and # or % start a comment.",
        example: "u,v,weight\nfly,bee,2\nbee,ant,1\nfly,ant,1.5\nowl,emu,3\nant,owl,0.1\n",
    },
    Format {
        file: "nodes.csv",
        used_by: "ilk graph --nodes",
        about: "The nodes of a graph, for those without edges or for their order.",
        example: "id\nfly\nbee\nant\nowl\nemu\ncow\n",
    },
    Format {
        file: "scribbles.png",
        used_by: "ilk segment --scribbles",
        about: "Strokes on an image, in a PNG of its size: a copy of the image with strokes drawn over it in plain colours; or \
                black or transparent with strokes in any colour; or grey, where 0 is nothing and every other value a stroke.",
        example: "",
    },
    Format {
        file: "model.ilk",
        used_by: "written by --model; ilk predict, explain",
        about: "A fitted model with what it needs to place new rows: the columns it was fitted on, how they were scaled and \
                filled. Python reads it too (ilk.load). It is binary and packed, and checked when it is read.",
        example: "",
    },
];

impl Format {
    fn as_json(&self) -> Value {
        let example = Some(self.example).filter(|example| !example.is_empty());
        json!({ "file": self.file, "used_by": self.used_by, "about": self.about, "example": example })
    }
}

/// All of it, for people.
fn text() -> String {
    let mut parts = vec![wrap(INTRODUCTION, 0), String::new()];
    for format in &FORMATS {
        parts.push(format!("{} ({})", format.file, format.used_by));
        parts.push(wrap(format.about, 2));
        if !format.example.is_empty() {
            parts.push(String::new());
            parts.extend(format.example.lines().map(|line| format!("    {line}")));
        }
        parts.push(String::new());
    }
    parts.join("\n")
}
