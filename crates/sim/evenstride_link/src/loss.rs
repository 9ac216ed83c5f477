//! Loss of single datagrams and in bursts.
//!
//! ```text
//!             enter
//!   ┌──────┐ ───────► ┌─────┐
//!   │ good │          │ bad │      each datagram: first the state may change, then it is lost
//!   └──────┘ ◄─────── └─────┘      with the probability of the state it is in
//!   loss      leave    burst loss
//! ```
//!
//! This is the Gilbert–Elliott model. A burst lasts 1 / `leave` datagrams on average.

use crate::{Burst, Random};

/// State of the link in the Gilbert–Elliott model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weather {
    is_bad: bool,
}

impl Weather {
    /// Returns whether the next datagram is lost.
    pub(crate) const fn loses(&mut self, loss: f64, burst: Option<Burst>, random: &mut Random) -> bool {
        let probability = match burst {
            None => loss,
            Some(burst) => {
                let turns = if self.is_bad { burst.leave } else { burst.enter };
                self.is_bad ^= random.happens(turns);
                if self.is_bad { burst.loss } else { loss }
            }
        };
        random.happens(probability)
    }
}
