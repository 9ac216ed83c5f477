//! Whether feet fit the ground: the drawn motion against the animation that a contestant shows.

use super::{Drawing, motion::STILL, reference::MOVES, sums::Sums};

impl Sums {
    pub(super) fn add_legs(&mut self, drawing: Drawing<'_>) {
        let Drawing { reference, legs, .. } = drawing;
        for (frame, stride) in legs.iter().enumerate() {
            let Some((before, now, secs)) = drawing.pair(frame) else { continue };
            if reference.flies[frame] {
                continue;
            }
            let speed = (now.at - before.at).with_z(0.0).length() / secs;
            if speed > MOVES {
                self.on_foot += 1;
                self.dragged += u64::from(stride.is_none());
            }
            if let Some(stride) = *stride {
                self.slide += f64::from((speed - stride).abs());
                self.strides += f64::from(stride);
                self.striding += 1;
                self.on_the_spot += u64::from(stride > MOVES && speed < STILL);
            }
        }
    }
}
