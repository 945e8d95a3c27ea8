//! A template: the roles of a team, what each is told, and who waits for whom. It names no program and no host.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The most roles of a team, and the most characters of a name and of a prompt.
const MOST_ROLES: usize = 16;
const LONGEST_NAME: usize = 40;
const LONGEST_PROMPT: usize = 20_000;

/// The name of the built-in agent in a template.
pub const OURSELVES: &str = "hansei";

/// Who a team consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// What it is called by.
    pub name: String,
    /// What it is for, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its roles.
    pub roles: Vec<Role>,
}

/// A role in a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    /// What it is called by.
    pub name: String,
    /// What whoever has it is told.
    pub prompt: String,
    /// Its model, where that is not the run's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The agent that works, by its name, where that is not the run's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Those whose work it begins from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoTemplate(pub String);

impl Template {
    /// Reads a template from YAML.
    pub fn of_yaml(text: &str) -> Result<Self, NoTemplate> {
        let options = serde_saphyr::options! {
            strict_booleans: true,
            with_snippet: false,
            budget: serde_saphyr::budget! { max_events: 10_000, max_aliases: 100, max_depth: 20 },
        };
        let value: Value = serde_saphyr::from_str_with_options(text, options)
            .map_err(|error| NoTemplate(format!("not YAML: {error}")))?;
        let Value::Object(map) = value else {
            return Err(NoTemplate("a template is a mapping with the keys name and roles".to_owned()));
        };
        known_keys(&map, &["name", "description", "roles"], "a template")?;
        let roles = match map.get("roles") {
            Some(Value::Array(roles)) => roles.iter().map(role).collect::<Result<Vec<_>, _>>()?,
            None | Some(Value::Null) => Vec::new(),
            Some(_) => return Err(NoTemplate("roles is no list".to_owned())),
        };
        let template = Self {
            name: named(&map, "the template")?,
            description: text_of(&map, "description")?.unwrap_or_default(),
            roles,
        };
        template.checked()
    }

    /// The template, if a team can be put together from it. What is on record is checked as well: anybody may have written it.
    pub fn checked(self) -> Result<Self, NoTemplate> {
        let bad = |what: String| Err(NoTemplate(what));
        if self.roles.is_empty() {
            return bad("it has no roles".to_owned());
        }
        if self.roles.len() > MOST_ROLES {
            return bad(format!("it has {} roles; {MOST_ROLES} are the most", self.roles.len()));
        }
        for (at, role) in self.roles.iter().enumerate() {
            let name = &role.name;
            if !is_name(name) {
                return bad(format!("{name:?} is no name for a role: {NAMES}"));
            }
            if self.roles[..at].iter().any(|other| other.name == *name) {
                return bad(format!("there are two roles called {name}"));
            }
            if role.prompt.trim().is_empty() {
                return bad(format!("the role {name} has no prompt"));
            }
            if role.agent.as_ref().is_some_and(|agent| !is_name(agent)) {
                return bad(format!(
                    "the role {name} names an agent by a command; only known agents can be named"
                ));
            }
            for needed in &role.depends_on {
                if needed == name {
                    return bad(format!("the role {name} depends on itself"));
                }
                if !self.roles.iter().any(|other| other.name == *needed) {
                    return bad(format!("the role {name} depends on {needed:?}, which is no role of it"));
                }
            }
        }
        match self.order() {
            Ok(_) => Ok(self),
            Err(circle) => bad(format!("these roles wait for each other: {}", circle.join(", "))),
        }
    }

    /// The places of its roles in an order in which nobody comes before those it depends on; as they are written
    /// where that leaves a choice. Where there is none, those that wait for each other.
    pub fn order(&self) -> Result<Vec<usize>, Vec<String>> {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < self.roles.len() {
            let is_placed = |name: &String| order.iter().any(|at| self.roles[*at].name == *name);
            let next = (0..self.roles.len())
                .find(|at| !order.contains(at) && self.roles[*at].depends_on.iter().all(is_placed));
            let Some(next) = next else {
                let left = self.roles.iter().map(|role| &role.name).filter(|name| !is_placed(name));
                return Err(left.cloned().collect());
            };
            order.push(next);
        }
        Ok(order)
    }
}

const NAMES: &str = "letters, digits, - and _, beginning with a letter";

/// Whether a text can be the name of a role or a template: it is shown, and becomes a part of a path.
fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|part| part.is_ascii_alphanumeric() || matches!(part, '-' | '_'))
}

fn role(value: &Value) -> Result<Role, NoTemplate> {
    let Value::Object(map) = value else {
        return Err(NoTemplate("a role is a mapping with the keys name and prompt".to_owned()));
    };
    let name = named(map, "a role")?;
    known_keys(map, &["name", "prompt", "model", "agent", "depends_on"], &format!("the role {name}"))?;
    let depends_on = match map.get("depends_on") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => {
            let names: Option<Vec<_>> = all.iter().map(|one| one.as_str().map(str::to_owned)).collect();
            names.ok_or_else(|| NoTemplate(format!("depends_on of {name} is no list of names")))?
        }
        Some(_) => return Err(NoTemplate(format!("depends_on of {name} is no list of names"))),
    };
    Ok(Role {
        prompt: text_of(map, "prompt")?.unwrap_or_default(),
        model: text_of(map, "model")?,
        agent: text_of(map, "agent")?,
        name,
        depends_on,
    })
}

fn named(map: &Map<String, Value>, what: &str) -> Result<String, NoTemplate> {
    let name = text_of(map, "name")?.ok_or_else(|| NoTemplate(format!("{what} has no name")))?;
    if is_name(&name) { Ok(name) } else { Err(NoTemplate(format!("{name:?} is no name: {NAMES}"))) }
}

fn text_of(map: &Map<String, Value>, key: &str) -> Result<Option<String>, NoTemplate> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.chars().count() <= LONGEST_PROMPT => {
            Ok(Some(text.trim().to_owned()))
        }
        Some(Value::String(_)) => {
            Err(NoTemplate(format!("{key} is longer than {LONGEST_PROMPT} characters")))
        }
        Some(_) => Err(NoTemplate(format!("{key} is no text"))),
    }
}

fn known_keys(map: &Map<String, Value>, known: &[&str], what: &str) -> Result<(), NoTemplate> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(NoTemplate(format!("{what} has no key {key:?}; there are {}", known.join(", ")))),
        None => Ok(()),
    }
}
