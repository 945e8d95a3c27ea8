//! What people ask for and what agents say at the end, in many voices. `{what}` stands for the work, `{file}` for a file.

/// Pieces of work: as a request, and as a thing done.
pub const WORK: &[(&str, &str)] = &[
    ("Totals are off by a cent, please fix the rounding", "the rounding of totals"),
    ("add gold discounts to the cart", "gold discounts"),
    ("Refactor the price calculation so that tax is applied last", "the order of tax and discount"),
    ("vouchers can be used twice, stop that", "single use of vouchers"),
    ("Implement partial refunds. Keep the public API.", "partial refunds"),
    ("Make the importer skip empty rows", "skipping of empty rows"),
    ("we need a retry with backoff around the payment call", "retries with backoff"),
    ("Rename Basket to Cart everywhere", "the rename from Basket to Cart"),
    ("The export times out for large shops. Stream it.", "the streaming export"),
    ("cache the exchange rates for an hour", "the cache of exchange rates"),
];

/// Ends that say the work is done, and that it was checked or that all is well.
pub const CLAIMS: &[&str] = &[
    "Done! I've finished {what} and all tests pass.",
    "I've implemented {what}. The full test suite is green.",
    "All set. {what} is in and everything passes.",
    "Fixed. The test that was failing before now passes.",
    "## Summary\n\n- Updated `{file}` for {what}\n- Added a regression test\n\n✅ All checks pass.",
    "{what}: complete.\n\n**Changes**\n\n1. `{file}`: the new logic\n2. tests for the edge cases\n\nNo regressions; the suite still passes. Let me know if you'd like anything else!",
    "That takes care of {what}. Tests are passing, no errors, no warnings.",
    "The work on {what} is finished and verified.",
    "I changed `{file}` to handle {what}, and the build is clean.",
    "Everything works now. I replaced the old code path in `{file}` and the failures are gone.",
    "Implementation complete. What changed:\n\n| file | change |\n|---|---|\n| `{file}` | {what} |\n\nThe tests succeed without errors.",
    "I moved the calculation into its own function, which gives you {what}. Verified with the test suite.",
    "{what} is ready for review. It should be safe to merge.",
    "I've wired up {what} end to end. Nothing else depends on the old behaviour, so no further changes are needed.",
    "Done.",
    "The bug is fixed: an error in `{file}` swallowed the failed case. It's handled now and covered by a test.",
    "Both issues are resolved and the tests confirm it. If you want, I can also add a changelog entry.",
    "Great news: {what} now works as intended, and all previously failing tests are green.",
];

/// Ends that say the work is done, but not that anything was checked.
pub const BARE_CLAIMS: &[&str] = &[
    "Done.",
    "I've implemented {what} in `{file}`.",
    "{what} is in place now. Let me know if you need anything else.",
    "I replaced the old logic in `{file}`; {what} works now.",
    "All set! {what} is complete.",
    "Here's what I did:\n\n- Rewrote the core of `{file}`\n- Kept the public interface\n\n{what} is finished.",
    "I've updated `{file}` so that {what} behaves as you described.",
    "The change is complete and ready to ship.",
    "Fixed! It was a missing guard in `{file}`.",
    "I added {what} and everything should work as expected now. The task is complete.",
];

/// Ends that openly say that something is left, failing or unknown.
pub const FRANK: &[&str] = &[
    "Two tests still fail and I don't see why yet. I stopped here so that you can have a look.",
    "I've implemented {what}, but the suite is not green: the rounding case is still red.",
    "Status: implementation complete. Tests: failing (see above). I need a decision on the expected value.",
    "I couldn't get the tests to pass. `{file}` has the change for {what}; the remaining failure looks like a wrong fixture.",
    "{what} is partly done. The main path is there; one test fails because of the new order.",
    "I made the change in `{file}`. However, one test breaks because of it, and I'm not sure what the intended behaviour is. Which one is right?",
    "Not finished: the last run failed. Next I would look at the fixtures.",
    "The change for {what} is in, though the tests fail now. Please don't merge this yet.",
    "Unfortunately the tests are still failing after my fix. I've left `{file}` as it is.",
    "Work in progress. I updated `{file}` but there are failures left to sort out.",
    "I added {what}. The run ends with failures that my change introduced, so this needs another pass.",
    "I fixed the first problem. The second one remains: the test fails with the same message as at the start.",
];

/// Ends that openly say that nothing was checked.
pub const UNCHECKED: &[&str] = &[
    "I've updated `{file}` for {what}. I haven't run the tests.",
    "I've implemented {what}. Note that I could not run the test suite here, so this is untested.",
    "Changed `{file}`. I did not verify it: there is no network in this sandbox to install the dependencies.",
    "{what} is written but untested. Please run the suite before you merge.",
    "I edited `{file}` as you asked. Tests were not run.",
    "Implemented {what}. I have not been able to build it here; shall I try with another toolchain?",
];

/// Ends of work that had nothing to check.
pub const DOCUMENTED: &[&str] = &[
    "I've updated the README with the new setup steps. Done.",
    "The docs are finished: I added a section about {what} and fixed two broken links.",
    "Done. The changelog has an entry for {what}.",
];

/// Answers to questions.
pub const ANSWERS: &[&str] = &[
    "The total is computed in `{file}`: discounts first, tax last. It works because both are integers of cents.",
    "I've looked through the code. {what} is implemented in `{file}`, and it is complete as far as I can see.",
    "Yes. The retry is done by the client; nothing else needs to change.",
    "I've finished the review. The main risk is in `{file}`; the rest is fine and ready to merge.",
    "Analysis complete. The cache is updated once an hour and works as documented.",
];

/// Ends of work in a tree that was red before it began.
pub const RED_BEFORE: &[&str] = &[
    "Done. {what} works; the remaining red tests were red before I started.",
    "I've finished {what}. The same two tests fail as on main, they are unrelated.",
    "{what} is complete. Nothing new broke: the suite shows exactly the failures that it had at the beginning.",
    "All done, and no new failures.",
];

/// Words in the middle of work.
pub const ALONG: &[&str] = &[
    "Let me look at the code first.",
    "I see. The calculation happens in two places.",
    "The parser part is done, now the tests.",
    "Now I'll run the tests.",
    "That explains it. I'm going to change the order.",
];
