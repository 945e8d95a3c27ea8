//! One target under libFuzzer, which chooses its inputs by the code that they reach. `HANSEI_FUZZ_TARGET` names it.
#![no_main]

use std::sync::LazyLock;

use hansei_fuzz::Target;
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var("HANSEI_FUZZ_TARGET").expect("HANSEI_FUZZ_TARGET names a target");
    hansei_fuzz::target_named(&name).expect("HANSEI_FUZZ_TARGET names a target that is there")
});

fuzz_target!(|input: &[u8]| (TARGET.run)(input));
