//! The parts of the picture, from back to front.

use ilk::group::Label;

use super::axis::{Axis, same_scale};
use super::canvas::{Anchor, Canvas, Font, Place, Stroke};
use super::palette::{Color, Look, Marker};
use super::sample::sample;
use super::{Link, MAX_EDGES, MAX_LINKS, MAX_POINTS, SIZE, Scatter};
use crate::text::{count, counted, short};

pub(super) const PAPER: Color = Color(0xFF, 0xFF, 0xFF);
pub(super) const INK: Color = Color(0x1F, 0x24, 0x2B);
pub(super) const QUIET: Color = Color(0x5B, 0x65, 0x70);
pub(super) const GRID: Color = Color(0xE3, 0xE7, 0xEB);
pub(super) const BROKEN: Color = Color(0xC1, 0x12, 0x1F);

/// How the edges of a graph are drawn.
const EDGE: Stroke = Stroke {
    color: QUIET,
    width: 0.6,
    opacity: 0.3,
    is_dashed: false,
};

/// The part of the picture that holds the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// The frame of a picture by itself.
pub(super) const FRAME: Frame = Frame {
    left: 74.0,
    top: 74.0,
    right: 748.0,
    bottom: 578.0,
};
/// The frames of two pictures side by side.
const FRAMES: [Frame; 2] = [
    Frame {
        left: 16.0,
        top: 74.0,
        right: 470.0,
        bottom: 456.0,
    },
    Frame {
        left: 490.0,
        top: 74.0,
        right: 944.0,
        bottom: 456.0,
    },
];
/// Where the legend starts.
pub(super) const LEGEND: Place = (772.0, 92.0);
/// Clusters that the legend names.
const MAX_NAMED: usize = 18;
/// Modes that carry the number of their cluster; more would cover the points.
const MAX_BADGES: usize = 60;

/// A picture by itself, with its axes and a legend.
pub(super) fn scatter(canvas: &mut Canvas, scatter: &Scatter<'_>) {
    let view = View::new(scatter, FRAME);
    headline(canvas, scatter, FRAME, SIZE.0);
    grid(canvas, scatter, &view);
    axes(canvas, scatter, &view);
    let (drawn, hidden) = data(canvas, scatter, &view);
    legend(canvas, scatter);
    footnote(canvas, scatter, drawn, hidden);
}

/// Two pictures side by side, with what the marks mean in a line below.
pub(super) fn pair(canvas: &mut Canvas, pictures: [&Scatter<'_>; 2]) {
    for (&picture, frame) in pictures.iter().zip(FRAMES) {
        let view = View::new(picture, frame);
        headline(canvas, picture, frame, frame.right);
        grid(canvas, picture, &view);
        data(canvas, picture, &view);
    }
    if pictures
        .iter()
        .all(|it| it.modes.is_empty() && it.links.is_empty())
    {
        return;
    }
    let y = FRAMES[0].bottom + 24.0;
    let write = |canvas: &mut Canvas, x: f64, text: &str| {
        let font = Font::new(13.0, QUIET, Anchor::Start);
        canvas.write(text, (x + 28.0, y), font);
    };
    canvas.badge((26.0, y), 7.0, PAPER, Stroke::solid(QUIET, 2.0));
    write(canvas, 16.0, "mode of a cluster");
    for (x, together, text) in [
        (186.0, true, "must-link: \"these two belong together\""),
        (506.0, false, "cannot-link: \"these two do not\""),
    ] {
        let link = Link {
            ends: [0, 0],
            together,
            broken: false,
        };
        draw_link(canvas, [(x, y), (x + 20.0, y)], link);
        write(canvas, x, text);
    }
}

/// Links, points and modes; returns how many points are drawn and how many links are left out.
fn data(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View) -> (usize, usize) {
    let (shown, hidden) = links(scatter);
    let ends: Vec<usize> = shown.iter().flat_map(|link| link.ends).collect();
    let drawn = sample(scatter.labels, &ends, MAX_POINTS);
    let draw_links = |canvas: &mut Canvas, broken: bool| {
        for link in shown.iter().filter(|link| link.broken == broken) {
            let ends = link.ends.map(|end| view.place(scatter.points[end]));
            draw_link(canvas, ends, *link);
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
    (drawn.len(), hidden)
}

/// The two axes, and the data's place in the frame.
struct View {
    frame: Frame,
    x: Axis,
    y: Axis,
}

impl View {
    fn new(scatter: &Scatter<'_>, frame: Frame) -> Self {
        let along = |axis: usize| {
            let all = scatter.points.iter().chain(scatter.modes);
            Axis::around(all.map(move |point| point[axis]))
        };
        let size = [frame.right - frame.left, frame.bottom - frame.top];
        let [x, y] = same_scale([along(0), along(1)], size);
        Self { frame, x, y }
    }

    fn place(&self, point: [f64; 2]) -> Place {
        (self.across(point[0]), self.down(point[1]))
    }

    fn across(&self, x: f64) -> f64 {
        self.frame.left + (self.frame.right - self.frame.left) * self.x.place(x)
    }

    fn down(&self, y: f64) -> f64 {
        self.frame.bottom - (self.frame.bottom - self.frame.top) * self.y.place(y)
    }

    /// Where the vertical lines of the grid stand, each with its number.
    fn ticks_across(&self) -> impl Iterator<Item = (f64, String)> {
        let ticks = self.x.ticks(8).into_iter();
        ticks.map(|(value, text)| (self.across(value), text))
    }

    /// Where the horizontal lines of the grid stand, each with its number.
    fn ticks_down(&self) -> impl Iterator<Item = (f64, String)> {
        let ticks = self.y.ticks(6).into_iter();
        ticks.map(|(value, text)| (self.down(value), text))
    }
}

/// The two lines above the frame, which end before `right`.
fn headline(canvas: &mut Canvas, scatter: &Scatter<'_>, frame: Frame, right: f64) {
    // Letters are a little wider than half their height.
    let fits = |size: f64| ((right - frame.left) / (0.54 * size)) as usize;
    let bold = Font {
        is_bold: true,
        ..Font::new(19.0, INK, Anchor::Start)
    };
    let title = short(&scatter.title, fits(bold.size));
    canvas.write(&title, (frame.left, frame.top - 44.0), bold);
    let quiet = Font::new(13.0, QUIET, Anchor::Start);
    let subtitle = short(&scatter.subtitle, fits(quiet.size));
    canvas.write(&subtitle, (frame.left, frame.top - 20.0), quiet);
}

fn grid(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View) {
    let frame = view.frame;
    let stroke = Stroke::solid(GRID, 1.0);
    if scatter.axes.is_none() {
        canvas.outline((frame.left, frame.top), (frame.right, frame.bottom), stroke);
        return;
    }
    for (x, _) in view.ticks_across() {
        canvas.line((x, frame.top), (x, frame.bottom), stroke);
    }
    for (y, _) in view.ticks_down() {
        canvas.line((frame.left, y), (frame.right, y), stroke);
    }
    canvas.outline((frame.left, frame.top), (frame.right, frame.bottom), stroke);
}

/// The numbers along the axes, and their names.
fn axes(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View) {
    let frame = view.frame;
    let Some([across, up]) = &scatter.axes else {
        return;
    };
    for (x, text) in view.ticks_across() {
        let font = Font::new(11.5, QUIET, Anchor::Middle);
        canvas.write(&text, (x, frame.bottom + 14.0), font);
    }
    for (y, text) in view.ticks_down() {
        let font = Font::new(11.5, QUIET, Anchor::End);
        canvas.write(&text, (frame.left - 8.0, y), font);
    }
    let name = Font::new(13.0, INK, Anchor::Middle);
    let middle = f64::midpoint(frame.left, frame.right);
    canvas.write(&short(across, 60), (middle, frame.bottom + 36.0), name);
    let upright = Font {
        is_upright: true,
        ..name
    };
    let middle = f64::midpoint(frame.top, frame.bottom);
    canvas.write(&short(up, 50), (24.0, middle), upright);
}

/// The links that are drawn, broken ones first in line, and how many are left out.
fn links(scatter: &Scatter<'_>) -> (Vec<Link>, usize) {
    let mut shown = Vec::new();
    for together in [true, false] {
        let of_kind = scatter
            .links
            .iter()
            .filter(|link| link.together == together);
        let (broken, kept): (Vec<Link>, Vec<Link>) = of_kind.partition(|link| link.broken);
        shown.extend(broken.into_iter().chain(kept).take(MAX_LINKS));
    }
    let hidden = scatter.links.len() - shown.len();
    (shown, hidden)
}

/// A must-link is solid, a cannot-link dashed; what the clusters break is red.
fn draw_link(canvas: &mut Canvas, [from, to]: [Place; 2], link: Link) {
    let (color, width, opacity) = if link.broken {
        (BROKEN, 1.8, 0.9)
    } else {
        (INK, 1.0, 0.45)
    };
    let stroke = Stroke {
        color,
        width,
        opacity,
        is_dashed: !link.together,
    };
    canvas.line(from, to, stroke);
}

fn points(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View, drawn: &[usize]) {
    let width = view.frame.right - view.frame.left;
    let radius = (0.14 * width / (drawn.len() as f64).sqrt()).clamp(1.7, 4.5);
    canvas.faded(0.75, |canvas| {
        for &point in drawn {
            let look = Look::of(scatter.labels[point]);
            marker(canvas, view.place(scatter.points[point]), radius, look);
        }
    });
}

pub(super) fn marker(canvas: &mut Canvas, at: Place, radius: f64, look: Look) {
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
const CROSS: Look = Look {
    color: INK,
    marker: Marker::Cross,
};

fn modes(canvas: &mut Canvas, scatter: &Scatter<'_>, view: &View) {
    let is_numbered = scatter.modes.len() <= MAX_BADGES;
    let radius = if scatter.modes.len() <= 20 { 9.0 } else { 7.5 };
    for (cluster, &mode) in scatter.modes.iter().enumerate() {
        let at = view.place(mode);
        if is_numbered {
            let edge = Stroke::solid(Look::of(Some(cluster)).color, 2.0);
            canvas.badge(at, radius, PAPER, edge);
            let font = Font::new(1.15 * radius, INK, Anchor::Middle);
            canvas.write(&cluster.to_string(), at, font);
        } else {
            marker(canvas, at, 3.0, CROSS);
        }
    }
}

fn legend(canvas: &mut Canvas, scatter: &Scatter<'_>) {
    let sizes = sizes(scatter.labels);
    let (x, mut y) = (LEGEND.0 + 9.0, LEGEND.1);
    let entry = |canvas: &mut Canvas, y: f64, text: &str, color: Color| {
        let font = Font::new(12.0, color, Anchor::Start);
        canvas.write(text, (LEGEND.0 + 26.0, y), font);
    };
    for &(label, size) in sizes.iter().take(MAX_NAMED) {
        marker(canvas, (x, y), 5.0, Look::of(label));
        let name = label.map_or("noise".to_owned(), |cluster| format!("cluster {cluster}"));
        entry(canvas, y, &format!("{name} ({})", count(size)), INK);
        y += 20.0;
    }
    if sizes.len() > MAX_NAMED {
        let rest = counted(sizes.len() - MAX_NAMED, "smaller one");
        entry(canvas, y, &format!("and {rest}"), QUIET);
        y += 20.0;
    }
    y += 10.0;
    if !scatter.modes.is_empty() {
        if scatter.modes.len() <= MAX_BADGES {
            canvas.badge((x, y), 7.0, PAPER, Stroke::solid(QUIET, 2.0));
        } else {
            marker(canvas, (x, y), 4.0, CROSS);
        }
        entry(canvas, y, "mode of a cluster", INK);
        y += 20.0;
    }
    if scatter.n_edges > 0 {
        canvas.line(
            (x - 9.0, y),
            (x + 11.0, y),
            Stroke {
                opacity: 1.0,
                ..EDGE
            },
        );
        entry(
            canvas,
            y,
            &format!("edge ({})", count(scatter.n_edges)),
            INK,
        );
        y += 20.0;
    }
    for (together, name) in [(true, "must-link"), (false, "cannot-link")] {
        for broken in [false, true] {
            let of_kind = |link: &&Link| link.together == together && link.broken == broken;
            let number = scatter.links.iter().filter(of_kind).count();
            if number > 0 {
                let link = Link {
                    ends: [0, 0],
                    together,
                    broken,
                };
                draw_link(canvas, [(x - 9.0, y), (x + 11.0, y)], link);
                let verdict = if broken { "broken" } else { "kept" };
                let text = format!("{name}, {verdict} ({})", count(number));
                entry(canvas, y, &text, INK);
                y += 20.0;
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
