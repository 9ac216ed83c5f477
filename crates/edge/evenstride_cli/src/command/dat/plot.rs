//! A motion as a picture: its path from above, its speed over time, and a mark wherever the
//! keyframe changed.

use std::ops::Range;

use plotters::{
    coord::{Shift, types::RangedCoordf64},
    prelude::{
        Cartesian2d, ChartBuilder, ChartContext, Circle, Color, DashedLineSeries, DrawingArea,
        IntoDrawingArea, LineSeries, PathElement, RGBColor, SVGBackend, TextStyle, WHITE,
    },
    style::IntoTextStyle,
};

use super::motion::{Motion, Step};

const SIZE: (u32, u32) = (1080, 480);
const HEAD: u32 = 54;
const PATH: RGBColor = RGBColor(0x1F, 0x5F, 0xA8);
const MARK: RGBColor = RGBColor(0xC2, 0x4B, 0x1E);
const FAINT: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);

/// Most marks that are drawn. With more of them, none is drawn.
const MAX_MARKS: usize = 300;

/// Most points that are drawn. Longer motions are drawn in groups of steps.
const MAX_POINTS: usize = 1_500;

/// Places on the path with a line that shows the heading.
const ARROWS: usize = 12;

/// Title of the first plot, and its unit.
const SPEED: (&str, &str) = ("speed of each step", "m/s");

type Error = Box<dyn std::error::Error>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

pub(super) fn svg(motion: &Motion) -> Result<String, Error> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(HEAD);
        let note = if motion.note.is_empty() { String::new() } else { format!("  ({})", motion.note) };
        words(&head, &format!("{}{note}", motion.title), (16, 8), 18)?;
        let marks = if motion.steps.iter().all(|step| !step.is_marked) {
            ""
        } else if has_marks(motion) {
            "Red dots and ticks: steps with a keyframe. Red lines: end of an animation. The client moves a body by whole keyframes."
        } else {
            "Too many keyframes to mark."
        };
        let steady = motion.steady.words();
        let summary = format!("Average: {steady} (dashed). Blue dot: start. Grey lines: heading. {marks}");
        words(&head, &summary, (16, 32), 13)?;
        let (left, right) = body.split_horizontally(430);
        path(&left, motion)?;
        // A motion without turns needs no second plot.
        let speed = motion.steady.speed();
        if motion.steps.iter().any(|step| step.turn.abs() > 0.01) {
            let (upper, lower) = right.split_vertically((SIZE.1 - HEAD) / 2);
            over_time(&upper, motion, SPEED, |step| step.speed, speed)?;
            let turn = ("turn of each step, clockwise", "°/s");
            over_time(&lower, motion, turn, |step| step.turn, motion.steady.turn)?;
        } else {
            over_time(&right, motion, SPEED, |step| step.speed, speed)?;
        }
        root.present()?;
    }
    Ok(text)
}

fn has_marks(motion: &Motion) -> bool {
    motion.steps.iter().filter(|step| step.is_marked).count() <= MAX_MARKS
}

/// Returns the number of steps that are drawn as one.
fn group(motion: &Motion) -> usize {
    motion.steps.len().div_ceil(MAX_POINTS).max(1)
}

fn words(area: &Area<'_>, text: &str, at: (i32, i32), size: i32) -> Result<(), Error> {
    let style: TextStyle<'_> = ("sans-serif", size).into_text_style(area).color(&INK);
    area.draw_text(text, &style, at)?;
    Ok(())
}

/// Returns the label of a number on an axis, without trailing zeros.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "plotters asks for it")]
fn number(value: &f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns an empty plot with a caption, the ranges of its axes and their names.
fn axes<'a, 'b>(
    area: &'a Area<'b>,
    caption: &str,
    (across, up): (Range<f64>, Range<f64>),
    (across_name, up_name): (&str, &str),
) -> Result<Chart<'a, 'b>, Error> {
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(caption, ("sans-serif", 14).into_text_style(area).color(&INK))
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .label_style(("sans-serif", 12).into_text_style(area).color(&INK))
        .x_desc(across_name)
        .y_desc(up_name)
        .draw()?;
    Ok(chart)
}

/// Draws the path from above, with ahead at the top. Both axes have the same scale.
fn path(area: &Area<'_>, motion: &Motion) -> Result<(), Error> {
    let place = |step: &Step| (step.at[0], step.at[1]);
    let places: Vec<(f64, f64)> = std::iter::once((0.0, 0.0))
        .chain(motion.steps.chunks(group(motion)).filter_map(|steps| steps.last().map(place)))
        .collect();
    let bounds = |pick: fn(&(f64, f64)) -> f64| {
        let values = places.iter().map(pick);
        values.fold((0.0f64, 0.0f64), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((west, east), (south, north)) = (bounds(|place| place.0), bounds(|place| place.1));
    let half = ((east - west).max(north - south) / 2.0).max(0.25) * 1.15;
    let (x, y) = ((west + east) / 2.0, (south + north) / 2.0);
    let mut chart = axes(
        area,
        "path from above",
        (x - half..x + half, y - half..y + half),
        ("to the right, m", "ahead, m"),
    )?;
    let every = motion.steps.len().div_ceil(ARROWS).max(1);
    let facing = motion.steps.iter().step_by(every).map(|step| {
        let ((x, y), heading) = (place(step), step.heading.to_radians());
        // A body that only turns has room for longer lines.
        let reach = half * if (east - west).max(north - south) < 0.01 { 0.7 } else { 0.12 };
        PathElement::new([(x, y), (x + heading.sin() * reach, y + heading.cos() * reach)], INK.mix(0.45))
    });
    chart.draw_series(facing)?;
    chart.draw_series(LineSeries::new(places.iter().copied(), PATH.stroke_width(2)))?;
    if has_marks(motion) {
        let marks = motion.steps.iter().filter(|step| step.is_marked);
        chart.draw_series(marks.map(|step| Circle::new(place(step), 2, MARK.filled())))?;
    }
    chart.draw_series([Circle::new((0.0, 0.0), 4, PATH.filled())])?;
    Ok(())
}

/// Draws a value of each step over time, and its average over a long time.
fn over_time(
    area: &Area<'_>,
    motion: &Motion,
    (caption, unit): (&str, &str),
    value: fn(&Step) -> f64,
    steady: f64,
) -> Result<(), Error> {
    let end = motion.steps.last().map_or(1.0, |step| step.time);
    // A group has the mean of its steps.
    let size = group(motion);
    let groups: Vec<(f64, f64, f64)> = motion
        .steps
        .chunks(size)
        .map(|steps| {
            let (first, last) = (steps[0].time - motion.step, steps[steps.len() - 1].time);
            (first, last, steps.iter().map(value).sum::<f64>() / steps.len() as f64)
        })
        .collect();
    let (low, high) = groups
        .iter()
        .map(|group| group.2)
        .fold((0.0f64, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    let margin = (high - low).max(0.5) * 0.1;
    let (low, high) = (if low < 0.0 { low - margin } else { 0.0 }, high + margin);
    let caption = if size > 1 { format!("{caption}, mean of {size}") } else { caption.to_owned() };
    let mut chart = axes(area, &caption, (0.0..end, low..high), ("time, s", unit))?;
    chart.draw_series(DashedLineSeries::new(
        [(0.0, steady), (end, steady)],
        6,
        4,
        INK.mix(0.7).stroke_width(1),
    ))?;
    // A step has one value from its beginning to its end.
    let stairs = groups.iter().flat_map(|(first, last, value)| [(*first, *value), (*last, *value)]);
    chart.draw_series(LineSeries::new(stairs, PATH.stroke_width(2)))?;
    if has_marks(motion) {
        let tick = low + (high - low) * 0.03;
        let ticks = motion.steps.iter().filter(|step| step.is_marked);
        chart.draw_series(ticks.map(|step| PathElement::new([(step.time, low), (step.time, tick)], MARK)))?;
        let ends = motion.steps.iter().filter(|step| step.ended > 0);
        chart.draw_series(ends.map(|step| PathElement::new([(step.time, low), (step.time, high)], MARK)))?;
    }
    Ok(())
}
