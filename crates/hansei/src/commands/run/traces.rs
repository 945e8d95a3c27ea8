//! Sends a run's trace to wherever the user collects them.

use std::time::Duration;

use hansei_core::run::{RunLine, otlp};
use hansei_record::run_settings::RunSettings;

/// How long a collector may take. The run is over by then, and nothing waits for it but the user.
const TIME: Duration = Duration::from_secs(5);

/// Where traces are sent, as the user's settings or OpenTelemetry's own variables say.
fn endpoint(settings: &RunSettings) -> Option<(String, &'static str)> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let whole = |base: String| format!("{}/v1/traces", base.trim_end_matches('/'));
    if let Some(address) = &settings.otlp_endpoint {
        return Some((whole(address.clone()), "run.otlp_endpoint"));
    }
    set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
        .map(|address| (address, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))
        .or_else(|| Some((whole(set("OTEL_EXPORTER_OTLP_ENDPOINT")?), "OTEL_EXPORTER_OTLP_ENDPOINT")))
}

/// Sends the trace of a run, where somebody collects them. A collector that is not there is said and stops nothing.
pub fn send(lines: &[RunLine], settings: &RunSettings) {
    let Some((address, named)) = endpoint(settings) else { return };
    let Some(trace) = otlp(lines) else { return };
    if let Err(reason) = hansei_models::post_json_as(named, true, &address, trace.to_string(), TIME) {
        anstream::eprintln!("hansei: the trace was not sent: {reason}");
    }
}
