//! Converts text to a library.

use std::{collections::BTreeMap, ops::Range};

use evenstride::animation::{Animation, Clip, Hook, HookDirection, Motion, MotionLibrary, MotionTable};
use evenstride_types::{Pose, Rotation, Vec3, update::MotionCommand};
use serde::Deserialize;
use toml::Spanned;

use crate::names;

/// Number of a text's first animation. Numbers of the game's own animations begin with 03.
const FIRST_ANIMATION: u32 = 0xEB00_0000;

/// An error with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TableError {
    /// Line number, from 1.
    pub line: usize,
    /// Description of the error.
    pub what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    animation: BTreeMap<String, Spanned<AnimationText>>,
    #[serde(default)]
    table: BTreeMap<String, Spanned<TableText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnimationText {
    frames: u32,
    /// Root motion of every keyframe in metres, if all are equal.
    each: Option<[f32; 3]>,
    /// Root motion of each keyframe in metres.
    root: Option<Vec<[f32; 3]>>,
    #[serde(default)]
    hooks: Vec<HookText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HookText {
    frame: u32,
    kind: u32,
    #[serde(default)]
    value: u32,
    direction: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableText {
    default_style: Spanned<String>,
    #[serde(default)]
    style: BTreeMap<Spanned<String>, StyleText>,
    #[serde(default)]
    modifier: BTreeMap<Spanned<String>, Spanned<MotionText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StyleText {
    default: Spanned<String>,
    #[serde(default)]
    cycle: BTreeMap<Spanned<String>, Spanned<MotionText>>,
    #[serde(default)]
    modifier: BTreeMap<Spanned<String>, Spanned<MotionText>>,
    /// Links by the motion they start from, or `any`, and the motion they lead to.
    #[serde(default)]
    link: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<MotionText>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MotionText {
    #[serde(default)]
    clips: Vec<Spanned<ClipText>>,
    #[serde(default)]
    velocity: [f32; 3],
    #[serde(default)]
    omega: [f32; 3],
    #[serde(default)]
    no_modifiers: bool,
    #[serde(default)]
    from_default_only: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClipText {
    animation: String,
    #[serde(default)]
    first: i32,
    #[serde(default = "to_the_end")]
    last: i32,
    #[serde(default = "usual_rate")]
    rate: f32,
}

const fn to_the_end() -> i32 {
    -1
}

const fn usual_rate() -> f32 {
    30.0
}

/// Reads animations and tables, and adds them to the built-in ones.
///
/// # Errors
/// [`TableError`] with the line and the reason.
pub fn parse(text: &str) -> Result<MotionLibrary, TableError> {
    parse_into(text, MotionLibrary::built_in())
}

/// Reads animations and tables, and adds them to a given library.
///
/// # Errors
/// [`TableError`] with the line and the reason.
pub fn parse_into(text: &str, mut library: MotionLibrary) -> Result<MotionLibrary, TableError> {
    let place = Place { text };
    let file: File = toml::from_str(text)
        .map_err(|error| place.error(error.span().unwrap_or(0..0), error.message().to_owned()))?;
    let mut numbers = BTreeMap::new();
    for (number, (name, animation)) in (FIRST_ANIMATION..).zip(&file.animation) {
        let made = animation_of(animation.get_ref())
            .map_err(|why| place.error(animation.span(), format!("animation {name}: {why}")))?;
        library.add_animation(number, made);
        numbers.insert(name.as_str(), number);
    }
    for (name, table) in &file.table {
        let number = names::number(name).filter(|number| *number != 0);
        let number = number.ok_or_else(|| {
            place.error(
                table.span(),
                format!("`{name}` is not the number of a table; write one like 0x09000001"),
            )
        })?;
        library.add_table(number, place.table_of(table.get_ref(), &numbers)?);
    }
    Ok(library)
}

fn animation_of(text: &AnimationText) -> Result<Animation, String> {
    let way = match (&text.each, &text.root) {
        (Some(_), Some(_)) => return Err("has both `each` and `root`; use only one of them".to_owned()),
        (Some(each), None) => vec![*each; text.frames.min(Animation::MAX_FRAMES) as usize],
        (None, Some(root)) => root.clone(),
        (None, None) => Vec::new(),
    };
    let pose = |origin: &[f32; 3]| Pose::new(Vec3::from_array(*origin), Rotation::IDENTITY);
    let root: Result<Vec<Pose>, _> = way.iter().map(pose).collect();
    let animation =
        Animation::new(text.frames, root.map_err(|why| why.to_string())?).map_err(|why| why.to_string())?;
    let mut hooks = Vec::new();
    for hook in &text.hooks {
        if hook.frame >= text.frames {
            return Err(format!(
                "a hook is at keyframe {}, but the animation has {} keyframes, counted from 0",
                hook.frame, text.frames
            ));
        }
        let direction = match hook.direction.as_deref() {
            None | Some("both") => HookDirection::Both,
            Some("forward") => HookDirection::Forward,
            Some("backward") => HookDirection::Backward,
            Some(other) => {
                return Err(format!("direction `{other}` is unknown; use both, forward or backward"));
            }
        };
        hooks.push(Hook { frame: hook.frame, kind: hook.kind, direction, value: hook.value });
    }
    animation.with_hooks(hooks).map_err(|why| why.to_string())
}

/// Finds the line of a place in the text.
struct Place<'a> {
    text: &'a str,
}

impl Place<'_> {
    fn error(&self, span: Range<usize>, what: String) -> TableError {
        let before = self.text.get(..span.start).unwrap_or("");
        TableError { line: before.matches('\n').count() + 1, what }
    }

    fn motion(&self, name: &Spanned<String>) -> Result<MotionCommand, TableError> {
        names::motion(name.get_ref()).map_err(|what| self.error(name.span(), what))
    }

    fn style(&self, name: &Spanned<String>) -> Result<MotionCommand, TableError> {
        let style = self.motion(name)?;
        if style.is_style() {
            return Ok(style);
        }
        Err(self.error(name.span(), format!("`{}` is not a stance; an example is NonCombat", name.get_ref())))
    }

    fn table_of(
        &self,
        text: &TableText,
        animations: &BTreeMap<&str, u32>,
    ) -> Result<MotionTable, TableError> {
        let default_style = self.style(&text.default_style)?;
        let mut table = MotionTable::new(default_style);
        for (name, style_text) in &text.style {
            let style = self.style(name)?;
            let posture = self.motion(&style_text.default)?;
            table.set_style_default(style, posture);
            for (motion, made) in &style_text.cycle {
                table.set_cycle(MotionTable::key(style, self.motion(motion)?), self.made(made, animations)?);
            }
            for (motion, made) in &style_text.modifier {
                table.set_modifier(
                    MotionTable::key(style, self.motion(motion)?),
                    self.made(made, animations)?,
                );
            }
            for (from, links) in &style_text.link {
                let key = match from.get_ref().as_str() {
                    "any" => style.0 << 16,
                    _ => MotionTable::key(style, self.motion(from)?),
                };
                for (to, made) in links {
                    table.set_link(key, self.motion(to)?, self.made(made, animations)?);
                }
            }
            let has_posture = style_text.cycle.keys().any(|motion| self.motion(motion) == Ok(posture));
            if !has_posture {
                let what = format!(
                    "stance {} has no cycle for its default motion `{}`",
                    name.get_ref(),
                    style_text.default.get_ref()
                );
                return Err(self.error(style_text.default.span(), what));
            }
        }
        for (motion, made) in &text.modifier {
            table.set_modifier(self.motion(motion)?.0 & 0x00FF_FFFF, self.made(made, animations)?);
        }
        if !text.style.keys().any(|style| self.style(style) == Ok(default_style)) {
            let what = format!(
                "the default stance `{}` is missing; add a `style` section for it",
                text.default_style.get_ref()
            );
            return Err(self.error(text.default_style.span(), what));
        }
        Ok(table)
    }

    fn made(
        &self,
        text: &Spanned<MotionText>,
        animations: &BTreeMap<&str, u32>,
    ) -> Result<Motion, TableError> {
        let motion = text.get_ref();
        let [velocity, omega] = [motion.velocity, motion.omega].map(Vec3::from_array);
        if !velocity.is_finite() || !omega.is_finite() {
            return Err(self.error(text.span(), "velocity and omega must be finite numbers".to_owned()));
        }
        let mut clips = Vec::new();
        for clip in &motion.clips {
            let ClipText { animation, first, last, rate } = clip.get_ref();
            let Some(number) = animations.get(animation.as_str()) else {
                let known: Vec<&str> = animations.keys().copied().collect();
                let what = format!("unknown animation `{animation}`; known animations: {}", known.join(", "));
                return Err(self.error(clip.span(), what));
            };
            if !rate.is_finite() {
                return Err(self.error(clip.span(), format!("rate: {rate} is not a finite number")));
            }
            clips.push(Clip { animation: *number, low: *first, high: *last, rate: *rate });
        }
        let mut bits = 0;
        if motion.no_modifiers {
            bits |= Motion::NO_MODIFIERS;
        }
        if motion.from_default_only {
            bits |= Motion::FROM_DEFAULT_ONLY;
        }
        Ok(Motion { clips, bits, velocity, omega })
    }
}
