//! Entities by id or by name.

use anyhow::{Result, bail};
use evenstride_replay::Script;
use evenstride_types::EntityId;

use crate::output::one_line;

/// Number of entities that an error lists.
const LISTED: usize = 8;

/// An entity as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntityArg(pub(crate) String);

impl EntityArg {
    /// Takes any text. The capture decides whether it names an entity.
    #[expect(clippy::unnecessary_wraps, reason = "clap wants a result")]
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }

    /// Returns the entity. A name need not be complete, and its case does not matter.
    pub(crate) fn find(&self, script: &Script) -> Result<EntityId> {
        let known = script.entities();
        let id = parse_id(&self.0);
        if let Some(id) = id.filter(|id| known.contains(id)) {
            return Ok(id);
        }
        let wanted = self.0.to_lowercase();
        let named = |is_match: &dyn Fn(&str) -> bool| -> Vec<EntityId> {
            let names = script.names.iter().filter(|(entity, _)| known.contains(entity));
            names.filter(|(_, name)| is_match(&name.to_lowercase())).map(|(entity, _)| *entity).collect()
        };
        let is_match: [&dyn Fn(&str) -> bool; 3] =
            [&|name| name == wanted, &|name| name.starts_with(&wanted), &|name| name.contains(&wanted)];
        let found = is_match.into_iter().map(named).find(|found| !found.is_empty()).unwrap_or_default();
        match found[..] {
            [one] => Ok(one),
            [] if id.is_some() => {
                bail!("no message mentions {}; nearest: {}", self.0, self.nearest(script))
            }
            [] => bail!("no entity is named `{}`; nearest: {}", one_line(&self.0), self.nearest(script)),
            _ => bail!(
                "`{}` names {} entities; use an id: {}",
                one_line(&self.0),
                found.len(),
                listed(script, found.iter().copied())
            ),
        }
    }

    /// Lists the known entities that resemble the wanted one, nearest first.
    fn nearest(&self, script: &Script) -> String {
        let wanted = self.0.to_lowercase();
        let digits = wanted.trim_start_matches("0x");
        let likeness = |entity: &EntityId| {
            let name = script.names.get(entity).map_or_else(String::new, |name| name.to_lowercase());
            let by_name = strsim::jaro_winkler(&name, &wanted);
            let by_id = strsim::normalized_levenshtein(&format!("{:08x}", entity.raw()), digits);
            by_name.max(by_id)
        };
        let mut known: Vec<(f64, EntityId)> =
            script.entities().into_iter().map(|entity| (likeness(&entity), entity)).collect();
        known.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        listed(script, known.into_iter().map(|(_, entity)| entity))
    }
}

/// Parses `0x50000002` or `50000002`. Entities are hexadecimal everywhere.
pub(crate) fn parse_id(text: &str) -> Option<EntityId> {
    let digits = text.trim_start_matches("0x").trim_start_matches("0X");
    u32::from_str_radix(digits, 16).map(EntityId::new).ok()
}

/// Returns an entity with its name, if that is known.
pub(crate) fn name_of(script: &Script, entity: EntityId) -> String {
    match script.names.get(&entity) {
        Some(name) if !name.is_empty() => format!("{entity} {}", one_line(name)),
        _ => entity.to_string(),
    }
}

/// Returns the name of an entity, or else its id.
pub(crate) fn called(script: &Script, entity: EntityId) -> String {
    match script.names.get(&entity) {
        Some(name) if !name.is_empty() => one_line(name).into_owned(),
        _ => entity.to_string(),
    }
}

fn listed(script: &Script, entities: impl ExactSizeIterator<Item = EntityId>) -> String {
    let more = entities.len().saturating_sub(LISTED);
    let words: Vec<String> = entities.take(LISTED).map(|entity| name_of(script, entity)).collect();
    words.join(", ") + &(if more > 0 { format!(" and {more} more") } else { String::new() })
}
