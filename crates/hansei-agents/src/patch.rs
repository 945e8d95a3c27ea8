//! Patches, in the form that several agents share, `*** Begin Patch` and then a line for each file, and in that of `diff`.

/// The files that a patch names.
pub(crate) fn patched(patch: &str) -> Vec<String> {
    let marks = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let named = |line: &str| {
        let name = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
        Some(name.trim().to_owned())
    };
    let files: Vec<String> = patch.lines().filter_map(named).collect();
    if files.is_empty() { of_diff(patch) } else { files }
}

/// The files of a diff: those that are there afterwards, and those that no longer are.
fn of_diff(patch: &str) -> Vec<String> {
    let name = |line: &str, mark: &str, folder: &str| {
        let name = line.strip_prefix(mark)?.split('\t').next()?.trim();
        Some(name.strip_prefix(folder).unwrap_or(name).to_owned())
    };
    let pairs = patch.lines().zip(patch.lines().skip(1));
    let files = pairs.filter_map(|(before, after)| {
        let (before, after) = (name(before, "--- ", "a/")?, name(after, "+++ ", "b/")?);
        Some(if after == "/dev/null" { before } else { after })
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_patches() {
        for (patch, files) in [
            ("*** Begin Patch\n*** Update File: a b\n*** Move to: c\n@@", &["a b", "c"][..]),
            ("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", &["x"]),
            ("--- a/gone\t2026\n+++ /dev/null\n@@ -1 +0,0 @@\n-a", &["gone"]),
            ("--- a list\n- +++ of things", &[]),
            ("", &[]),
        ] {
            assert_eq!(patched(patch), files, "{patch}");
        }
    }
}
