//! The result of `--synctest`, in words and as JSON.

use evenstride::Difference;
use evenstride_replay::{SyncDifference, SyncTested};
use serde_json::{Value, json};

use crate::output::{count, insist, tell};

/// Prints the result. Returns whether there was no difference.
pub(crate) fn is_same(tested: &SyncTested) -> bool {
    let is_same = tested.difference.is_none();
    if is_same {
        tell(&words(tested));
    } else {
        insist(&words(tested));
    }
    is_same
}

fn words(tested: &SyncTested) -> String {
    let SyncTested { frames, restores, difference } = tested;
    match difference {
        None => format!(
            "synctest: all {} are the same after {}, bit for bit",
            count(*frames, "frame", "frames"),
            count(*restores, "restore", "restores")
        ),
        Some(SyncDifference { time, desync }) => {
            format!("synctest: the restored world differs first at {time:.3} s, {desync}.")
        }
    }
}

/// Returns the result as a JSON object.
pub(crate) fn json(tested: &SyncTested) -> Value {
    let SyncTested { frames, restores, difference } = tested;
    let difference = difference.as_ref().map(|SyncDifference { time, desync }| {
        json!({
            "frame": desync.frame,
            "time": time,
            "restored_after": desync.restored_after,
            "what": name(&desync.what),
            "words": desync.what.to_string(),
        })
    });
    json!({ "frames": frames, "restores": restores, "difference": difference })
}

const fn name(what: &Difference) -> &'static str {
    match what {
        Difference::Answer { .. } => "answer",
        Difference::State { .. } => "state",
        Difference::Drawing { .. } => "drawing",
        Difference::Events => "events",
        Difference::Actions => "actions",
        Difference::Counters => "counters",
        Difference::Refused(_) => "refused",
        Difference::SavedAgain => "saved again",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, num::NonZeroU32};

    use evenstride::{Config, MotionWorld, OpenField, SyncTest};
    use evenstride_types::{EntityId, SimTime};

    use super::*;

    /// Returns the result of a session in which one entity is traced in one of both worlds alone.
    fn tested(time: f64) -> SyncTested {
        let world = MotionWorld::new(Config::GLIDE, SimTime::ZERO);
        let mut test = SyncTest::new(world, NonZeroU32::MIN);
        let is_first = Cell::new(true);
        test.apply(|world| {
            if is_first.replace(false) {
                world.trace(EntityId::new(1));
            }
        });
        let desync = test.frame(SimTime::ZERO, &OpenField).unwrap_err();
        let difference = Some(SyncDifference { time, desync });
        SyncTested { frames: test.frames(), restores: test.restores(), difference }
    }

    #[test]
    fn a_difference_names_frame_time_and_thing() {
        assert_eq!(
            words(&tested(12.25)),
            "synctest: the restored world differs first at 12.250 s, frame 1, restored after frame 0: the counters or the traced entities differ. Please report this as a bug of Evenstride."
        );
        let json = json(&tested(12.25));
        assert_eq!((&json["frames"], &json["restores"]), (&1.into(), &2.into()));
        let difference = &json["difference"];
        assert_eq!((&difference["frame"], &difference["time"]), (&1.into(), &12.25.into()));
        assert_eq!((&difference["what"], &difference["restored_after"]), (&"counters".into(), &0.into()));
        assert!(difference["words"].as_str().unwrap().starts_with("the counters"));
        assert!(!is_same(&tested(0.0)));
    }
}
