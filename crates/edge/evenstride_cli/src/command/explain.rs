//! `evenstride explain`: why an entity moved as it did.

use std::{io::Write, process::ExitCode};

use anyhow::{Result, bail};
use evenstride::{BodyView, MovedBy, explain::Explanation};
use evenstride_replay::{
    Fingerprints, Frame, Heard, ReplayObserver, ReplayOptions, Said, TraceScope, replay,
};
use evenstride_types::{EntityId, Placement, Vec3};
use serde_json::json;

use crate::{
    args::ExplainArgs,
    output::{self, one_line},
    scene::{self, Scene},
};

/// Seconds before and after `--at` for which decisions are shown.
const AROUND_SECS: f64 = 5.0;

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let scene = Scene::read(&args.scene)?;
    if !scene.script.entities().contains(&args.entity) {
        bail!("no message mentions {}; known entities: {}", args.entity, scene.script.entities_in_words());
    }
    // No silence is skipped around the requested time.
    let (from, to) =
        args.at.map_or((f64::NEG_INFINITY, f64::INFINITY), |at| (at - AROUND_SECS, at + AROUND_SECS));
    let (options, loaded) = scene::options(&args.scene, &scene.script)?;
    let options = ReplayOptions { trace: TraceScope::One(args.entity), from, to, ..options };
    let mut fingerprints: Vec<Fingerprints> =
        args.scene.twice.then(Fingerprints::default).into_iter().collect();
    let mut story = Story { entity: args.entity, at: args.at, ..Story::default() };
    let _ = replay(&scene.script, &options, &mut (&mut story, &mut fingerprints));
    if let Some(at) = args.at {
        let (first, last) = scene.script.span().unwrap_or_default();
        if !(first..=last + 3.0).contains(&at) {
            bail!("--at {at}: the capture runs from {first:.3} to {last:.3} s");
        }
        story.decisions.retain(|decision| (decision.at.as_secs() - at).abs() <= AROUND_SECS);
    }
    let name = scene.script.names.get(&args.entity).map_or("", String::as_str);
    if args.json {
        story.write_json(name)?;
    } else {
        story.write_text(name)?;
    }
    let is_same =
        fingerprints.first().is_none_or(|first| scene::is_same_twice(first, &scene.script, &options));
    Ok(if scene.faults + loaded.faults == 0 && is_same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The decisions about one entity, and its state at one time.
struct Story {
    entity: EntityId,
    at: Option<f64>,
    decisions: Vec<Explanation>,
    standing: Option<Standing>,
    last_update: String,
}

impl Default for Story {
    fn default() -> Self {
        Self {
            entity: EntityId::new(0),
            at: None,
            decisions: Vec::new(),
            standing: None,
            last_update: String::new(),
        }
    }
}

/// Distance in metres from the simulated body within which it is drawn where it is.
const DRAWN_THERE_METRES: f64 = 0.005;

/// State of an entity at one time.
struct Standing {
    time: f64,
    body: Option<BodyView>,
    /// Place at which it is drawn.
    drawn: Option<Placement>,
    last_update: String,
}

impl ReplayObserver for Story {
    fn heard(&mut self, heard: &Heard<'_>) {
        if let (Said::Server(update), Some(disposition)) = (heard.said, heard.disposition)
            && update.entity() == Some(self.entity)
        {
            self.last_update = format!("{disposition}, at {:.2} s", heard.time);
        }
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        if entity == self.entity {
            self.decisions.push(*decision);
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        // Takes the first frame at or after the requested time, or else the last frame.
        let is_wanted = self.at.is_none_or(|at| frame.time >= at && self.standing.is_none());
        if is_wanted {
            let mut body = frame.world.body(self.entity);
            if frame.world.viewpoint().is_none()
                && let Some(body) = &mut body
            {
                // Without a viewpoint every entity counts as near, so the distance means nothing.
                body.distance = None;
            }
            let drawn = frame.world.drawn(self.entity, frame.now);
            let last_update = self.last_update.clone();
            self.standing = Some(Standing { time: frame.time, body, drawn, last_update });
        }
    }
}

impl Story {
    fn write_text(&self, name: &str) -> Result<()> {
        let mut out = output::text();
        writeln!(out, "{} {}", self.entity, one_line(name))?;
        if let (Some(standing), Some(_)) = (&self.standing, self.at) {
            writeln!(out, "{}\n", standing.sentence())?;
        }
        match self.at {
            _ if !self.decisions.is_empty() => {}
            Some(at) => writeln!(out, "no decision was made about it within {AROUND_SECS} s of {at} s")?,
            None => writeln!(out, "no decision was made about it")?,
        }
        for decision in &self.decisions {
            let is_now = self.at.is_some_and(|at| decision.at.as_secs() >= at);
            let mark = if self.at.is_some() { if is_now { "> " } else { "  " } } else { "" };
            writeln!(out, "{mark}{decision}")?;
        }
        out.flush()?;
        Ok(())
    }

    fn write_json(&self, name: &str) -> Result<()> {
        let decisions: Vec<_> = self
            .decisions
            .iter()
            .map(|of| json!({ "time": of.at.as_secs(), "words": of.decision.to_string() }))
            .collect();
        let standing = self.standing.as_ref().filter(|_| self.at.is_some()).map(|standing| {
            let place = standing.body.and_then(|body| body.place);
            json!({
                "time": standing.time,
                "words": standing.sentence(),
                "cell": place.map(|place| place.cell.to_string()),
                "position": place.map(|place| place.pose.origin().to_array()),
                "waypoints": standing.body.map(|body| body.waypoints),
                "move_to": standing.body.and_then(|body| body.move_to).map(|sent| json!({
                    "target": sent.target.map(|target| target.to_string()),
                    "metres": sent.metres,
                    "words": sent.to_string(),
                })),
                "drawn_metres_off": standing.body.and_then(|body| body.place).zip(standing.drawn).map(|(place, drawn)| place.distance(&drawn)),
                "last_update": standing.last_update,
            })
        });
        let story = json!({
            "entity": self.entity.to_string(),
            "name": name,
            "at": standing,
            "decisions": decisions,
        });
        output::print_json(&story)
    }
}

impl Standing {
    fn sentence(&self) -> String {
        let time = self.time;
        let Some(body) = &self.body else { return format!("at {time:.2} s it is unknown") };
        let Some(place) = body.place else {
            return format!("at {time:.2} s it is outside the world, in a pack or a hand");
        };
        let moved_by = match body.moved_by {
            MovedBy::Route => format!("follows its route, {} waypoints to go", body.waypoints),
            MovedBy::Follow => "follows another body".to_owned(),
            MovedBy::Legs => "is moved by its animations".to_owned(),
            MovedBy::Flight => "is in the air".to_owned(),
            MovedBy::Holder => "is held".to_owned(),
            _ => "is not moved".to_owned(),
        };
        let moved_by = match &body.move_to {
            Some(sent) => format!("{moved_by}, {sent}"),
            None => moved_by,
        };
        let distance = body.distance.map_or_else(String::new, |metres| format!(", {metres:.1} m from you"));
        let speed = f64::from(body.velocity.length());
        let drawn = self.drawn_apart();
        let heard = if self.last_update.is_empty() { "none".to_owned() } else { self.last_update.clone() };
        format!(
            "at {time:.2} s it is at {place}{distance}, {moved_by}, at {speed:.2} m/s{drawn}; last update: {heard}"
        )
    }

    /// Returns a clause about the distance between the drawn body and the simulated one, if the body
    /// is drawn elsewhere.
    fn drawn_apart(&self) -> String {
        let Some((place, drawn)) = self.body.and_then(|body| body.place).zip(self.drawn) else {
            return String::new();
        };
        let metres = place.distance(&drawn);
        if metres < DRAWN_THERE_METRES {
            return String::new();
        }
        let way = self.body.map_or(Vec3::ZERO, |body| body.velocity);
        let along = place.offset_to(&drawn).dot(way);
        let where_to = match along {
            along if along > 0.0 => "ahead of",
            along if along < 0.0 => "behind",
            _ => "from",
        };
        format!(", drawn {metres:.2} m {where_to} the simulation, on purpose")
    }
}
