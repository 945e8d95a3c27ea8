//! Patches in the form that several agents share: `*** Begin Patch`, then a line for each file.

/// The files that a patch names.
pub(crate) fn patched(patch: &str) -> Vec<String> {
    let marks = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let named = |line: &str| {
        let name = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
        Some(name.trim().to_owned())
    };
    patch.lines().filter_map(named).collect()
}
