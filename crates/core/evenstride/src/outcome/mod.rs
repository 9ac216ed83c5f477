//! Every reason and every answer, as types.
//!
//! This folder is a leaf. The layers above it make these types, and no type here knows how it comes
//! about. The journal, the explanations and the save format share them. One file holds one answer.
//! All of them but `TargetUpdate` and `TargetStatus` are public.

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
