//! What is ours is known wherever it stands; what others wrote stays to the byte.

use super::*;

fn ours() -> String {
    String::from_utf8(Others::nobody(0).with_part("'/a b/hansei'")).unwrap()
}

fn earlier() -> String {
    format!("{SHEBANG}{EARLIER}\nhansei='/a b/hansei'\n{EARLIER_BODY}")
}

fn left(hook: &str) -> Result<Option<String>, Changed> {
    let others = taken_out(hook.as_bytes())?.expect("a part of ours");
    Ok(others.without_part()?.map(|left| String::from_utf8(left).unwrap()))
}

#[test]
fn lines_of_others_stay_wherever_they_stand() {
    for hook in [ours(), earlier()] {
        assert_eq!(left(&hook), Ok(None), "nothing is left of {hook}");
        let mark = hook.lines().nth(1).unwrap().to_owned();
        let last = hook.lines().last().unwrap().to_owned();
        for (changed, stays) in [
            (hook.replace(SHEBANG, "#!/bin/sh\nmine\n"), "#!/bin/sh\nmine\n"),
            (hook.replace(SHEBANG, "#!/usr/bin/env bash\n"), "#!/usr/bin/env bash\n"),
            (hook.replace(&mark, &format!("{mark}\n\nmine || exit 1")), "#!/bin/sh\n\nmine || exit 1\n"),
            (hook.replacen("\nhansei=", "\nmine\nhansei=", 1), "#!/bin/sh\nmine\n"),
            (format!("{hook}mine\n"), "#!/bin/sh\nmine\n"),
            (format!("{hook}mine"), "#!/bin/sh\nmine"),
            (hook.replacen(SHEBANG, "#!/bin/sh\na\n\n", 1) + "\n# b\nb\n", "#!/bin/sh\na\n\n\n# b\nb\n"),
            (format!("{hook}mine\n{}", hook.replace(SHEBANG, "")), "#!/bin/sh\nmine\n"),
            (format!("{hook}{}", ours().replace(SHEBANG, "mine\n")), "#!/bin/sh\nmine\n"),
            (
                format!(
                    "#!/bin/sh\nif a; then\n  {}b\nfi\n",
                    hook.replace(SHEBANG, "").replace('\n', "\n  ")
                ),
                "#!/bin/sh\nif a; then\n  b\nfi\n",
            ),
        ] {
            assert_eq!(left(&changed).map(Option::unwrap).as_deref(), Ok(stays), "{changed}");
            let again = taken_out(changed.as_bytes()).unwrap().unwrap().with_part("hansei");
            let again = String::from_utf8(again).unwrap();
            assert_eq!(again.matches(BEGIN).count(), 1, "{again}");
            assert_eq!(left(&again).map(Option::unwrap).as_deref(), Ok(stays), "renewed: {again}");
        }
        assert_eq!(left(&hook.replace('\n', "\r\n")), Ok(None));
        assert!(left(&hook.replace(&last, &format!("{last} # mine"))).is_err());
    }
}

#[test]
fn what_was_changed_inside_our_part_is_not_guessed_at() {
    for hook in [ours(), earlier()] {
        for (from, to) in [
            ("exit 1 ;;", "exit 2 ;;"),
            ("hansei was not found", "mine"),
            (">&2\n    exit 0\n", ">&2\n    exit 1\n    exit 0\n"),
            ("esac\n", "esac\nmine\n"),
        ] {
            let changed = hook.replacen(from, to, 1);
            assert_ne!(changed, hook, "{from}");
            assert_eq!(taken_out(changed.as_bytes()), Err(Changed), "{changed}");
        }
        let part = hook.replace(SHEBANG, "");
        for around in [("if a; then\n", "fi\n"), ("a &&\n", ""), ("a ||\n", "b\n"), ("f() {\n", "}\nf\n")] {
            let changed = format!("#!/bin/sh\n{}{part}{}", around.0, around.1);
            assert_eq!(left(&changed), Err(Changed), "{changed}");
        }
    }
    for mark in [BEGIN, END] {
        let changed = ours().replace(&format!("{mark}\n"), "");
        assert_eq!(taken_out(changed.as_bytes()), Err(Changed), "half of it is still ours: {changed}");
    }
}

#[test]
fn what_others_wrote_is_not_ours() {
    for theirs in [
        "",
        "#!/bin/sh\nhansei decisions check --staged\n",
        "#!/bin/sh\n# as `hansei install --before-commit` does\nexec hansei decisions check --staged\n",
        "#!/bin/sh\n# >>> conda\n# <<< conda\n",
        "#!/bin/sh\necho '# <<< hansei'\n",
        EARLIER_BODY,
    ] {
        assert_eq!(taken_out(theirs.as_bytes()), Ok(None), "{theirs}");
    }
    assert_eq!(taken_out(b"#!/bin/sh\n\xff\n"), Ok(None));
}

#[test]
fn the_folders_that_were_made_are_remembered() {
    let hook = Others::nobody(2).with_part("hansei");
    let others = taken_out(&hook).unwrap().unwrap();
    assert_eq!((others.folders, others.with_part("hansei")), (2, hook));
    assert_eq!(others.without_part(), Ok(None));
}
