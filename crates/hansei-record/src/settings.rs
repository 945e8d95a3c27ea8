//! Settings: `hansei.toml` at the root of the workspace, then the user's own `config.toml`, then flags; later wins.
//!
//! A workspace's file comes with the repository and is not trusted: it may shape what is reported, and holds no key
//! that runs a program, names a host or raises autonomy: such a key in it is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hansei_core::reflection::UnitInterval;
use hansei_core::risk::{BadPattern, DEFAULT_THRESHOLD, Floor, SurfacePatterns};
use hansei_core::surface::Surface;
use serde::{Deserialize, Serialize};

use crate::check_settings::CheckSettings;
use crate::folder::read_named_by_user;
use crate::judge_settings::JudgeSettings;
use crate::notify_settings::{NotifySettings, StuckSettings};
use crate::run_settings::RunSettings;
use crate::sandbox_settings::SandboxSettings;
use crate::stop_settings::StopSettings;
use crate::store_settings::StoreSettings;
use crate::verify_settings::VerifySettings;

/// The workspace's own file.
pub const WORKSPACE_FILE: &str = "hansei.toml";
const LARGEST: u64 = 1024 * 1024;

/// One file's settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The review risk floor.
    #[serde(default)]
    pub risk: RiskSettings,
    /// The judge's model; only in the user's own file.
    #[serde(default)]
    pub judge: JudgeSettings,
    /// What happens at a stop.
    #[serde(default)]
    pub stop: StopSettings,
    /// The project's checks.
    #[serde(default)]
    pub checks: CheckSettings,
    /// How a person is told; only in the user's own file.
    #[serde(default)]
    pub notify: NotifySettings,
    /// When a silent session is looked at; only in the user's own file.
    #[serde(default)]
    pub stuck: StuckSettings,
    /// Where the index is; only in the user's own file.
    #[serde(default)]
    pub store: StoreSettings,
    /// What sandboxed commands may use and see; only in the user's own file.
    #[serde(default)]
    pub sandbox: SandboxSettings,
    /// Further ecosystems that are verified; only in the user's own file.
    #[serde(default)]
    pub verify: VerifySettings,
    /// What runs are; only in the user's own file.
    #[serde(default)]
    pub run: RunSettings,
    /// The unblocker's model; only in the user's own file.
    #[serde(default)]
    pub unblock: JudgeSettings,
}

impl Settings {
    /// A section that only the user's own file may hold, with the keys that are set in it.
    fn not_for_a_repository(&self) -> Option<(&'static str, Vec<&'static str>)> {
        let set = |rows: Vec<(&'static str, Option<serde_json::Value>)>| {
            rows.into_iter().filter(|(_, value)| value.is_some()).map(|(key, _)| key).collect::<Vec<_>>()
        };
        let stuck = self.stuck.after_seconds.map(|_| "after_seconds").into_iter().collect();
        let sections = [
            ("judge", self.judge.keys()),
            ("notify", set(self.notify.rows())),
            ("stuck", stuck),
            ("store", set(self.store.rows())),
            ("sandbox", set(self.sandbox.rows())),
            ("verify", set(self.verify.rows())),
            ("run", set(self.run.rows())),
            ("unblock", self.unblock.keys()),
        ];
        sections.into_iter().find(|(_, keys)| !keys.is_empty())
    }
}

/// Settings of the review risk floor.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiskSettings {
    /// The score from which a change needs review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<UnitInterval>,
    /// Patterns per surface.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub surfaces: BTreeMap<Surface, SurfacePatterns>,
}

/// Where a setting comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Built in.
    Default,
    /// A file.
    File(PathBuf),
}

impl Origin {
    /// Whether it is a repository's file, which is not trusted.
    fn is_workspace(&self) -> bool {
        matches!(self, Self::File(path) if path.file_name().is_some_and(|name| name == WORKSPACE_FILE))
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// A settings file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// It cannot be read.
    #[error("{file}: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// The reason.
        source: std::io::Error,
    },
    /// It is not what it should be.
    #[error("{file}: {message}")]
    Invalid {
        /// The file.
        file: String,
        /// What is wrong and where.
        message: String,
    },
    /// A workspace's file holds what only the user's own may.
    #[error(
        "{file}: [{section}] ({keys}) is honoured only in your own config.toml: a repository must not name a host, run a \
         program or spend your money"
    )]
    NotTrusted {
        /// The file.
        file: String,
        /// The section.
        section: &'static str,
        /// The keys.
        keys: String,
    },
    /// A pattern in it is not a regular expression.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
}

/// All layers, the weakest first.
#[derive(Debug, Default)]
pub struct Layers(Vec<(Origin, Settings)>);

impl Layers {
    /// The user's own settings over those of the workspace, which are given as text: they are not always read from the
    /// work tree.
    pub fn load(workspace: Option<(&Path, &[u8])>, user_file: Option<&Path>) -> Result<Self, SettingsError> {
        let mut layers = Vec::new();
        if let Some((path, text)) = workspace {
            let settings = parse(path, text)?;
            if let Some((section, keys)) = settings.not_for_a_repository() {
                let file = path.display().to_string();
                return Err(SettingsError::NotTrusted { file, section, keys: keys.join(", ") });
            }
            layers.push((Origin::File(path.to_owned()), settings));
        }
        if let Some(path) = user_file
            && let Some(text) = read_file(path)?
        {
            layers.push((Origin::File(path.to_owned()), parse(path, &text)?));
        }
        Ok(Self(layers))
    }

    /// The score from which a change needs review.
    pub fn threshold(&self) -> (UnitInterval, Origin) {
        let set = self
            .0
            .iter()
            .rev()
            .find_map(|(origin, settings)| Some((settings.risk.threshold?, origin.clone())));
        set.unwrap_or((
            UnitInterval::try_from(DEFAULT_THRESHOLD).unwrap_or(UnitInterval::ONE),
            Origin::Default,
        ))
    }

    /// The patterns per surface, each surface from the strongest layer that names it.
    pub fn surfaces(&self) -> BTreeMap<Surface, (SurfacePatterns, Origin)> {
        let all = self.0.iter().flat_map(|(origin, settings)| {
            settings.risk.surfaces.iter().map(move |(surface, own)| (*surface, (own.clone(), origin.clone())))
        });
        all.collect()
    }

    /// The judge's model, and the file that configures it.
    pub fn judge(&self) -> (JudgeSettings, Origin) {
        let set = self.0.iter().rev().find(|(_, settings)| settings.judge != JudgeSettings::default());
        set.map_or((JudgeSettings::default(), Origin::Default), |(origin, settings)| {
            (settings.judge.clone(), origin.clone())
        })
    }

    /// How a person is told, by the user's own file.
    pub fn notify(&self) -> (NotifySettings, Origin) {
        self.of_user(|settings| settings.notify.clone())
    }

    /// When a silent session is looked at, by the user's own file.
    pub fn stuck(&self) -> (StuckSettings, Origin) {
        self.of_user(|settings| settings.stuck.clone())
    }

    /// Where the index is, by the user's own file.
    pub fn store(&self) -> (StoreSettings, Origin) {
        self.of_user(|settings| settings.store.clone())
    }

    /// What sandboxed commands may use and see, by the user's own file.
    pub fn sandbox(&self) -> (SandboxSettings, Origin) {
        self.of_user(|settings| settings.sandbox.clone())
    }

    /// What runs are, by the user's own file.
    pub fn run(&self) -> (RunSettings, Origin) {
        self.of_user(|settings| settings.run.clone())
    }

    /// The model that looks at what is blocked, by the user's own file.
    pub fn unblock(&self) -> (JudgeSettings, Origin) {
        self.of_user(|settings| settings.unblock.clone())
    }

    fn of_user<T: Default + PartialEq>(&self, section: impl Fn(&Settings) -> T) -> (T, Origin) {
        let own = self.0.iter().rev().filter(|(origin, _)| !origin.is_workspace());
        let mut set = own.map(|(origin, settings)| (section(settings), origin.clone()));
        set.find(|(value, _)| *value != T::default()).unwrap_or((T::default(), Origin::Default))
    }

    /// What happens at a stop: the user's word, lowered by the workspace's. The one read from the user's own file is the
    /// last.
    pub fn stop(&self) -> StopSettings {
        let of = |trusted: bool| {
            let mut all = self.0.iter().filter(|(origin, _)| origin.is_workspace() != trusted);
            all.next().map(|(_, settings)| settings.stop.clone()).unwrap_or_default()
        };
        of(false).under(&of(true))
    }

    /// Further ecosystems that are verified, by the user's own file.
    pub fn verify(&self) -> (VerifySettings, Origin) {
        self.of_user(|settings| settings.verify.clone())
    }

    /// The checks that the user's own file declares.
    pub fn own_checks(&self) -> (CheckSettings, Origin) {
        self.of_user(|settings| settings.checks.clone())
    }

    /// The checks that the workspace's file declares. They count only for who trusts that file.
    pub fn workspace_checks(&self) -> Option<(CheckSettings, Origin)> {
        let (origin, settings) = self.0.iter().find(|(origin, _)| origin.is_workspace())?;
        (settings.checks != CheckSettings::default()).then(|| (settings.checks.clone(), origin.clone()))
    }

    /// The project's checks, from the strongest layer that declares some.
    pub fn checks(&self) -> (CheckSettings, Origin) {
        let set = self.0.iter().rev().find(|(_, settings)| settings.checks != CheckSettings::default());
        set.map_or((CheckSettings::default(), Origin::Default), |(origin, settings)| {
            (settings.checks.clone(), origin.clone())
        })
    }

    /// The risk floor, with `threshold` where the caller insists on one.
    pub fn floor(&self, threshold: Option<UnitInterval>) -> Result<Floor, SettingsError> {
        let surfaces = self.surfaces().into_iter().map(|(surface, (own, _))| (surface, own)).collect();
        Ok(Floor::new(threshold.unwrap_or_else(|| self.threshold().0), &surfaces)?)
    }
}

/// The content of a settings file, if it is there.
pub fn read_file(path: &Path) -> Result<Option<Vec<u8>>, SettingsError> {
    match read_named_by_user(path, LARGEST) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        // What stands in for a missing file while a sandboxed command runs.
        Err(_) if path.is_dir() => Ok(None),
        Err(source) => Err(SettingsError::Unreadable { file: path.display().to_string(), source }),
    }
}

fn parse(path: &Path, text: &[u8]) -> Result<Settings, SettingsError> {
    let invalid = |message: String| SettingsError::Invalid { file: path.display().to_string(), message };
    let text = std::str::from_utf8(text).map_err(|_| invalid("not UTF-8".to_owned()))?;
    toml::from_str(text).map_err(|error| invalid(error.to_string().trim().to_owned()))
}

/// The user's own settings file, from the values of `XDG_CONFIG_HOME` and `HOME`.
pub fn user_file(config_home: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let folder = config_home.filter(|folder| folder.is_absolute()).or_else(|| Some(home?.join(".config")))?;
    Some(folder.join("hansei").join("config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(workspace: &str, user: &str) -> Result<Layers, SettingsError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, user).unwrap();
        Layers::load(Some((Path::new(WORKSPACE_FILE), workspace.as_bytes())), Some(&file))
    }

    #[test]
    fn later_layers_win() {
        let both =
            layers("[risk]\nthreshold = 0.9\nsurfaces.auth.extend = ['pay']", "[risk]\nthreshold = 0.2")
                .unwrap();
        assert!((both.threshold().0.get() - 0.2).abs() < f64::EPSILON);
        assert_eq!(both.floor(None).unwrap().surface_of("pay.rs"), Surface::Auth);
        let only = layers("[risk]\nthreshold = 0.9", "").unwrap();
        assert_eq!(only.threshold().1, Origin::File(WORKSPACE_FILE.into()));
        assert_eq!(Layers::default().threshold().1, Origin::Default);
    }

    #[test]
    fn a_repository_cannot_configure_the_judges_model() {
        let text = "[judge]\nmodel = 'compatible/x'\nbase_url = 'http://evil.example'\nkey_command = ['sh', '-c', 'id']";
        let message = layers(text, "").unwrap_err().to_string();
        for part in ["hansei.toml: ", "model, base_url, key_command", "your own config.toml"] {
            assert!(message.contains(part), "{message}");
        }
        for key in ["key_env = 'AWS_SECRET'", "timeout_seconds = 100", "max_tokens = 9999", "max_usd = 100.0"]
        {
            assert!(
                matches!(layers(&format!("[judge]\n{key}"), ""), Err(SettingsError::NotTrusted { .. })),
                "{key}"
            );
        }
        let (judge, origin) = layers("", text).unwrap().judge();
        assert_eq!(judge.key_command.as_deref(), Some(["sh", "-c", "id"].map(String::from).as_slice()));
        assert!(matches!(origin, Origin::File(_)));
        assert_eq!(Layers::default().judge().1, Origin::Default);
    }

    #[test]
    fn a_repository_cannot_say_who_is_told_or_how_soon_an_agent_is_nudged() {
        for (text, keys) in [
            (
                "[notify]\ncommand = ['sh', '-c', 'id']\nwebhook = 'http://evil.example'",
                "[notify] (command, webhook)",
            ),
            ("[notify]\ndesktop = false", "[notify] (desktop)"),
            ("[stuck]\nafter_seconds = 1", "[stuck] (after_seconds)"),
            ("[store]\nurl = 'postgresql://evil.example/x'", "[store] (url)"),
            (
                "[[verify.ecosystems]]\nname = 'x'\nfiles = ['x']\ncommands = ['id']\ntool = 'id'\ninstall = ''",
                "[verify] (ecosystems)",
            ),
            ("[run]\nmodel = 'compatible/x'\nbase_url = 'http://evil.example'", "[run] (model, base_url)"),
            ("[sandbox]\nreadable = ['/etc']\nmemory_mib = 9", "[sandbox] (memory_mib, readable)"),
        ] {
            let message = layers(text, "").unwrap_err().to_string();
            assert!(message.contains(keys) && message.contains("your own config.toml"), "{message}");
            assert!(layers("", text).is_ok());
        }
        let own = layers("", "[stuck]\nafter_seconds = 5\n[notify]\ndesktop = true").unwrap();
        assert_eq!(own.stuck().0.after_seconds, Some(5));
        assert!(matches!(own.notify(), (NotifySettings { desktop: Some(true), .. }, Origin::File(_))));
        assert_eq!(Layers::default().notify().1, Origin::Default);
    }

    #[test]
    fn what_is_shown_of_the_judge_holds_no_key() {
        let text = "[judge]\nbase_url = 'https://me:fake-secret@x.example/v1?key=fake-secret'\n\
                    key_command = ['vault', 'fake-secret']\nkey_env = 'MY_KEY'";
        let (judge, _) = layers("", text).unwrap().judge();
        let shown = format!("{:?}", judge.rows());
        assert!(
            shown.contains("MY_KEY") && shown.contains("vault") && !shown.contains("fake-secret"),
            "{shown}"
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("[risk]\nthreshhold = 1", "threshhold"),
            ("[risk]\nthreshold = 7", "7 is not a number from 0 to 1"),
            ("[risk.surfaces.moon]\nextend = []", "moon"),
            ("x =", "line 1"),
            ("[judge]\nmodell = 'x'", "modell"),
            ("[judge]\ntimeout_seconds = 0", "from 1 to 120"),
            ("[judge]\ntimeout_seconds = 1000", "from 1 to 120"),
            ("[judge]\nmax_tokens = 0", "number of tokens"),
            ("[judge]\nmax_usd = -1.0", "amount of money"),
            ("[stuck]\nafter_seconds = 0", "number of seconds"),
            ("[notify]\ncommand = 'sh -c id'", "sequence"),
            ("[judge]\nkey_command = 'sh -c id'", "sequence"),
        ] {
            let message = layers(text, "").unwrap_err().to_string();
            assert!(message.starts_with("hansei.toml: ") && message.contains(part), "{message}");
        }
    }
}
