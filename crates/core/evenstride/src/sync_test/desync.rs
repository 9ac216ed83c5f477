//! The error of a sync test.

use alloc::string::String;

use crate::save::RestoreError;

/// A difference between a world and its restored twin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("frame {frame}, restored after frame {restored_after}: {what}")]
#[non_exhaustive]
pub struct Desync {
    /// Number of the frame that found it, from 1.
    pub frame: u64,
    /// Number of frames before the twin was restored. It is 0 for the restore at the start.
    pub restored_after: u64,
    /// The difference.
    pub what: Difference,
}

/// What differed between a world and its restored twin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Difference {
    /// A call of the host was answered differently.
    #[error(
        "call {call} of the frame answered {world}, but {twin} in the restored world. Surroundings and closures must depend on their arguments alone. If yours do, please report this as a bug of Evenstride"
    )]
    Answer {
        /// Number of the call of `SyncTest::apply` since the frame before, from 1.
        call: u32,
        /// `Debug` text of the world's answer.
        world: String,
        /// `Debug` text of the twin's answer.
        twin: String,
    },
    /// Something that further motion depends on differs.
    #[error(
        "the state differs{}. Surroundings and closures must depend on their arguments alone. If yours do, please report this as a bug of Evenstride",
        of_entity(*.entity)
    )]
    State {
        /// First entity whose view differs. `None` if all views are the same.
        entity: Option<u64>,
    },
    /// A ghost or a pose differs, while the state is the same.
    #[error(
        "the drawn poses differ{}. Surroundings must depend on their arguments alone. If yours do, please report this as a bug of Evenstride",
        of_entity(*.entity)
    )]
    Drawing {
        /// First entity that is drawn elsewhere. `None` if all are drawn at the same places.
        entity: Option<u64>,
    },
    /// Unpolled events differ.
    #[error(
        "the events differ. Surroundings must depend on their arguments alone. If yours do, please report this as a bug of Evenstride"
    )]
    Events,
    /// Messages to be sent to the server differ.
    #[error(
        "the messages to be sent differ. Poll them in `SyncTest::apply`. If you do, please report this as a bug of Evenstride"
    )]
    Actions,
    /// Counters or traced entities differ.
    #[error("the counters or the traced entities differ. Please report this as a bug of Evenstride")]
    Counters,
    /// The world's own save was not accepted.
    #[error("the world's own save cannot be restored: {0}. Please report this as a bug of Evenstride")]
    Refused(RestoreError),
    /// The restored world saves to other bytes than those it was restored from.
    #[error("the restored world saves to other bytes. Please report this as a bug of Evenstride")]
    SavedAgain,
}

/// Returns the end of a phrase that names an entity.
fn of_entity(entity: Option<u64>) -> String {
    entity.map_or_else(String::new, |entity| alloc::format!(", first of entity {entity:#010x}"))
}
