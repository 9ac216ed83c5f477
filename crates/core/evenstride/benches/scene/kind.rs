//! The list of scenes. Benchmarks, instruction counts and tests take it from here.

/// Declares [`Kind`] with the name of each scene, so that no scene can lack one.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal,)+) => {
        /// What every body of a scene does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl Kind {
            pub const ALL: &[Self] = &[$(Self::$kind,)+];

            #[allow(dead_code, clippy::allow_attributes, reason = "benchmarks have names of their own")]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }
        }
    };
}

kinds! {
    /// Stands, and one round is one step of all.
    Idle = "idle",
    /// The same, while the viewpoint walks through the crowd.
    IdleMovingView = "idle-moving-view",
    /// Walks towards a waypoint, with another behind it, and one round is one step of all.
    Chasing = "chasing",
    /// The same, and neither changed bodies nor events are ever drained. The difference is the price of these lists.
    ChasingUndrained = "chasing-undrained",
    /// As chasing, but in storage order, so that the waypoints of neighbours are neighbours too. The difference is the price of scattered memory.
    ChasingInOrder = "chasing-in-order",
    /// Runs by its legs and hears its place five times per second, as the usual remote does. One round is one step of all.
    Trailing = "trailing",
    /// Hears a position that joins its route, and one round is one position for all, in random order. The host handles one at a time.
    Routing = "routing",
    /// The same, and the host handles many at once, as it does in all other scenes.
    RoutingBatch = "routing-batch",
    /// The same in storage order, which no server's traffic has.
    RoutingInOrder = "routing-in-order",
    /// Flies, and one round is one step of all.
    Flying = "flying",
    /// Runs on by its legs, with no waypoint, and one round is one step of all.
    Striding = "striding",
    /// Goes where the server has sent it, and one round is one step of all.
    Sent = "sent",
    /// Chases one of a hundredth of them, which walk in circles, and one round is one step of all.
    Pursuing = "pursuing",
    /// One in twenty walks, the others stand, and one round is one step of all.
    Sparse = "sparse",
    /// The same, while the viewpoint walks through the crowd.
    SparseMovingView = "sparse-moving-view",
    /// The same, while the viewpoint walks so far from the crowd that bodies fall asleep and wake.
    SparseCrossingView = "sparse-crossing-view",
    /// Walks, and every decision about it is recorded, one round is one step of all.
    Watched = "watched",
    /// Is told to walk, hidden and shown. One in ten is deleted and made again, or put into a hand and out of it, or spoken of before it is
    /// there. One round is all of that and a step.
    Churning = "churning",
    /// Walks. One round draws all of them.
    Drawn = "drawn",
    /// Walks, drawn between steps. One round draws all of them.
    Blended = "blended",
    /// Walks. One round draws all bodies that changed, which are all of them.
    Changed = "changed",
    /// Runs with an animation. One round reads the animation of every body.
    Animated = "animated",
    /// Rolls in a plain world. One round draws all entities in the game's axes.
    Plain = "plain",
    /// Runs on by its legs, drawn at a pose of its own. One round is one frame without a step.
    Gliding = "gliding",
    /// Goes where the server has sent it, drawn at a pose of its own. One round is one frame without a
    /// step.
    GlidingSent = "gliding-sent",
    /// Stands, drawn at a pose of its own. One round is one frame without a step.
    GlidingIdle = "gliding-idle",
    /// Runs by its legs and hears its place five times per second, drawn at a pose of its own. One round is one frame with a step.
    GlidingTrailing = "gliding-trailing",
    /// Runs on by its legs, drawn at a pose of its own. One round draws all of them.
    Glided = "glided",
    /// Walks. One round saves all of them.
    Saved = "saved",
    /// Walks. One round restores all of them.
    Restored = "restored",
}

impl Kind {
    #[allow(dead_code, clippy::allow_attributes, reason = "only one user has a command line")]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Returns whether bodies have poses of their own.
    pub const fn is_gliding(self) -> bool {
        matches!(
            self,
            Self::Gliding | Self::GlidingSent | Self::GlidingIdle | Self::GlidingTrailing | Self::Glided
        )
    }

    /// Returns whether only one body in twenty ever moves.
    pub const fn is_sparse(self) -> bool {
        matches!(self, Self::Sparse | Self::SparseMovingView | Self::SparseCrossingView)
    }

    /// Returns whether the host handles one position at a time.
    pub const fn is_single(self) -> bool {
        matches!(self, Self::Routing | Self::RoutingInOrder)
    }

    /// Returns whether updates arrive in the order in which bodies were made.
    pub const fn is_in_order(self) -> bool {
        matches!(self, Self::ChasingInOrder | Self::RoutingInOrder)
    }

    /// Returns the task that bodies get before the first round.
    pub const fn start(self) -> Start {
        match self {
            Self::Idle | Self::IdleMovingView | Self::Flying | Self::GlidingIdle | Self::Plain => {
                Start::Stand
            }
            Self::Striding
            | Self::Trailing
            | Self::Animated
            | Self::Gliding
            | Self::GlidingTrailing
            | Self::Glided => Start::Run,
            Self::Sent | Self::Pursuing | Self::GlidingSent => Start::Go,
            _ => Start::Walk,
        }
    }
}

/// The task that bodies get before the first round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// None. They stay as they were made.
    Stand,
    /// A waypoint.
    Walk,
    /// A run by their legs.
    Run,
    /// A goal that the server sets.
    Go,
}
