//! Answers that an experiment reads.

use hansei_core::experiment::answer::Answer;

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target {
    name: "labelled_answer",
    run: |bytes| match Answer::read(bytes) {
        Ok(answer) => assert!((0.0..=1.0).contains(&answer.confidence), "{answer:?}"),
        // Whoever prints the reason may print it as it is.
        Err(why) => assert!(why.len() < 200 && !why.contains(char::is_control), "{why:?}"),
    },
    samples: corpus::none,
};
