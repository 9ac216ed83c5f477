//! Trials for games of any kind, through the generic API.
//!
//! ```text
//! mover ─► course ─► line ─► arrivals ─► contestants ─► drawn places ─► score
//!          truth     losses              one stream for all
//! ```
//!
//! A [`Mover`] moves about at random, from a seed. A [`Line`] sends where it is and loses some of it.
//! Each contestant gets the same arrivals and draws a place in every frame. [`measure`] compares the
//! places with the truth.
//!
//! ```
//! use evenstride_trials::{Contestant, Line, Mover, measure};
//!
//! let course = Mover::Walker.course(1, 20.0);
//! let arrivals = Line::new(5.0).deliver(&course, 1);
//! let score = measure(&course, &Contestant::Evenstride.draw(&arrivals, &course));
//! assert!(score.p95 < 1.0);
//! ```

mod contestant;
mod line;
mod mover;
mod ours;
mod rival;
mod score;

pub use self::{
    contestant::Contestant,
    line::{Arrival, Line},
    mover::{At, Course, FPS, Mover},
    ours::{Sends, draw_with, update_of},
    score::{Score, measure},
};

/// Places that a contestant draws, one per frame, and none before it knows one.
pub type Drawn = Vec<Option<[f64; 3]>>;
