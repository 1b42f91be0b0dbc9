//! The parts of the picture, from back to front.

use ilk::group::Label;
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontStyle, FontTransform, IntoFont, IntoTextStyle, RGBColor, ShapeStyle, TextStyle,
};

use super::axis::Axis;
use super::palette::{Look, Marker};
use super::sample::sample;
use super::{HEIGHT, Link, MAX_LINKS, MAX_POINTS, SCALE, Scatter, WIDTH};
use crate::text::{count, counted, short};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
/// A place in the picture, in pixels.
type Place = (f64, f64);

pub(super) const PAPER: RGBColor = RGBColor(0xFF, 0xFF, 0xFF);
pub(super) const INK: RGBColor = RGBColor(0x1F, 0x24, 0x2B);
pub(super) const QUIET: RGBColor = RGBColor(0x5B, 0x65, 0x70);
pub(super) const GRID: RGBColor = RGBColor(0xE3, 0xE7, 0xEB);
pub(super) const BROKEN: RGBColor = RGBColor(0xC1, 0x12, 0x1F);

/// The frame of the data: left, top, right, bottom.
const FRAME: (f64, f64, f64, f64) = (74.0, 74.0, 748.0, 578.0);
/// Where the legend starts.
const LEGEND: Place = (772.0, 92.0);
/// Clusters that the legend names.
const MAX_NAMED: usize = 18;
/// Modes that carry the number of their cluster; more would cover the points.
const MAX_BADGES: usize = 60;

pub(super) fn scatter(area: &Area<'_>, scatter: &Scatter<'_>) -> Drawn {
    area.fill(&PAPER)?;
    let view = View::new(scatter);
    headline(area, scatter)?;
    grid(area, scatter, &view)?;
    let (shown, hidden) = links(scatter);
    let ends: Vec<usize> = shown.iter().flat_map(|link| link.ends).collect();
    let drawn = sample(scatter.labels, &ends, MAX_POINTS);
    let draw_links = |broken: bool| -> Drawn {
        for link in shown.iter().filter(|link| link.broken == broken) {
            let ends = link.ends.map(|end| view.place(scatter.points[end]));
            draw_link(area, ends, *link)?;
        }
        Ok(())
    };
    draw_links(false)?;
    points(area, scatter, &view, &drawn)?;
    draw_links(true)?;
    modes(area, scatter, &view)?;
    legend(area, scatter)?;
    footnote(area, scatter, drawn.len(), hidden)
}

/// The two axes, and the data's place in the frame.
struct View {
    x: Axis,
    y: Axis,
}

impl View {
    /// Distances are what clusters are made of, so both axes get the same scale, unless that would
    /// squeeze the data into a strip.
    fn new(scatter: &Scatter<'_>) -> Self {
        let along = |axis: usize| {
            let all = scatter.points.iter().chain(scatter.modes);
            Axis::around(all.map(move |point| point[axis]))
        };
        let (x, y) = (along(0), along(1));
        let (width, height) = (FRAME.2 - FRAME.0, FRAME.3 - FRAME.1);
        let (per_x, per_y) = (x.half() / width, y.half() / height);
        let unit = per_x.max(per_y);
        if unit > 4.0 * per_x.min(per_y) || !unit.is_finite() {
            return Self { x, y };
        }
        Self {
            x: x.with_half(unit * width),
            y: y.with_half(unit * height),
        }
    }

    fn place(&self, point: [f64; 2]) -> Place {
        let (left, top, right, bottom) = FRAME;
        (
            left + (right - left) * self.x.place(point[0]),
            bottom - (bottom - top) * self.y.place(point[1]),
        )
    }
}

fn units((x, y): Place) -> (i32, i32) {
    let scale = f64::from(SCALE);
    ((x * scale).round() as i32, (y * scale).round() as i32)
}

fn line(color: impl Color, width: f64) -> ShapeStyle {
    color.stroke_width((width * f64::from(SCALE)).round() as u32)
}

fn font(size: f64, color: RGBColor, h_pos: HPos, v_pos: VPos) -> TextStyle<'static> {
    // The backend writes the size divided by 1.24, the line height it assumes.
    let size = size * f64::from(SCALE) * 1.24;
    let style: TextStyle<'static> = ("sans-serif", size).into_font().color(&color);
    style.pos(Pos::new(h_pos, v_pos))
}

fn write(area: &Area<'_>, text: String, at: Place, style: TextStyle<'_>) -> Drawn {
    area.draw(&Text::new(text, units(at), style))
}

fn headline(area: &Area<'_>, scatter: &Scatter<'_>) -> Drawn {
    let family = (
        "sans-serif",
        19.0 * f64::from(SCALE) * 1.24,
        FontStyle::Bold,
    );
    let bold = family.into_font().color(&INK).into_text_style(area);
    write(area, short(&scatter.title, 80), (FRAME.0, 22.0), bold)?;
    let quiet = font(13.0, QUIET, HPos::Left, VPos::Top);
    write(area, short(&scatter.subtitle, 120), (FRAME.0, 48.0), quiet)
}

fn grid(area: &Area<'_>, scatter: &Scatter<'_>, view: &View) -> Drawn {
    let (left, top, right, bottom) = FRAME;
    for (value, text) in view.x.ticks(8) {
        let x = left + (right - left) * view.x.place(value);
        let path = [units((x, top)), units((x, bottom))];
        area.draw(&PathElement::new(path, line(GRID, 1.0)))?;
        write(
            area,
            text,
            (x, bottom + 8.0),
            font(11.5, QUIET, HPos::Center, VPos::Top),
        )?;
    }
    for (value, text) in view.y.ticks(6) {
        let y = bottom - (bottom - top) * view.y.place(value);
        let path = [units((left, y)), units((right, y))];
        area.draw(&PathElement::new(path, line(GRID, 1.0)))?;
        write(
            area,
            text,
            (left - 8.0, y),
            font(11.5, QUIET, HPos::Right, VPos::Center),
        )?;
    }
    let middle = f64::midpoint(left, right);
    let name = font(13.0, INK, HPos::Center, VPos::Top);
    write(
        area,
        short(&scatter.axes[0], 60),
        (middle, bottom + 28.0),
        name,
    )?;
    let name = font(13.0, INK, HPos::Center, VPos::Top).transform(FontTransform::Rotate270);
    let middle = f64::midpoint(top, bottom);
    write(area, short(&scatter.axes[1], 50), (20.0, middle), name)
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

/// Length of a dash of a cannot-link.
const DASH: f64 = 5.0;
/// Length of the gap after it.
const GAP: f64 = 4.0;

/// A must-link is solid, a cannot-link dashed; what the clusters break is red.
fn draw_link(area: &Area<'_>, [from, to]: [Place; 2], link: Link) -> Drawn {
    let style = if link.broken {
        line(BROKEN.mix(0.9), 1.8)
    } else {
        line(INK.mix(0.45), 1.0)
    };
    if link.together {
        return area.draw(&PathElement::new([units(from), units(to)], style));
    }
    let length = (to.0 - from.0).hypot(to.1 - from.1);
    let at = |along: f64| {
        let t = along / length;
        units((from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1)))
    };
    let mut start = 0.0;
    while start < length {
        let end = (start + DASH).min(length);
        area.draw(&PathElement::new([at(start), at(end)], style))?;
        start += DASH + GAP;
    }
    Ok(())
}

fn points(area: &Area<'_>, scatter: &Scatter<'_>, view: &View, drawn: &[usize]) -> Drawn {
    let radius = (95.0 / (drawn.len() as f64).sqrt()).clamp(1.7, 4.5);
    for &point in drawn {
        let look = Look::of(scatter.labels[point]);
        marker(area, view.place(scatter.points[point]), radius, look, 0.75)?;
    }
    Ok(())
}

fn marker(area: &Area<'_>, at: Place, radius: f64, look: Look, opacity: f64) -> Drawn {
    let color = look.color.mix(opacity);
    let polygon = |corners: &[Place]| {
        let corner = |&(x, y): &Place| units((at.0 + x * radius, at.1 + y * radius));
        area.draw(&Polygon::new(
            corners.iter().map(corner).collect::<Vec<_>>(),
            color,
        ))
    };
    match look.marker {
        Marker::Circle => {
            let radius = (radius * f64::from(SCALE)).round() as i32;
            area.draw(&Circle::new(units(at), radius, color.filled()))
        }
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

fn modes(area: &Area<'_>, scatter: &Scatter<'_>, view: &View) -> Drawn {
    let numbered = scatter.modes.len() <= MAX_BADGES;
    let radius = if scatter.modes.len() <= 20 { 9.0 } else { 7.5 };
    for (cluster, &mode) in scatter.modes.iter().enumerate() {
        let at = view.place(mode);
        if numbered {
            badge(area, at, radius, cluster)?;
        } else {
            let look = Look {
                color: INK,
                marker: Marker::Cross,
            };
            marker(area, at, 3.0, look, 0.9)?;
        }
    }
    Ok(())
}

/// A disc with the number of the cluster.
fn badge(area: &Area<'_>, at: Place, radius: f64, cluster: usize) -> Drawn {
    let color = Look::of(Some(cluster)).color;
    let units_of = |r: f64| (r * f64::from(SCALE)) as i32;
    area.draw(&Circle::new(
        units(at),
        units_of(radius + 1.0),
        PAPER.filled(),
    ))?;
    area.draw(&Circle::new(units(at), units_of(radius), line(color, 2.0)))?;
    let style = font(1.15 * radius, INK, HPos::Center, VPos::Center);
    write(area, cluster.to_string(), (at.0, at.1 + 0.8), style)
}

fn legend(area: &Area<'_>, scatter: &Scatter<'_>) -> Drawn {
    let sizes = sizes(scatter.labels);
    let entry = |y: f64, text: String, color: RGBColor| {
        let style = font(12.0, color, HPos::Left, VPos::Center);
        write(area, text, (LEGEND.0 + 26.0, y), style)
    };
    let (x, mut y) = (LEGEND.0 + 9.0, LEGEND.1);
    for &(label, size) in sizes.iter().take(MAX_NAMED) {
        marker(area, (x, y), 5.0, Look::of(label), 1.0)?;
        let name = label.map_or("noise".to_owned(), |cluster| format!("cluster {cluster}"));
        entry(y, format!("{name}  ({})", count(size)), INK)?;
        y += 20.0;
    }
    if sizes.len() > MAX_NAMED {
        let rest = sizes.len() - MAX_NAMED;
        entry(y, format!("and {}", counted(rest, "smaller one")), QUIET)?;
        y += 20.0;
    }
    y += 10.0;
    if !scatter.modes.is_empty() {
        if scatter.modes.len() <= MAX_BADGES {
            area.draw(&Circle::new(units((x, y)), 7 * SCALE, line(QUIET, 2.0)))?;
        } else {
            let look = Look {
                color: INK,
                marker: Marker::Cross,
            };
            marker(area, (x, y), 4.0, look, 1.0)?;
        }
        entry(y, "mode of a cluster".to_owned(), INK)?;
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
                draw_link(area, [(x - 9.0, y), (x + 11.0, y)], link)?;
                let verdict = if broken { "broken" } else { "kept" };
                entry(y, format!("{name}, {verdict}  ({})", count(number)), INK)?;
                y += 20.0;
            }
        }
    }
    Ok(())
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

fn footnote(area: &Area<'_>, scatter: &Scatter<'_>, drawn: usize, hidden: usize) -> Drawn {
    let mut notes = Vec::new();
    if drawn < scatter.points.len() {
        let (drawn, all) = (count(drawn), count(scatter.points.len()));
        notes.push(format!("{drawn} of {all} points drawn"));
    }
    if hidden > 0 {
        let all = scatter.links.len();
        notes.push(format!(
            "{} of {} links drawn",
            count(all - hidden),
            count(all)
        ));
    }
    let (left, _, right, _) = FRAME;
    let frame = [units((left, FRAME.1)), units((right, FRAME.3))];
    area.draw(&Rectangle::new(frame, line(GRID, 1.0)))?;
    let style = font(11.0, QUIET, HPos::Right, VPos::Bottom);
    let at = (f64::from(WIDTH) - 16.0, f64::from(HEIGHT) - 8.0);
    write(area, notes.join("; "), at, style)
}
