//! Versions and the ranges that manifests ask for, in the dialects of npm, Python, Cargo and the rest.

/// A version: its numbers, and whether it came before the release of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) numbers: Vec<u64>,
    pub(super) is_early: bool,
}

impl Version {
    /// The first version in a text: `v20.11.1`, `Python 3.11.7`, `go1.19.8`.
    pub(super) fn find(text: &str) -> Option<Self> {
        let begin = text.find(|c: char| c.is_ascii_digit())?;
        let rest = &text[begin..];
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let numbers: Vec<u64> = rest[..end].split('.').map_while(|part| part.parse().ok()).collect();
        let tail = rest[end..].trim_start_matches(['-', '.', '_']);
        let early = ["alpha", "beta", "rc", "dev", "pre", "canary", "next", "nightly", "a", "b"];
        let is_early = early.iter().any(|word| tail.starts_with(word));
        (!numbers.is_empty()).then_some(Self { numbers, is_early })
    }

    fn at(&self, place: usize) -> u64 {
        self.numbers.get(place).copied().unwrap_or(0)
    }

    /// In which order the numbers stand; missing ones are zero.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let most = self.numbers.len().max(other.numbers.len());
        (0..most)
            .map(|place| self.at(place).cmp(&other.at(place)))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| {
                // A release comes after what was early of it.
                other.is_early.cmp(&self.is_early)
            })
    }

    /// Whether this is, or comes after, the other.
    pub(super) fn reaches(&self, other: &Self) -> bool {
        self.order(other).is_ge()
    }

    /// Whether the other's numbers are the beginning of this one's.
    pub(super) fn begins_with(&self, other: &Self) -> bool {
        other.numbers.iter().enumerate().all(|(place, number)| self.at(place) == *number)
    }

    /// The first `count` numbers with a dot between.
    pub(super) fn short(&self, count: usize) -> String {
        self.numbers.iter().take(count).map(u64::to_string).collect::<Vec<_>>().join(".")
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.short(self.numbers.len()))
    }
}

/// Who writes a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `^1.2`, `~1.2`, `1.x || >=3`, `1.2 - 2.3`; a bare version is exact.
    Npm,
    /// `^1.2`; a bare version means the same as with a caret.
    Cargo,
    /// `>=1.2,<2`, `~=1.4`, `==1.*`.
    Python,
}

/// Whether the version lies in the range; nothing where the range cannot be judged.
pub(super) fn satisfies(version: &Version, range: &str, dialect: Dialect) -> Option<bool> {
    let range = range.trim();
    if range.is_empty() || matches!(range, "*" | "x" | "latest" | "any") {
        return Some(true);
    }
    let mut any = false;
    let ways: Vec<&str> = match dialect {
        Dialect::Npm => range.split("||").collect(),
        Dialect::Cargo | Dialect::Python => vec![range],
    };
    for way in ways {
        any |= way_holds(version, way.trim(), dialect)?;
    }
    Some(any)
}

fn way_holds(version: &Version, way: &str, dialect: Dialect) -> Option<bool> {
    if let Some((from, to)) = way.split_once(" - ") {
        let (from, to) = (Version::find(from)?, Version::find(to)?);
        return Some(version.reaches(&from) && (to.reaches(version) || version.begins_with(&to)));
    }
    let mut all = true;
    let mut comparators: Vec<String> = Vec::new();
    for word in way.split([',', ' ']).filter(|word| !word.is_empty()) {
        // `>= 1.2` with a space is one comparator.
        match comparators.last_mut() {
            Some(last) if last.chars().all(|c| "<>=~^!".contains(c)) => last.push_str(word),
            _ => comparators.push(word.to_owned()),
        }
    }
    for comparator in &comparators {
        all &= comparator_holds(version, comparator, dialect)?;
    }
    Some(all)
}

fn comparator_holds(version: &Version, comparator: &str, dialect: Dialect) -> Option<bool> {
    let split = comparator.find(|c: char| !"<>=~^!".contains(c)).unwrap_or(comparator.len());
    let (operator, wanted) = comparator.split_at(split);
    let wanted = wanted.trim().trim_start_matches('v');
    if matches!(wanted, "*" | "x" | "X") {
        return Some(true);
    }
    if !wanted.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let open = wanted.contains(['*', 'x', 'X']);
    let target = Version::find(wanted)?;
    let count = target.numbers.len();
    let is_partial = open || count < 3;
    let below = |place: usize| {
        // The next version that this one may not reach: the number at `place` raised, the rest zero.
        let mut numbers = target.numbers.clone();
        numbers.truncate(place + 1);
        numbers.resize(place + 1, 0);
        numbers[place] += 1;
        !version.reaches(&Version { numbers, is_early: false })
    };
    let caret = || {
        let place = target.numbers.iter().position(|number| *number > 0).unwrap_or(count - 1);
        version.reaches(&target) && below(place)
    };
    Some(match operator {
        ">=" | "=>" => version.reaches(&target),
        ">" if dialect != Dialect::Python && is_partial => {
            version.reaches(&target) && !version.begins_with(&target)
        }
        ">" => version.order(&target).is_gt(),
        "<=" => target.reaches(version) || (dialect != Dialect::Python && version.begins_with(&target)),
        "<" => version.order(&target).is_lt(),
        "!=" => !(if open { version.begins_with(&target) } else { version.order(&target).is_eq() }),
        "^" => caret(),
        "~" if dialect == Dialect::Npm || dialect == Dialect::Cargo => {
            version.reaches(&target) && below(count.saturating_sub(1).min(1))
        }
        "~=" | "~>" => version.reaches(&target) && (count < 2 || below(count - 2)),
        "~" | "==" | "=" | "===" | "" if open => version.begins_with(&target),
        "" if dialect == Dialect::Cargo => caret(),
        "" | "=" if dialect == Dialect::Npm && is_partial => version.begins_with(&target),
        "" | "=" | "==" | "===" => version.order(&target).is_eq(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_as_their_tools_say() {
        let npm = Dialect::Npm;
        for (version, range, dialect, holds) in [
            ("1.2.3", "^1.0.0", npm, Some(true)),
            ("2.0.0", "^1.0.0", npm, Some(false)),
            ("0.2.4", "^0.2.3", npm, Some(true)),
            ("0.3.0", "^0.2.3", npm, Some(false)),
            ("1.3.0", "~1.2.0", npm, Some(false)),
            ("1.2.9", "~1.2.0", npm, Some(true)),
            ("1.9.9", "~1", npm, Some(true)),
            ("20.20.2", ">=18 <21", npm, Some(true)),
            ("20.20.2", ">=22", npm, Some(false)),
            ("20.20.2", "18 || 20", npm, Some(true)),
            ("20.20.2", "20.x", npm, Some(true)),
            ("20.20.2", ">= 18.0.0", npm, Some(true)),
            ("4.18.2", "4.18.2", npm, Some(true)),
            ("4.18.3", "4.18.2", npm, Some(false)),
            ("1.5.0", "1.2.3 - 2.0.0", npm, Some(true)),
            ("1.0.0", "workspace:*", npm, None),
            ("1.0.0", "github:owner/name", npm, None),
            ("3.11.7", ">=3.9,<4", Dialect::Python, Some(true)),
            ("3.11.7", ">=3.12", Dialect::Python, Some(false)),
            ("3.11.7", "~=3.10", Dialect::Python, Some(true)),
            ("2.4.0", "~=2.3.1", Dialect::Python, Some(false)),
            ("2.3.9", "==2.3.*", Dialect::Python, Some(true)),
            ("2.31.0", "==2.31.0", Dialect::Python, Some(true)),
            ("2.31", "==2.31.0", Dialect::Python, Some(true)),
            ("2.28.1", "!=2.28.1", Dialect::Python, Some(false)),
            ("3.11.7", "^3.9", Dialect::Python, Some(true)),
            ("1.0.200", "1.0", Dialect::Cargo, Some(true)),
            ("2.0.0", "1", Dialect::Cargo, Some(false)),
            ("0.4.1", "0.3", Dialect::Cargo, Some(false)),
            ("0.3.7", "0.3", Dialect::Cargo, Some(true)),
            ("1.2.3", "=1.2.3", Dialect::Cargo, Some(true)),
            ("0.62.2", ">=0.56, <=0.62", Dialect::Cargo, Some(true)),
        ] {
            let found = satisfies(&Version::find(version).unwrap(), range, dialect);
            assert_eq!(found, holds, "{version} in {range}");
        }
    }
}
