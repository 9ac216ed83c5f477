//! The methods that a viewer can compare: profiles of Evenstride, and rivals.

use evenstride::Config;
use evenstride_arena::rival::{DrawnTrack, Rival, rivals};

/// A way to draw entities.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// A profile of Evenstride, by its name in lower case.
    Profile(&'static str, Box<Config>),
    /// A rival, by its name.
    Rival(&'static str),
    /// What another program drew.
    Drawn(DrawnTrack),
}

/// Names of the profiles, best first.
pub const PROFILE_NAMES: [&str; 4] = ["glide", "smooth", "retail", "acdream"];

impl Method {
    /// Returns the method with a name. Case does not matter.
    pub fn find(name: &str) -> Option<Self> {
        let profile = PROFILE_NAMES.into_iter().find(|of| of.eq_ignore_ascii_case(name));
        if let Some(profile) = profile {
            let known = Config::PROFILES.into_iter().find(|(of, _)| of.eq_ignore_ascii_case(profile));
            return known.map(|(_, config)| Self::Profile(profile, Box::new(config)));
        }
        rivals().iter().map(|rival| rival.name()).find(|of| of.eq_ignore_ascii_case(name)).map(Self::Rival)
    }

    /// Returns the names of all methods.
    pub fn names() -> Vec<&'static str> {
        PROFILE_NAMES.into_iter().chain(rivals().iter().map(|rival| rival.name())).collect()
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        match self {
            Self::Profile(name, _) | Self::Rival(name) => name,
            Self::Drawn(track) => &track.name,
        }
    }

    /// Returns the rival in its initial state, or `None` for a profile.
    pub(crate) fn rival(&self) -> Option<Box<dyn Rival>> {
        match self {
            Self::Profile(..) => None,
            Self::Rival(name) => rivals().into_iter().find(|rival| rival.name() == *name),
            Self::Drawn(track) => Some(track.boxed_clone()),
        }
    }
}
