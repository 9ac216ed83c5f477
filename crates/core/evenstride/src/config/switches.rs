//! Switches of a configuration by name and value, for hosts that configure by text.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
};
use core::str::FromStr;

use evenstride_types::update::CommandTable;

use crate::config::{
    CatchUp, Config, DescribedGoals, DrawMode, EarlyUpdatePolicy, Gate, GlideParts, Landing, MissingTables,
    MissingViewpoint, Orientation, RootMotionMode, Takeoff, UnknownEntityPolicy,
};

/// A switch of [`Config`], with the values that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Switch {
    /// Name, such as `gate` or `limits.bodies`.
    pub name: &'static str,
    /// Values by name. Empty for a number.
    pub values: &'static [&'static str],
}

/// Error for an unknown switch or value. The configuration is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SwitchError {
    /// No switch has this name.
    #[error("`{name}` is not a switch; use one of {known}")]
    UnknownSwitch {
        /// The name that was given.
        name: String,
        /// All valid names, separated by commas.
        known: String,
    },
    /// The switch does not take this value.
    #[error("{switch}: `{value}` is not one of {known}")]
    UnknownValue {
        /// Name of the switch.
        switch: &'static str,
        /// The value that was given.
        value: String,
        /// The valid values, separated by commas. For a number, its type.
        known: String,
    },
}

/// Names the values of an enum, in both directions.
macro_rules! named {
    ($($type:ty { $($variant:ident = $name:literal),* $(,)? })*) => {$(
        impl Named for $type {
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    )*};
}

/// An enum whose values have names.
trait Named: Copy {
    const NAMES: &'static [&'static str];
    fn name(self) -> &'static str;
    fn from_name(name: &str) -> Option<Self>;
}

named! {
    Gate { Shared = "shared", PerBody = "per-body", Fixed = "fixed" }
    Orientation { OnTheWay = "on-the-way", OnReceipt = "on-receipt" }
    Landing { BySurroundings = "by-surroundings", OnGroundedUpdate = "on-grounded-update" }
    Takeoff { GaitReplacesImpulse = "gait-replaces-impulse", ImpulseKeepsItsRise = "impulse-keeps-its-rise" }
    DescribedGoals { BeforePlacement = "before-placement", AfterPlacement = "after-placement" }
    MissingTables { BuiltInSpeed = "built-in-speed", HeardSpeed = "heard-speed" }
    RootMotionMode { PerKeyframe = "per-keyframe", Continuous = "continuous" }
    CatchUp { AtOnce = "at-once", OneStepPerFrame = "one-step-per-frame" }
    EarlyUpdatePolicy { Lost = "lost", Kept = "kept" }
    UnknownEntityPolicy { Park = "park", Adopt = "adopt" }
    MissingViewpoint { AllFar = "all-far", AllNear = "all-near" }
    CommandTable { Client2013 = "client-2013", Final = "final" }
}

/// Names of draw modes. Those of gliding are in the order of the parts that are left out, as bits.
const DRAW_MODES: [&str; 18] = [
    "as-simulated",
    "interpolated",
    "gliding",
    "gliding-no-bias",
    "gliding-no-heading",
    "gliding-no-bias-no-heading",
    "gliding-no-brake",
    "gliding-no-bias-no-brake",
    "gliding-no-heading-no-brake",
    "gliding-no-bias-no-heading-no-brake",
    "gliding-no-arrival",
    "gliding-no-bias-no-arrival",
    "gliding-no-heading-no-arrival",
    "gliding-no-bias-no-heading-no-arrival",
    "gliding-no-brake-no-arrival",
    "gliding-no-bias-no-brake-no-arrival",
    "gliding-no-heading-no-brake-no-arrival",
    "gliding-no-bias-no-heading-no-brake-no-arrival",
];

impl Named for DrawMode {
    const NAMES: &'static [&'static str] = &DRAW_MODES;

    fn name(self) -> &'static str {
        DRAW_MODES[match self {
            Self::AsSimulated => 0,
            Self::Interpolated => 1,
            Self::Gliding(parts) => 2 + usize::from(parts.complement().bits()),
        }]
    }

    fn from_name(name: &str) -> Option<Self> {
        match DRAW_MODES.iter().position(|known| *known == name)? {
            0 => Some(Self::AsSimulated),
            1 => Some(Self::Interpolated),
            index => Some(Self::Gliding(GlideParts::from_bits_truncate(index as u8 - 2).complement())),
        }
    }
}

/// Lists every switch once, and derives the table and both directions from the list.
macro_rules! switches {
    (named { $($choice:ident: $type:ty),* $(,)? } numbers { $($name:literal => $($number:ident).+),* $(,)? }) => {
        impl Config {
            /// Every switch, with the values that it takes.
            pub const SWITCHES: &'static [Switch] = &[
                $(Switch { name: stringify!($choice), values: <$type as Named>::NAMES },)*
                $(Switch { name: $name, values: &[] },)*
            ];

            /// Sets a switch by name and value.
            ///
            /// ```
            /// use evenstride::{Config, config::{Gate, SwitchError}};
            ///
            /// let mut config = Config::RETAIL;
            /// config.set("gate", "fixed")?;
            /// config.set("limits.events", "64")?;
            /// assert_eq!((config.gate, config.limits.events), (Gate::Fixed, 64));
            /// let error = config.set("gate", "open").unwrap_err();
            /// assert_eq!(error.to_string(), "gate: `open` is not one of shared, per-body, fixed");
            /// assert!(matches!(config.set("speed", "fast"), Err(SwitchError::UnknownSwitch { .. })));
            /// for switch in Config::SWITCHES {
            ///     println!("{} = {}", switch.name, config.value(switch.name)?);
            /// }
            /// # Ok::<(), SwitchError>(())
            /// ```
            ///
            /// # Errors
            /// [`SwitchError`] if there is no such switch, or it does not take this value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), SwitchError> {
                match name {
                    $(stringify!($choice) => self.$choice = choice(stringify!($choice), value)?,)*
                    $($name => self.$($number).+ = number($name, value)?,)*
                    _ => return Err(unknown(name)),
                }
                Ok(())
            }

            /// Returns the value of a switch, as [`set`](Self::set) takes it.
            ///
            /// # Errors
            /// [`SwitchError`] if there is no such switch.
            pub fn value(&self, name: &str) -> Result<String, SwitchError> {
                match name {
                    $(stringify!($choice) => Ok(self.$choice.name().to_owned()),)*
                    $($name => Ok(self.$($number).+.to_string()),)*
                    _ => Err(unknown(name)),
                }
            }
        }
    };
}

switches! {
    named {
        gate: Gate,
        orientation: Orientation,
        landing: Landing,
        takeoff: Takeoff,
        described_goals: DescribedGoals,
        missing_tables: MissingTables,
        root_motion: RootMotionMode,
        drawing: DrawMode,
        player_drawing: DrawMode,
        player_catch_up: CatchUp,
        early_life: EarlyUpdatePolicy,
        unknown: UnknownEntityPolicy,
        no_viewpoint: MissingViewpoint,
        commands: CommandTable,
    }
    numbers {
        "max_step_secs" => max_step_secs,
        "world" => world,
        "limits.bodies" => limits.bodies,
        "limits.events" => limits.events,
        "limits.actions" => limits.actions,
        "limits.parked_per_entity" => limits.parked_per_entity,
        "limits.parked_bytes_per_entity" => limits.parked_bytes_per_entity,
        "limits.parked" => limits.parked,
        "limits.parked_bytes" => limits.parked_bytes,
        "limits.decision_bytes" => limits.decision_bytes,
    }
}

/// Parses the value of a switch with named values.
fn choice<T: Named>(switch: &'static str, value: &str) -> Result<T, SwitchError> {
    T::from_name(value).ok_or_else(|| SwitchError::UnknownValue {
        switch,
        value: value.to_owned(),
        known: T::NAMES.join(", "),
    })
}

/// Parses the value of a switch that is a number.
fn number<T: FromStr>(switch: &'static str, value: &str) -> Result<T, SwitchError> {
    value.parse().map_err(|_| SwitchError::UnknownValue {
        switch,
        value: value.to_owned(),
        known: format!("the numbers of type {}", core::any::type_name::<T>()),
    })
}

/// Makes the error for a name that no switch has.
fn unknown(name: &str) -> SwitchError {
    let names = Config::SWITCHES.iter().map(|switch| switch.name);
    let mut known = String::new();
    for (index, name) in names.enumerate() {
        known.push_str(if index == 0 { "" } else { ", " });
        known.push_str(name);
    }
    SwitchError::UnknownSwitch { name: name.to_owned(), known }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Debug output names every field, so the test notices a missing switch.
    #[test]
    fn every_field_is_a_switch_and_every_value_comes_back() {
        let fields = format!("{:?}", Config::RETAIL);
        let expected = fields.matches(": ").count() - 1;
        assert_eq!(Config::SWITCHES.len(), expected, "{fields}");
        for (_, profile) in Config::PROFILES {
            let mut copy = Config::RETAIL;
            for switch in Config::SWITCHES {
                copy.set(switch.name, &profile.value(switch.name).unwrap()).unwrap();
                for value in switch.values {
                    copy.clone().set(switch.name, value).unwrap();
                }
            }
            assert_eq!(copy, profile);
        }
    }
}
