//! The centres on their way, as one HTML file with nothing to fetch: an animation of a run that kept
//! snapshots of its centres, as in Fig. 3 of the paper on constrained mean shift.

mod frames;

use anyhow::Result;
use ilk::method::{AnyMethod, Method, MethodInfo};
use ilk_io::set_parameter;
use serde_json::json;

use crate::args::Setting;
use crate::failure::Usage;
use crate::plane::Plane;
use crate::plot::MarkerStyle;
use crate::run::Run;
use crate::text::{count, counted, escape, number};
use crate::tuning::has_parameter;
use frames::Animation;

/// At most this many frames make an animation, the first and the last included.
pub(crate) const MAX_FRAMES: usize = 100;
/// At most this many points are shown; with [`MAX_FRAMES`] that bounds the file to half a megabyte.
pub(crate) const MAX_POINTS: usize = 1_000;
/// At most this many cannot-links are shown.
const MAX_LINKS: usize = 200;
/// The snapshots of a run take no more memory than this.
const MAX_BYTES: usize = 256 << 20;

/// The parameter that asks a method for snapshots of its centres.
pub(crate) const HISTORY: &str = "history";

fn keeps_history(info: &MethodInfo) -> bool {
    has_parameter(info, HISTORY)
}

/// Refuses a method of whose run, with these settings, no animation can be made.
pub(crate) fn check(method: &AnyMethod, settings: &[Setting]) -> Result<()> {
    let info = method.info();
    if !keeps_history(info) {
        let able = AnyMethod::ALL.iter().filter(|info| keeps_history(info));
        let able: Vec<&str> = able.map(|info| info.name).collect();
        return Err(Usage(format!(
            "{} keeps no history of its centres, so --animate cannot be used; methods that do: {}",
            info.name,
            able.join(", ")
        ))
        .into());
    }
    if settings.iter().any(|set| set.key == HISTORY && set.value == "0") {
        let message = "--set history=0 keeps nothing that --animate could show; leave it out";
        return Err(Usage(message.to_owned()).into());
    }
    Ok(())
}

/// Asks a method for as many snapshots of `n` centres as an animation can show and memory should hold.
pub(crate) fn ask_for_history(method: &mut AnyMethod, n: usize, dims: usize) -> Result<()> {
    let bytes_each = size_of::<f64>().saturating_mul(n).saturating_mul(dims);
    let snapshots = (MAX_BYTES / bytes_each.max(1)).clamp(1, MAX_FRAMES);
    Ok(set_parameter(method, HISTORY, &snapshots.to_string())?)
}

/// The text of the file.
pub(crate) fn html(run: &Run) -> Result<String> {
    let plane = Plane::of(&run.loaded, run.labels())?;
    let animation = Animation::of(run, &plane)?;
    let title = crate::run_plot::title(run);
    let left = animation.frames.last().map_or(0, |frame| frame.distinct);
    let lede = format!(
        "Each of {} sends out a centre that climbs its own density, blind to what a cannot-link \
         keeps apart. Bandwidth: {}. After {}, {}.",
        counted(run.labels().len(), "point"),
        run.bandwidth().unwrap_or_else(|| "none".to_owned()),
        counted(run.fit.clustering.iterations, "iteration"),
        match left {
            1 => "one centre is left".to_owned(),
            _ => format!("{} distinct centres are left", count(left)),
        },
    );
    let notes: Vec<String> = notes(run, &plane, &animation)
        .iter()
        .map(|note| format!("<li>{}</li>\n", escape(note)))
        .collect();
    Ok(format!(
        include_str!("page.html"),
        title = escape(&title),
        style = [include_str!("../report/style.css"), include_str!("style.css")].concat(),
        lede = escape(&lede),
        last = animation.frames.len() - 1,
        notes = notes.concat(),
        // Within a script element only "<" could end it.
        animation = as_json(&animation).to_string().replace('<', "\\u003c"),
        player = include_str!("player.js"),
    ))
}

fn as_json(animation: &Animation) -> serde_json::Value {
    let frames: Vec<_> = animation
        .frames
        .iter()
        .map(|frame| {
            let bandwidth = match frame.bandwidth {
                Some(bandwidth) => format!("bandwidth {}, ", number(bandwidth)),
                None => String::new(),
            };
            let centers = counted(frame.distinct, "distinct centre");
            let caption = format!("iteration {}: {bandwidth}{centers}", count(frame.iteration));
            json!({"caption": caption, "bandwidth": frame.bandwidth, "places": animation.code(frame)})
        })
        .collect();
    let colors: Vec<String> =
        animation.labels.iter().map(|&label| MarkerStyle::of(label).color.to_string()).collect();
    json!({
        "frames": frames,
        "colors": colors,
        "links": animation.links,
        "axis_scale": animation.axis_scale,
        "aspect": frames::ASPECT,
    })
}

/// What a viewer should know about what is shown and what is not.
fn notes(run: &Run, plane: &Plane<'_>, animation: &Animation) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some([x, y]) = &plane.axes {
        notes.push(match plane.projected_from() {
            Some(dims) => format!(
                "The data have {} columns. This is their shadow on the two directions in which they \
                 spread most ({x}, {y}); centres that meet here may still be apart.",
                count(dims)
            ),
            None => format!("To the right: {x}. Upwards: {y}."),
        });
    }
    let (shown, all) = (animation.labels.len(), run.labels().len());
    if shown < all {
        notes.push(format!(
            "{} of {} points are shown, some of every cluster.",
            count(shown),
            count(all)
        ));
    }
    let (shown, all) = (animation.links.len(), run.constraints().cannot_links().len());
    if shown < all {
        notes.push(format!("{} of {} cannot-links are shown.", count(shown), count(all)));
    }
    if !run.constraints().labels().is_empty() {
        notes.push(
            "Points of different labels are kept apart as well; no lines are drawn for them."
                .to_owned(),
        );
    }
    let (shown, all) = (animation.frames.len() - 1, run.fit.clustering.iterations);
    if shown < all {
        notes.push(format!(
            "{} of {} iterations are shown, evenly spread; centres go straight in between.",
            count(shown),
            count(all)
        ));
    }
    notes
}
