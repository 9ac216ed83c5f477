//! The methods that a viewer can compare: profiles of Evenstride, and rivals.

use evenstride::Config;
use evenstride_arena::rival::{Rival, rivals};

/// A way to draw entities.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// A profile of Evenstride, by its name in lower case.
    Profile(&'static str, Box<Config>),
    /// A rival, by its name.
    Rival(&'static str),
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
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Profile(name, _) | Self::Rival(name) => name,
        }
    }
}

/// Returns a rival in its initial state. Every name of [`Method::Rival`] has one.
pub(crate) fn rival(name: &str) -> Option<Box<dyn Rival>> {
    rivals().into_iter().find(|rival| rival.name() == name)
}
