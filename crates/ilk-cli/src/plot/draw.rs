//! The parts of the plot, from back to front.

use ilk::group::Label;

use super::axis::{Axis, same_scale};
use super::canvas::{Anchor, Canvas, Font, Place, Stroke};
use super::frame::{FRAME, Frame, LEGEND, View, headline};
use super::palette::{BROKEN, Color, INK, Marker, MarkerStyle, PAPER, QUIET};
use super::sample::sample;
use super::{Link, MAX_EDGES, MAX_LINKS, MAX_POINTS, SIZE, Scatter};
use crate::text::{count, counted};

/// How the edges of a graph are drawn.
const EDGE: Stroke = Stroke { color: QUIET, width: 0.6, opacity: 0.3, is_dashed: false };

/// The frames of two plots side by side.
const FRAMES: [Frame; 2] = [
    Frame { left: 16.0, top: 74.0, right: 470.0, bottom: 456.0 },
    Frame { left: 490.0, top: 74.0, right: 944.0, bottom: 456.0 },
];
/// Clusters that the legend names.
const MAX_NAMED: usize = 36;
/// Links that are drawn at full strength.
const FEW_LINKS: f64 = 80.0;
/// The height of a line of the legend, and that of all of them at most.
const LEGEND_LINE: f64 = 20.0;
const LEGEND_HEIGHT: f64 = 510.0;
/// Modes that show the number of their cluster; more would cover the points.
const MAX_BADGES: usize = 60;

/// A plot by itself, with its axes and a legend.
pub(super) fn scatter(canvas: &mut Canvas, scatter: &Scatter<'_>) {
    let view = view(scatter, FRAME);
    title(canvas, scatter, FRAME, SIZE.0);
    grid(canvas, scatter, &view, true);
    if let Some(names) = &scatter.axes {
        FRAME.name_axes(canvas, names);
    }
    let (drawn, hidden) = data(canvas, scatter, &view);
    legend(canvas, scatter);
    footnote(canvas, scatter, drawn, hidden);
}

/// Two plots side by side, with what the marks mean in a line below.
pub(super) fn pair(canvas: &mut Canvas, plots: [&Scatter<'_>; 2]) {
    for (&plot, frame) in plots.iter().zip(FRAMES) {
        let view = view(plot, frame);
        title(canvas, plot, frame, frame.right);
        grid(canvas, plot, &view, false);
        data(canvas, plot, &view);
    }
    if plots.iter().all(|it| it.modes.is_empty() && it.links.is_empty()) {
        return;
    }
    let y = FRAMES[0].bottom + 24.0;
    let write = |canvas: &mut Canvas, x: f64, text: &str| {
        let font = Font::new(13.0, QUIET, Anchor::Start);
        canvas.write(text, (x + 28.0, y), font);
    };
    canvas.badge((26.0, y), 7.0, PAPER, Stroke::solid(QUIET, 2.0));
    write(canvas, 16.0, &format!("{} of a cluster", plots[0].mode_noun));
    for (x, together, text) in [
        (186.0, true, "must-link: \"these two belong together\""),
        (506.0, false, "cannot-link: \"these two do not\""),
    ] {
        let link = Link { ends: [0, 0], together, broken: false };
        draw_link(canvas, [(x, y), (x + 20.0, y)], link, 1.0);
        write(canvas, x, text);
    }
}

/// Links, points and modes; returns how many points are drawn and how many links are left out.
fn data(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View) -> (usize, usize) {
    let (shown, hidden) = links(scatter);
    let ends: Vec<usize> = shown.iter().flat_map(|link| link.ends).collect();
    let drawn = sample(scatter.labels, &ends, MAX_POINTS);
    // Many lines are fainter, so that the points stay in sight.
    let fade = (FEW_LINKS / shown.len().max(1) as f64).sqrt().min(1.0);
    let draw_links = |canvas: &mut Canvas, broken: bool| {
        for link in shown.iter().filter(|link| link.broken == broken) {
            let ends = link.ends.map(|end| view.place(scatter.points[end]));
            draw_link(canvas, ends, *link, fade);
        }
    };
    if !scatter.edges.is_empty() {
        let ends = |edge: &[usize; 2]| edge.map(|end| view.place(scatter.points[end]));
        canvas.segments(scatter.edges.iter().map(ends), EDGE);
    }
    draw_links(canvas, false);
    points(canvas, scatter, view, &drawn);
    draw_links(canvas, true);
    modes(canvas, scatter, view);
    numbers(canvas, scatter, view);
    (drawn.len(), hidden)
}

/// The frame with axes around all points and modes, on one scale.
fn view(scatter: &Scatter<'_>, frame: Frame) -> View {
    let along = |axis: usize| {
        let all = scatter.points.iter().chain(scatter.modes);
        Axis::around(all.map(move |point| point[axis]))
    };
    let [x, y] = same_scale([along(0), along(1)], [frame.width(), frame.height()]);
    View { frame, x, y }
}

/// The two lines above the frame, which end before `right`.
fn title(canvas: &mut Canvas, scatter: &Scatter<'_>, frame: Frame, right: f64) {
    let texts = [scatter.title.as_str(), &scatter.subtitle];
    headline(canvas, texts, (frame.left, frame.top - 44.0), right);
}

/// The grid, where places mean something, and else the outline alone.
fn grid(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View, has_numbers: bool) {
    match scatter.axes {
        Some(_) => view.grid(canvas, has_numbers),
        None => view.frame.outline(canvas),
    }
}

/// The links that are drawn, broken ones first in line, and how many are left out.
fn links(scatter: &Scatter<'_>) -> (Vec<Link>, usize) {
    let mut shown = Vec::new();
    for together in [true, false] {
        let of_kind = scatter.links.iter().filter(|link| link.together == together);
        let (broken, kept): (Vec<Link>, Vec<Link>) = of_kind.partition(|link| link.broken);
        let broken = evenly(&broken, MAX_LINKS);
        let room = MAX_LINKS - broken.len();
        shown.extend(broken);
        shown.extend(evenly(&kept, room));
    }
    let hidden = scatter.links.len() - shown.len();
    (shown, hidden)
}

/// At most `limit` of the links, evenly from all in their order.
fn evenly(links: &[Link], limit: usize) -> Vec<Link> {
    let shown = links.len().min(limit);
    (0..shown).map(|at| links[at * links.len() / shown]).collect()
}

/// A must-link is solid, a cannot-link dashed; what the clusters break is red.
fn draw_link(canvas: &mut Canvas, [from, to]: [Place; 2], link: Link, fade: f64) {
    let kept = (INK, 1.0, (45.0 * fade).round() / 100.0);
    let (color, width, opacity) = if link.broken { (BROKEN, 1.8, 0.9) } else { kept };
    let stroke = Stroke { color, width, opacity, is_dashed: !link.together };
    canvas.line(from, to, stroke);
}

fn points(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View, drawn: &[usize]) {
    let width = view.frame.width();
    let radius = (0.14 * width / (drawn.len() as f64).sqrt()).clamp(1.7, 4.5);
    canvas.faded(0.75, |canvas| {
        for &point in drawn {
            let label = scatter.labels[point];
            let sure = scatter.confidence.map(|confidence| confidence[point]);
            let hover = match &scatter.names {
                Some(names) => names.text(point, label, sure, drawn.len()),
                None => String::new(),
            };
            canvas.of_cluster(label, &hover, opacity(sure), |canvas| {
                marker(canvas, view.place(scatter.points[point]), radius, MarkerStyle::of(label));
            });
        }
    });
}

/// Points whose cluster is uncertain are paler: solid from a confidence of 0.95, faint below 0.5.
fn opacity(sure: Option<f64>) -> f64 {
    sure.map_or(1.0, |sure| (0.25 + 0.75 * (sure - 0.45) / 0.5).clamp(0.25, 1.0))
}

pub(super) fn marker(canvas: &mut Canvas, at: Place, radius: f64, look: MarkerStyle) {
    let mut polygon = |corners: &[Place]| {
        let corners = corners.iter();
        let corners = corners.map(|&(x, y)| (at.0 + x * radius, at.1 + y * radius));
        canvas.polygon(corners, look.color);
    };
    match look.marker {
        Marker::Circle => canvas.disc(at, radius, look.color),
        Marker::Triangle => polygon(&[(0.0, -1.25), (1.15, 0.85), (-1.15, 0.85)]),
        Marker::TriangleDown => polygon(&[(0.0, 1.25), (1.15, -0.85), (-1.15, -0.85)]),
        Marker::Square => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        Marker::Diamond => polygon(&[(0.0, -1.35), (1.1, 0.0), (0.0, 1.35), (-1.1, 0.0)]),
        Marker::Plus => polygon(&star(0.0)),
        Marker::Cross => polygon(&star(std::f64::consts::FRAC_PI_4)),
    }
}

/// The outline of a plus sign, turned by `angle`.
fn star(angle: f64) -> [Place; 12] {
    const ARM: f64 = 1.3;
    const HALF: f64 = 0.4;
    let (sin, cos) = angle.sin_cos();
    [
        (-HALF, -ARM),
        (HALF, -ARM),
        (HALF, -HALF),
        (ARM, -HALF),
        (ARM, HALF),
        (HALF, HALF),
        (HALF, ARM),
        (-HALF, ARM),
        (-HALF, HALF),
        (-ARM, HALF),
        (-ARM, -HALF),
        (-HALF, -HALF),
    ]
    .map(|(x, y)| (x * cos - y * sin, x * sin + y * cos))
}

/// The mark of a mode where there are too many for numbers.
const CROSS: MarkerStyle = MarkerStyle { color: INK, marker: Marker::Cross };

fn modes(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View) {
    let is_numbered = scatter.modes.len() <= MAX_BADGES;
    let radius = if scatter.modes.len() <= 20 { 9.0 } else { 7.5 };
    for (cluster, &mode) in scatter.modes.iter().enumerate() {
        let at = view.place(mode);
        if is_numbered {
            let edge = Stroke::solid(MarkerStyle::of(Some(cluster)).color, 2.0);
            canvas.of_cluster(Some(cluster), "", 1.0, |canvas| {
                canvas.badge(at, radius, PAPER, edge);
                let font = Font::new(1.15 * radius, INK, Anchor::Middle);
                canvas.write(&cluster.to_string(), at, font);
            });
        } else {
            marker(canvas, at, 3.0, CROSS);
        }
    }
}

/// The number of every cluster in its middle, where no mode shows it.
fn numbers(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View) {
    let clusters = scatter.labels.iter().flatten().max().map_or(0, |last| last + 1);
    if !scatter.modes.is_empty() || !(2..=MAX_BADGES).contains(&clusters) {
        return;
    }
    let mut members: Vec<Vec<[f64; 2]>> = vec![Vec::new(); clusters];
    for (label, point) in scatter.labels.iter().zip(scatter.points) {
        if let Some(cluster) = *label {
            members[cluster].push(*point);
        }
    }
    let font = Font { is_bold: true, has_halo: true, ..Font::new(13.0, INK, Anchor::Middle) };
    for (cluster, members) in members.iter_mut().enumerate().filter(|(_, all)| !all.is_empty()) {
        let at = view.place(middle(members));
        canvas.of_cluster(Some(cluster), "", 1.0, |canvas| {
            canvas.write(&cluster.to_string(), at, font);
        });
    }
}

/// The point that is nearest to the medians of both coordinates, so that the middle of a curved group lies on it.
fn middle(members: &mut [[f64; 2]]) -> [f64; 2] {
    let half = members.len() / 2;
    let median = [0, 1].map(|axis| {
        let by_axis = |a: &[f64; 2], b: &[f64; 2]| a[axis].total_cmp(&b[axis]);
        members.select_nth_unstable_by(half, by_axis).1[axis]
    });
    let distance = |point: &[f64; 2]| (point[0] - median[0]).hypot(point[1] - median[1]);
    // Ties by place, since the order of the points has changed.
    let nearer = |a: &&[f64; 2], b: &&[f64; 2]| {
        let by_place = a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]));
        distance(a).total_cmp(&distance(b)).then(by_place)
    };
    members.iter().min_by(nearer).copied().unwrap_or(median)
}

fn legend(canvas: &mut Canvas, scatter: &Scatter<'_>) {
    let sizes = sizes(scatter.labels);
    let others = 6.0 * LEGEND_LINE;
    let room = (LEGEND_HEIGHT - others) / sizes.len().clamp(1, MAX_NAMED) as f64;
    let line = room.clamp(10.5, LEGEND_LINE);
    let size = (line - 1.0).min(12.0);
    let (x, mut y) = (LEGEND.0 + 9.0, LEGEND.1);
    let entry = |canvas: &mut Canvas, y: f64, text: &str, font: Font| {
        canvas.write(text, (LEGEND.0 + 26.0, y), font);
    };
    let font = |color: Color| Font::new(12.0, color, Anchor::Start);
    for &(label, points) in sizes.iter().take(MAX_NAMED) {
        canvas.of_cluster(label, "", 1.0, |canvas| {
            marker(canvas, (x, y), (line / 4.0).min(5.0), MarkerStyle::of(label));
            let name =
                label.map_or("no cluster".to_owned(), |cluster| format!("cluster {cluster}"));
            let font = Font::new(size, INK, Anchor::Start);
            entry(canvas, y, &format!("{name} ({})", count(points)), font);
        });
        y += line;
    }
    if sizes.len() > MAX_NAMED {
        let rest = counted(sizes.len() - MAX_NAMED, "smaller one");
        entry(canvas, y, &format!("and {rest}"), font(QUIET));
        y += LEGEND_LINE;
    }
    y += 10.0;
    if scatter.confidence.is_some() {
        canvas.faded(0.75, |canvas| {
            for (at, sure) in [0.95, 0.7, 0.45].into_iter().enumerate() {
                canvas.of_cluster(None, "", opacity(Some(sure)), |canvas| {
                    canvas.disc((x + 6.0 * (at as f64 - 1.0), y), 3.5, INK);
                });
            }
        });
        entry(canvas, y, "paler: less certain", font(INK));
        y += LEGEND_LINE;
    }
    if !scatter.modes.is_empty() {
        if scatter.modes.len() <= MAX_BADGES {
            canvas.badge((x, y), 7.0, PAPER, Stroke::solid(QUIET, 2.0));
        } else {
            marker(canvas, (x, y), 4.0, CROSS);
        }
        entry(canvas, y, &format!("{} of a cluster", scatter.mode_noun), font(INK));
        y += LEGEND_LINE;
    }
    if scatter.n_edges > 0 {
        canvas.line((x - 9.0, y), (x + 11.0, y), Stroke { opacity: 1.0, ..EDGE });
        entry(canvas, y, &format!("edge ({})", count(scatter.n_edges)), font(INK));
        y += LEGEND_LINE;
    }
    for (together, name) in [(true, "must-link"), (false, "cannot-link")] {
        for broken in [false, true] {
            let of_kind = |link: &&Link| link.together == together && link.broken == broken;
            let number = scatter.links.iter().filter(of_kind).count();
            if number > 0 {
                let link = Link { ends: [0, 0], together, broken };
                draw_link(canvas, [(x - 9.0, y), (x + 11.0, y)], link, 1.0);
                let verdict = if broken { "broken" } else { "kept" };
                let text = format!("{name}, {verdict} ({})", count(number));
                entry(canvas, y, &text, font(INK));
                y += LEGEND_LINE;
            }
        }
    }
}

/// The clusters with their sizes, in the order of their numbers, then noise; where there are too many
/// to name, the largest come first.
fn sizes(labels: &[Label]) -> Vec<(Label, usize)> {
    let mut sizes = std::collections::BTreeMap::<Label, usize>::new();
    for &label in labels {
        *sizes.entry(label).or_default() += 1;
    }
    let mut sizes: Vec<_> = sizes.into_iter().collect();
    sizes.sort_by_key(|&(label, _)| (label.is_none(), label));
    if sizes.len() > MAX_NAMED {
        sizes.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
    }
    sizes
}

fn footnote(canvas: &mut Canvas, scatter: &Scatter<'_>, drawn: usize, hidden: usize) {
    let mut notes = Vec::new();
    if drawn < scatter.points.len() {
        let (drawn, all) = (count(drawn), count(scatter.points.len()));
        notes.push(format!("{drawn} of {all} points drawn"));
    }
    if hidden > 0 {
        let all = scatter.links.len();
        let (shown, all) = (count(all - hidden), count(all));
        notes.push(format!("{shown} of {all} links drawn"));
    }
    // A loop has no length, and is not counted among those left out.
    if scatter.edges.len() == MAX_EDGES && scatter.n_edges > MAX_EDGES {
        let (shown, all) = (count(MAX_EDGES), count(scatter.n_edges));
        notes.push(format!("{shown} of {all} edges drawn, the heaviest"));
    }
    let font = Font::new(11.0, QUIET, Anchor::End);
    canvas.write(&notes.join("; "), (SIZE.0 - 16.0, SIZE.1 - 14.0), font);
}
