//! The decisions about one entity, and its state at one time.

use evenstride::{BodyView, MovedBy, explain::Explanation};
use evenstride_replay::{Frame, Heard, ReplayObserver, Said};
use evenstride_types::{EntityId, Placement, Vec3};
use serde_json::{Value, json};

use crate::output::count;

/// Observes the replay of an entity.
pub(super) struct Story {
    entity: EntityId,
    at: Option<f64>,
    pub(super) decisions: Vec<Explanation>,
    pub(super) standing: Option<Standing>,
    last_update: String,
}

impl Story {
    pub(super) const fn new(entity: EntityId, at: Option<f64>) -> Self {
        Self { entity, at, decisions: Vec::new(), standing: None, last_update: String::new() }
    }
}

/// Distance in metres from the simulated body within which it is drawn where it is.
const DRAWN_THERE_METRES: f64 = 0.005;

/// State of an entity at one time.
pub(super) struct Standing {
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
        // Takes the first frame at or after the requested time.
        let is_wanted = self.at.is_some_and(|at| frame.time >= at && self.standing.is_none());
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

impl Standing {
    pub(super) fn sentence(&self) -> String {
        let time = self.time;
        let Some(body) = &self.body else { return format!("At {time:.2} s it is unknown.") };
        let Some(place) = body.place else {
            return format!("At {time:.2} s it is outside the world, in a pack or a hand.");
        };
        let moved_by = match body.moved_by {
            MovedBy::Route => {
                format!("follows its route, {} to go", count(body.waypoints as u64, "waypoint", "waypoints"))
            }
            MovedBy::Follow => "follows another body".to_owned(),
            MovedBy::Legs => "is moved by its animation".to_owned(),
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
            "At {time:.2} s it is at {place}{distance}, {moved_by}, at {speed:.2} m/s{drawn}; last update: {heard}."
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
        format!(", drawn {metres:.2} m {where_to} the simulation, as its profile draws")
    }

    pub(super) fn json(&self) -> Value {
        let place = self.body.and_then(|body| body.place);
        json!({
            "time": self.time,
            "words": self.sentence(),
            "cell": place.map(|place| place.cell.to_string()),
            "position": place.map(|place| place.pose.origin().to_array()),
            "waypoints": self.body.map(|body| body.waypoints),
            "move_to": self.body.and_then(|body| body.move_to).map(|sent| json!({
                "target": sent.target.map(|target| target.to_string()),
                "metres": sent.metres,
                "words": sent.to_string(),
            })),
            "drawn_metres_off": place.zip(self.drawn).map(|(place, drawn)| place.distance(&drawn)),
            "last_update": self.last_update,
        })
    }
}
