//! Outcomes, reasons and errors, as types.
//!
//! This folder depends on no other. The layers above it make these types. The journal, the
//! explanations and the save format share them. Each file holds one outcome. All of them except
//! `TargetUpdate` and `TargetStatus` are part of the public API.

pub(crate) mod codes;
mod disposition;
mod enqueued;
mod insert_error;
mod message;
mod motion_error;
mod move_to_end;
mod move_to_error;
mod remove_reason;
mod speed_error;
mod steering;
mod table_origin;
mod target_update;

pub use codes::{CodeError, CodeTable, code_tables};
pub use disposition::{
    CreateHow, Disposition, DropReason, IgnoreReason, MAX_HOLDING_DEPTH, MergedParts, ParkReason, PartReason,
    PlaceReason, RefuseReason,
};
pub use enqueued::Enqueued;
pub use insert_error::InsertError;
pub use message::{Heard, Outcome};
pub use motion_error::MotionError;
pub use move_to_end::MoveToEnd;
pub use move_to_error::MoveToError;
pub use remove_reason::RemoveReason;
pub use speed_error::{SPEED_LIMIT, SpeedError};
pub use steering::Steering;
pub use table_origin::TableOrigin;
#[doc(hidden)]
pub use target_update::{TargetStatus, TargetUpdate};
