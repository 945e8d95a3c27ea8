//! Vars of eval cases, as our own providers read them.

use hansei_eval::native::{Native, answer};
use serde_json::{Map, Value, json};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "told_calls", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (tools, words) = text.split_once("\n====\n").unwrap_or((&text, "Done."));
    for (native, names) in [
        (Native::Judge, ["task", "tools_used", "agent_response"]),
        (Native::Stuck, ["time_since_activity", "tool_calls", "last_assistant_response"]),
        (Native::Nudge, ["task_summary", "tools_used", "last_assistant_response"]),
        (Native::Agent, ["task", "trace", "output"]),
    ] {
        let values = [words, tools, words].map(|text| json!(text));
        let vars: Map<String, Value> = names.map(ToOwned::to_owned).into_iter().zip(values).collect();
        let given = answer(native, &vars).expect("vars that fit");
        assert!(serde_json::from_str::<Value>(&given).is_ok_and(|answer| answer.is_object()), "{given}");
        assert_eq!(given, answer(Native::Any, &vars).expect("vars that fit"), "the vars name their decision");
    }
}
