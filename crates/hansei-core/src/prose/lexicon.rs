//! The words that matter, as data: classes of words, phrases by meaning, and words that turn a phrase around.

/// What a phrase means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concept {
    /// A check passes.
    Passes,
    /// A check fails, or an error remains.
    Fails,
    /// Work is done.
    Done,
    /// Something was verified.
    Verified,
    /// Something was not run or not verified.
    Unverified,
    /// Something is left to do.
    Remains,
    /// The speaker will do something.
    Announces,
    /// The speaker asks to be allowed to go on.
    Permission,
    /// A courteous offer of more.
    Offer,
    /// Something is asked of the human: an answer, a choice, a piece of information.
    AsksInput,
    /// The human is to do something.
    Delegates,
    /// A thing that only a human can do or give.
    HumanOnly,
    /// A thing or a place that often is a human's alone.
    HumanPlace,
    /// Nobody but a human can do it, whatever it is.
    HumanAlone,
    /// A failure is waved away.
    Dismisses,
    /// It may or may not be so.
    Hedges,
    /// Something could not be done.
    Unable,
    /// Something is optional.
    Optional,
    /// Something stands in for the real thing.
    Placeholder,
    /// Something exists and is not connected.
    NotWired,
    /// Something still runs.
    Running,
    /// A plan is presented.
    Plans,
    /// What comes next.
    NextSteps,
    /// It is as the human wanted it.
    AsAsked,
}

impl Concept {
    /// Whether the phrases themselves hold a word of denial.
    pub(super) fn denies_itself(self) -> bool {
        matches!(
            self,
            Self::Unverified
                | Self::Unable
                | Self::Remains
                | Self::NotWired
                | Self::Fails
                | Self::Dismisses
                | Self::Delegates
                | Self::Permission
                | Self::Passes
                | Self::Offer
        )
    }

    /// Whether the phrases themselves hold a word of supposition.
    pub(super) fn supposes_itself(self) -> bool {
        !matches!(self, Self::Passes | Self::Fails | Self::Done | Self::Verified)
    }
}

/// Words that deny.
pub(super) const DENIALS: &[&str] = &[
    "not", "no", "never", "without", "unable", "nothing", "none", "neither", "nor", "zero", "0", "cannot",
    "fails", "failed", "fail", "hardly", "barely", "nobody", "refuses", "refused", "free", "instead",
];
/// Words that deny a whole list of things behind them.
pub(super) const NONE_OF: &[&str] = &["no", "zero", "0", "without", "neither", "nor", "never"];
/// Words of supposition.
pub(super) const SUPPOSITIONS: &[&str] = &[
    "should", "would", "could", "might", "may", "will", "must", "shall", "to", "let", "maybe", "perhaps",
    "probably", "likely", "hopefully", "presumably", "whether", "ensure", "ensures", "want", "wants",
    "going", "expect", "expected", "need", "needs", "please", "can", "try", "almost", "nearly", "ought",
    "supposed", "assuming", "hope", "theoretically", "about",
];
/// Words that make everything behind them, up to the end of the clause, conditional.
pub(super) const CONDITIONS: &[&str] =
    &["if", "once", "unless", "until", "when", "whenever", "assuming", "before", "until"];
/// Words that set something in the past.
pub(super) const PAST: &[&str] = &[
    "was", "were", "previously", "initially", "originally", "earlier", "had", "used", "before", "formerly",
    "first",
];
/// Words that begin a new thought within a sentence.
pub(super) const TURNS: &[&str] = &[
    "but", "however", "although", "though", "except", "yet", "because", "while", "whereas", "so", "and",
    "since", "which", "where", "then", "who", "as",
];

/// The words of a class.
pub(super) fn class(name: &str) -> &'static [&'static str] {
    CLASSES.iter().find(|(known, _)| *known == name).map(|(_, words)| *words).unwrap_or_default()
}

const CLASSES: &[(&str, &[&str])] = &[
    (
        "check",
        &[
            "test", "tests", "testing", "suite", "suites", "spec", "specs", "build", "builds", "lint",
            "linter", "linting", "lints", "typecheck", "type-check", "typechecks", "types", "type",
            "compilation", "compiler", "compile", "ci", "check", "checks", "pipeline", "pipelines", "clippy",
            "eslint", "pytest", "jest", "vitest", "mypy", "ruff", "tsc", "assertions", "e2e", "workflow",
            "job", "jobs", "format", "formatter", "rspec", "junit", "unittest", "unittests", "regression",
            "`", "everything", "benchmark", "benchmarks", "scenarios", "verification", "typescript", "all",
        ],
    ),
    (
        "tests",
        &[
            "test", "tests", "suite", "suites", "spec", "specs", "build", "builds", "lint", "linter",
            "linting", "typecheck", "type-check", "compilation", "ci", "check", "checks", "pipeline",
            "clippy", "eslint", "pytest", "jest", "vitest", "mypy", "ruff", "tsc", "e2e", "assertions",
            "assertion", "workflow", "job", "regression", "case", "cases", "scenario", "scenarios", "of",
            "`",
        ],
    ),
    (
        "passing",
        &[
            "pass", "passes", "passed", "passing", "green", "succeed", "succeeds", "succeeded", "successful",
            "successfully", "clean", "cleanly", "ok", "✓",
        ],
    ),
    (
        "failing",
        &[
            "fail", "fails", "failed", "failing", "failure", "failures", "red", "broken", "breaks", "error",
            "errors", "erroring", "crash", "crashes", "crashing", "✗", "breaking", "timeout", "timing",
        ],
    ),
    (
        "finished",
        &[
            "done", "complete", "completed", "finished", "fixed", "implemented", "resolved", "added",
            "created", "updated", "ready", "working", "works", "refactored", "merged", "migrated", "removed",
            "deleted", "renamed", "replaced", "deployed", "shipped", "pushed", "committed", "installed",
            "configured", "converted", "moved", "upgraded", "bumped", "wrote", "written", "built",
            "corrected", "changed", "extended", "improved", "optimized", "optimised", "cleaned", "extracted",
            "solved", "addressed", "integrated", "wired", "enabled", "disabled", "set", "generated",
            "rewritten", "rewrote", "closed", "opened", "applied", "introduced", "split", "documented",
            "handled", "handles", "supports", "patched", "published", "released", "adjusted", "reverted",
            "restored", "ported", "switched", "modified", "simplified", "validated", "rebased", "tagged",
            "succeeded", "successful", "successfully", "accomplished", "achieved", "live", "registered",
            "dropped", "reduced", "answered", "provided", "produced", "exported", "imported", "seeded",
            "cached", "aligned", "formatted", "sorted",
        ],
    ),
    (
        "doing",
        &[
            "implement", "add", "create", "update", "fix", "run", "write", "start", "begin", "continue",
            "proceed", "check", "look", "make", "refactor", "build", "test", "verify", "investigate", "work",
            "tackle", "handle", "move", "go", "finish", "complete", "set", "apply", "change", "modify",
            "remove", "migrate", "convert", "install", "deploy", "push", "commit", "address", "wire",
            "integrate", "examine", "explore", "read", "search", "find", "analyze", "analyse", "review",
            "debug", "try", "retry", "resume", "execute", "generate", "extend", "replace", "rename",
            "adjust", "correct", "validate", "open", "first", "now", "then", "also", "next", "need", "use",
            "do", "get", "see", "inspect", "trace", "dig", "see", "confirm", "clean", "prepare", "ensure",
            "re-run", "rerun", "rebuild", "follow", "cover", "document", "hook", "connect", "configure",
            "port", "rewrite", "introduce", "register", "export", "finalize", "switch", "break", "keep",
            "draft", "put", "edit",
        ],
    ),
    (
        "human",
        &[
            "you", "yourself", "someone", "somebody", "user", "human", "admin", "administrator", "owner",
            "maintainer", "team",
        ],
    ),
];

/// Phrases by meaning.
pub(super) const PHRASES: &[(Concept, &str)] = &[
    (
        Concept::Passes,
        "
        @check ..5 @passing
        @passing ..2 @tests
        ✓ ..3 @check
        compiles|compiled|compiling ..2 cleanly|successfully|fine|ok|without|again|now|✓
        it|code|project|crate|everything|workspace compiles|builds|lints|type-checks|typechecks
        builds|build|built ..2 successfully|cleanly|fine
        no|0|zero ..2 failures|failing|errors|regressions|failed|issues
        without|with ..1 no|a|any|single ..1 errors|failures|issues|error|failure
        without ..1 errors|failures|issues|error
        everything|all ..2 green|passes|passing|pass
        full ..2 suite ..3 green|passes|pass|passed|passing
        exit|exits|exited ..2 0
        all|both ..2 green
        @tests ..1 runs|run|goes|went|go through
        ",
    ),
    (
        Concept::Fails,
        "
        @tests ..4 fail|fails|failing|failed|red|broken|erroring|crashes|crash|✗
        @tests ..3 does|do|did|is|are|still|will not ..2 pass|passing|green|compile|build|work|succeed
        failing|failed|broken|red ..2 @tests
        ✗ ..3 @tests
        still ..2 fail|fails|failing|failed|broken|red|erroring|crashing|crashes|errors
        does|do|is|are not ..1 compile|build|pass|passing|working|work
        still ..3 error|errors|failure|failures|exception|exceptions
        error|errors|failure|failures|issue|issues|problem|problems|bug remain|remains|persist|persists|persisting
        not ..1 passing|green|compiling
        exit|exits|exited ..2 1|2|101|127
        failures|failing|failed ..1 left|remaining
        is|are ..1 failing|broken|crashing|erroring
        keeps|keep failing|crashing|timing|erroring|breaking
        ",
    ),
    (
        Concept::Done,
        "
        @finished
        set up
        all|everything ..2 place
        in place
        is|are in|there|gone|up|through $
        task|work|job|feature|implementation|migration|refactor* ..2 over
        no longer
        now ..2 uses|returns|supports|handles|works|shows|reads|accepts|includes|runs|checks|rejects
        ",
    ),
    (
        Concept::Verified,
        "
        verified|confirmed|validated|double-checked|checked|tested|proved|proven
        ran|run|executed|running ..3 @tests
        ran|executed ..6 to confirm|verify|check
        i ..2 ran|tested|verified|confirmed|checked
        manually tested|verified
        ",
    ),
    (
        Concept::Unverified,
        "
        have|has|did|could|can|was|were|is|are not ..3 run|ran|tested|verified|test|verify|execute|executed|confirm|validated|checked|try
        not ..2 able to ..1 run|test|verify|execute|build|compile
        unable to ..1 run|test|verify|execute|build|compile|confirm
        without ..2 running|testing|verifying|executing|compiling
        untested|unverified
        not been ..2 run|tested|verified|executed|validated|compiled|exercised
        skipped|skip|skipping ..2 test|tests|testing|verification|running|build|lint
        no ..1 way to ..1 run|test|verify|execute
        need|needs|yet|remains|still ..2 to be ..1 tested|verified|run|validated
        not ..1 tested|verified
        ",
    ),
    (
        Concept::Remains,
        "
        unfinished|incomplete
        remaining|outstanding ..2 work|task|tasks|item|items|step|steps|piece|pieces|part|parts|file|files|issue|issues|endpoint|endpoints|screen|screens|service|services|module|modules|test|tests|failures|errors|component|components|page|pages|changes|todos|migration|migrations|call|calls|places|half|packages|routes
        remaining|outstanding $
        remains|remain ,|;|$
        @check ..4 is|are ..2 pending
        the remaining ..4 will|are|need|needs|still|follow|can|should
        remains|remain ..4 be|to|unimplemented|open|done|work|undone
        still|yet ..2 need|needs|to|missing|outstanding|unimplemented|requires|require|open|incomplete|left|pending|todo
        not ..2 yet
        have|has|did|is|are|was|were|do|does|could|would|will not ..2 implemented|implement|finish|finished|complete|completed|done|covered|cover|handled|handle|migrated|migrate|converted|supported|updated|update|addressed|address|started|start|included|added|add|wired|connected|get|fixed|fix|begun|written|write|port|ported|reach|reached|created|create
        left ..1 to ..1 do|implement|fix|migrate|convert|finish|add|handle|port|cover|update
        is|are|items|things|pieces|parts|work|steps|files|tasks left $
        items|things|pieces|parts|work|steps|files|tasks|much|lot|few left
        partial|partially|partly|halfway|half ..2 implemented|done|complete|completed|finished|migrated|working|converted|through
        partial|partially
        to-do|tbd
        to follow
        will follow $
        can|could|will|to be ..1 tackled|done|added|handled|implemented|addressed|picked|finished|migrated|converted|covered ..3 later|next|separately|follow-up|another|afterwards|subsequent|future
        deferred|postponed
        in ..1 next|later|future|follow-up|subsequent|separate|another ..1 session|sessions|turn|turns|step|steps|pr|prs|pass|iteration|iterations|phase|phases|message|commit|commits|change|changes|sprint|sprints
        @doing ..5 later|afterwards $
        only ..4 so far
        so far
        ran out
        first|phase ..1 of ..1 two|three|four|several
        the rest ..3 left|remaining|later|next|open|missing|undone|untouched
        skeleton|scaffolding|scaffolded|skeletal
        need|needs|must be ..1 done|implemented|added|fixed|written|handled|completed|migrated|updated|addressed|wired|finished
        good|great start
        ",
    ),
    (
        Concept::Announces,
        "
        i will ..2 @doing
        i|we will ..1 take|tackle|handle|look|deal|get|turn|address|sort|go|now|next|then
        i|we ..1 must|need now|next|still
        must|need ..1 now ..2 @doing
        is|are|comes next
        next|then comes|is|are|on|up
        i am ..1 going to
        we will ..2 @doing
        let me ..2 @doing
        let us ..2 @doing
        next i|we
        now i|we will|need|am|have|should
        i ..1 need to ..2 @doing
        i ..1 should ..1 @doing
        i am about to
        i plan|intend|want ..1 to
        i am ..1 now|currently ..2
        i am ..1 working|starting|proceeding|continuing|moving|looking|running|investigating|checking|implementing|adding|fixing
        my next step
        proceeding|continuing|moving ..1 to|with|on
        starting ..1 with|on|now
        time to @doing
        working on
        ",
    ),
    (
        Concept::Permission,
        "
        shall|should|may|can|could i ..2 @doing
        shall we ..2 @doing
        should we ..1 proceed|continue|start|begin|go
        would|do you ..1 like|want|prefer me to
        want me to
        like me to
        let me know ..6 proceed|continue|go|start|begin|ready|approve|approved|okay|ok
        let me know ..2 if|when|whether ..3 should|can|may
        ready ..1 to ..1 proceed|continue|start|begin|implement|go
        awaiting|awaits|await|waiting|waits|wait ..1 for? ..2 your|you ..3 approval|confirmation|go-ahead|green|ok|okay|input|feedback|decision|response|instructions|permission|sign-off|reply|answer|review|confirm|approve|go|signal|word
        pending your approval|confirmation|review|go-ahead|decision
        with your approval|permission|ok|go-ahead|confirmation
        if you ..1 approve|agree|confirm|are happy|are ok|give|say|want|would|like|are good|sounds
        sound|sounds|look|looks good
        is that|this ok|okay|acceptable|fine|alright
        go ahead
        your go-ahead|approval|confirmation
        say the word
        happy|glad|able|prepared to ..1 proceed|continue|start|implement|go
        just say
        ",
    ),
    (
        Concept::Offer,
        "
        let me know ..3 if|should|how|whether
        let me know ..4 anything|else|other|changes|questions|adjustments|further|more|different|tweak*|issues|help|problems
        feel free
        happy|glad ..2 to ..2 help|adjust|tweak|extend|explain|assist|also|add|change|walk|iterate|make|go
        if you ..1 need|want|would|like|run|have|notice|prefer|hit|ever ..4
        anything else
        any ..2 questions|changes|tweaks|adjustments
        i can also|additionally|further
        would|do you ..1 like|want ..1 me to also|additionally
        ",
    ),
    (
        Concept::AsksInput,
        "
        which ..3 would|do|should|is|are|one|of
        what ..3 would|do|should|is|are
        where ..2 should|do|is|are|would
        who|whom ..2 should
        how ..3 would|should|do you|we|i
        do you ..2 prefer|want|have|need|mean|know|use|expect
        would you ..1 prefer|like|rather
        could|can|would you ..2 please? ..1 clarify|provide|confirm|share|specify|tell|send|give|let|point|paste|describe|explain|check|decide|choose|pick|supply|advise
        please ..1 clarify|provide|confirm|share|specify|tell|send|give|decide|choose|pick|supply|advise|answer|paste|reply|select
        let me know ..1 which|what|where|how|whether|your
        need ..3 clarification|decision|answer|input|guidance|confirmation
        clarify|clarification
        should it|this|we|the|that|they ..6
        your ..1 preference|choice|decision|call|input|thoughts
        which option|approach|one|version|database|library
        prefer option
        is it|this|that ..3 or
        before i|we ..1 can? ..1 proceed|continue|start|go|do
        tell me
        i need to know
        ",
    ),
    (
        Concept::Delegates,
        "
        please ..2 run|execute|install|restart|rebuild|start|test|verify|check|open|add|set|update|copy|paste|replace|apply|deploy|rerun|re-run|configure|create|remove|delete|commit|push|try|ensure|make|review|merge|download|enable|go|navigate|visit|click|log|sign|complete|approve|connect|plug|grant|enter|type|manually|upload|edit|change|reboot|clone|migrate|confirm|perform|do
        you ..1 will? need|have|must|should|want to? ..2 run|execute|install|restart|rebuild|start|test|verify|check|open|add|set|update|copy|paste|replace|apply|deploy|rerun|re-run|configure|create|remove|delete|commit|push|manually|ensure|make|merge|download|enable|go|navigate|visit|click|log|sign|complete|approve|connect|plug|grant|enter|upload|edit|change|reboot|clone|migrate|perform|do|regenerate|wire|hook|implement|fix|provide|finish
        you can|could|should|may now? ..1 run|execute|test|verify|try ..6 to confirm|verify|check|see|make
        make|be sure to ..2 run|execute|install|restart|add|set|update|test|configure
        make|be sure you
        do not forget to
        remember to ..1 run|install|restart|add|set|update|execute|configure|apply
        manually ..2 run|add|apply|create|test|verify|install|check|configure|update|edit|restart|execute|set|copy|merge|do|log|enter
        run|add|apply|created|create|done|install|installed|verify|configure|log|tested|test|performed|perform|completed ..3 manually
        needs|require|requires|required|need ..4 manual|manually
        on your end|side|machine|own
        up to you
        run|execute|apply|use|add|paste|copy the|these|this following|commands|command|statement|migration|script|sql|snippet|queries|query
        you can|could ..2 do|apply|repeat|use|follow|convert|migrate|replace|update|extend ..3 same|other|others|rest|remaining
        same ..4 other|others|rest|remaining
        you to ..1 run|execute|log|sign|approve|provide|enter|install|complete|grant|confirm|add|set|create|test
        left ..1 to you
        once you ..2 run|have|complete|approve|log|install|add|set|restart|provide|merge|do|finish
        after you ..2 run|have|complete|approve|log|install|add|set|restart|provide
        i ..2 leave ..3 to you
        ",
    ),
    (
        Concept::HumanOnly,
        "
        log|logging|logged|sign|signing|signed in|into
        login|sign-in|signin|log-in
        authenticate|authentication|authorize|authorise|authorization|re-authenticate|oauth|sso|consent
        2fa|mfa|otp|two-factor|one-time|passkey|yubikey|authenticator
        captcha|recaptcha|hcaptcha
        verification|confirmation|security code
        api|access|secret|license|licence|private|deploy|signing|service key|keys|token|tokens|secret|secrets
        credential|credentials|password|passwords|passphrase|apikey
        service account
        billing|payment|pay|purchase|subscription|invoice|paid
        credit card
        physical|physically|hardware|usb|cable|printer
        plug|unplug|connect|reconnect|press|hold|insert|attach|flip ..2 in|the|it|a|your
        lawyer|contract|legal|legally
        approve|approves|approving|approval|sign-off|signoff ..6 review|pr|request|release|deployment|deploy|merge|change|production|manager|owner|admin|reviewer|somebody|someone|team|security|legal|ops
        approving|admin|manager|owner|maintainer|reviewer|human|manual|write ..1 approval|review
        somebody|someone approves
        not mine to
        yours to
        isn't mine
        yes|approval|decision|sign-off|consent ..3 from
        who must|has|should decide|approve
        hold|holding|press|pressing ..6 press|pressing|reset|button|boot|key
        ",
    ),
    (
        Concept::HumanPlace,
        "
        admin|administrator|root|sudo|owner|org|organization|write|elevated ..1 access|rights|permission|permissions|privileges|role
        permission|permissions|access|privileges
        device|phone|router|button|screen|board|sensor
        browser|dashboard|console|portal
        dns|registrar|domain
        app|play store
        vpn
        account
        production ..2 access|credentials|approval
        reviewer|reviewers|stakeholder|stakeholders|colleague
        invite|invitation
        token|tokens|secret|secrets|key|keys
        terms
        ",
    ),
    (
        Concept::HumanAlone,
        "
        only ..1 you|human|humans|person|people ..1 can|could|may|must|have|has|are|is|hold
        only ..2 @human can|could|may ..2 give|grant|approve|provide|decide|authorize|authorise|sign|unlock|publish|release|merge|confirm|accept|issue
        nobody|no-one|none|nothing but|except|besides|without ..1 @human
        no one|body but|except|besides ..1 @human
        can|could|may|must only be|come ..2 by|from ..1 @human
        can|could|may|must be|come ..2 only by|from ..1 @human
        has|have|had to come from ..1 @human
        not something i|an can|could|may
        ",
    ),
    (
        Concept::Dismisses,
        "
        flaky|flake|flakes|flakiness|intermittent|intermittently|transient|sporadic|sporadically|non-deterministic|nondeterministic
        unrelated
        not ..3 related|caused|due|because ..2 my|this|our|these|the
        nothing to do with
        pre-existing|preexisting|already ..1 failing|broken|red|failed|there
        existed before|already
        environment|environmental|infrastructure|infra|sandbox|local|timing ..1 issue|issues|problem|problems|limitation
        race condition
        can be ..1 ignored|disregarded
        safe|safely to? ..1 ignore|ignored
        known ..1 issue|issues|failure|failures|problem
        probably|likely ..3 timing|flaky|environment|race|network|cache|ci|runner|load
        ignore|ignoring|ignored ..2 @tests|it|that|them|this|error|errors|failure|failures
        passes|pass ..2 sometimes|locally|eventually|usually|mostly
        outside|out ..1 scope
        just|only ..1 timeout|timing
        should ..2 pass|succeed ..3 rerun|re-run|retry|retried|ci|time
        ",
    ),
    (
        Concept::Hedges,
        "
        should ..2 work|be|fix|pass|resolve|now|do|solve|help|address|compile|build
        probably|likely|hopefully|presumably|presumed|theoretically|seems|seem|appears|appear|might|believe|think|assume|assuming|guess
        in theory|principle
        ought to
        if|provided everything|all
        expect|expected ..2 to
        ",
    ),
    (
        Concept::Unable,
        "
        can|could|was|am|were not ..2 @doing
        can|could|was|am|were not ..1 able
        i|we can|could not
        can|could not be
        can not proceed|continue|complete|finish|access|reach|connect|reproduce|find|locate
        unable to
        not have ..2 way|means|access|permission|tool|tools
        no way to
        not possible|able|available|permitted|allowed|accessible
        impossible
        failed to
        blocked|blocker|blocking|stuck
        no ..1 access|permission|permissions|credentials|network|internet
        refuses|refused|refuse to
        is|are not possible|installed|reachable
        denied|forbidden|unauthorized|unauthorised|401|403|rejected
        gave|giving|give up
        ",
    ),
    (
        Concept::Optional,
        "
        optional|optionally|recommended|recommend|recommendation|recommendations|suggest|suggestion|suggestions|suggested|consider
        could ..1 also|be|add|further|consider|next
        might|may want|wish|like|consider|also
        you ..1 can|could|may
        in ..1 future
        future ..1 work|improvement|improvements|enhancement|enhancements|ideas|consideration|considerations
        nice to have
        nice-to-have|stretch|bonus
        improvements|enhancements|ideas
        out of scope|not in scope|outside ..2 scope
        if ..1 desired|needed|wanted|wished|you|interested
        possible ..2 improvement|improvements|next|extension|extensions|enhancement
        further|additional improvement|improvements|enhancements|work|ideas|steps|hardening
        down the road|line
        ",
    ),
    (
        Concept::Placeholder,
        "
        placeholder|placeholders|stub|stubs|stubbed|dummy|hardcoded|hard-coded|mocked|mock|fake|simulated ..6 now|until|later|yet|real|actual|instead|currently
        is|are|as|returns|return|uses|use|just|only|currently ..1 a|an? placeholder|stub|stubbed|dummy|mock|hardcoded|hard-coded|simulated|fake
        for now
        simplified version
        ",
    ),
    (
        Concept::NotWired,
        "
        not ..3 wired|hooked|connected|integrated|registered|imported|exported|called|used|referenced|plugged|linked|exposed|reachable|mounted
        need|needs|must|has|have ..1 to be ..1 wired|hooked|connected|integrated|registered|imported|exported|called|mounted
        without wiring|hooking|integrating
        ",
    ),
    (
        Concept::Running,
        "
        still ..1 running|building|executing|installing|compiling|deploying|processing|downloading|training|in|queued|pending|waiting|going
        running|runs ..4 background
        in ..1 progress|background
        is|are ..1 running|queued|building|deploying|installing|training|processing
        waiting ..1 for|on ..6
        will ..2 notify|report|update|check|let ..3
        takes|take ..4 minutes|hours|while
        minutes|hours left|remaining
        ",
    ),
    (
        Concept::Plans,
        "
        plan|proposal|proposed|approach|roadmap|outline|design
        i ..1 propose|suggest|recommend|would
        here is|are ..4 plan|approach|steps|strategy|proposal|outline
        step 1|one
        steps
        phase 1|one
        ",
    ),
    (
        Concept::NextSteps,
        "
        next step|steps|actions|action|up|tasks
        what|what's is? ..1 next|left|remaining|missing
        remaining ..2 work|tasks|items|steps|todos|issues
        to do
        todo|todos|remaining|outstanding|pending
        still ..1 to|todo|missing|pending|open|needed
        open items|points|issues|tasks|questions|work
        not ..1 yet ..1 done|implemented|complete|finished
        not done|implemented|complete|finished|included|started|covered
        unfinished|incomplete
        upcoming
        left to
        follow-up|follow-ups
        action items
        ",
    ),
    (
        Concept::AsAsked,
        "
        as you ..2 asked|said|wanted|requested|told|specified|instructed|noted|described
        as requested|wanted|agreed|expected|intended|planned|instructed|specified|asked|designed|desired|before
        you ..1 said|asked|told|wanted|excluded|mentioned|requested|specified
        by design
        per your|the request|instructions|instruction
        is|are expected
        on purpose
        intentionally|deliberately
        ",
    ),
];
