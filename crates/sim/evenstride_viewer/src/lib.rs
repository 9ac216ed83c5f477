//! The questions that a viewer asks of a recording.
//!
//! ```text
//! script ─► ViewedScript ─► WhatIf ─► Scene         all bodies at any time, with beads
//!           entities,                 OverviewJob   errors, marks and moments of all entities
//!           paths                     TrackJob      one entity, frame by frame, with decisions
//! ```
//!
//! A recording may still be growing. [`ViewedScript::append`] adds messages, and every job and scene goes
//! on with them. Jobs and scenes share the recording, so they let go of it (`release`) before it changes,
//! and take it back (`resume`). Otherwise it would be copied.
//!
//! Everything that takes long is done in parts, so that a page stays responsive without threads. Errors
//! are measured against one path for each entity, which is the same for all methods and what-ifs: its
//! true places if they are known, or else its received positions as they were captured.
//!
//! ```
//! use std::sync::Arc;
//! use evenstride_replay::sample;
//! use evenstride_viewer::{Method, OverviewJob, Scene, ViewedScript};
//!
//! let script = Arc::new(sample::crowd(3, 5));
//! let all = (f64::NEG_INFINITY, f64::INFINITY);
//! let viewed = Arc::new(ViewedScript::new(Arc::clone(&script), None, all));
//! let glide = Method::find("glide").ok_or("a profile")?;
//!
//! let mut scene = Scene::new(Arc::clone(&viewed), Arc::clone(&script), &glide, 60.0).ok_or("messages")?;
//! while !scene.seek(4.0, 60) {}
//! assert_eq!(scene.bodies().len(), 8 * viewed.entities.len());
//!
//! let overview = OverviewJob::new(viewed, script, &glide, 60.0).ok_or("messages")?.finish();
//! assert!(overview.within().is_some());
//! # Ok::<(), &str>(())
//! ```
//!
//! | file | content |
//! |---|---|
//! | `viewed_script.rs` | the recording, also while it is still growing |
//! | `viewed_entity.rs`, `log.rs` | received positions of an entity, and the path on which it is believed to be |
//! | `method.rs`, `rival_playback.rs` | profiles and rivals |
//! | `what_if.rs` | another network, and messages that are left out |
//! | `scene.rs`, `state.rs` | all bodies at a time, and what one of them is doing |
//! | `overview.rs`, `entity_track.rs` | the whole recording, of all entities and of one |
//! | `messages.rs` | messages with their bytes and fields |
//! | `answers.rs` | results as JSON |

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answers;
mod arrivals;
mod entity_track;
mod log;
mod messages;
mod method;
mod overview;
mod rival_playback;
mod scene;
mod shown_moments;
mod state;
mod viewed_entity;
mod viewed_script;
mod what_if;

pub use answers::{SPARK, comparison};
pub use arrivals::Arrivals;
pub use entity_track::{EntityTrack, MAX_TRACK_FRAMES, TrackJob};
pub use log::ReceivedPosition;
pub use method::{Method, PROFILE_NAMES};
pub use overview::{FinishedOverview, KNOWN_AFTER_SECS, Line, Mark, Overview, OverviewJob};
pub use scene::{BEAD_SECS, BODY_VALUES, FLAG_AIRBORNE, FLAG_HIDDEN, Scene};
pub use viewed_entity::ViewedEntity;
pub use viewed_script::{MAX_ENTITIES, ViewedScript};
pub use what_if::WhatIf;
