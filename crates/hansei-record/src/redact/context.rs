//! Formats without a prefix: a value of a vendor's shape beside its name.

use super::assign::line_start;
use super::segment::{ALNUM, B64, B64DOT, B64U, Class, HEX, HEXANY, LOWNUM, UPNUM, UUID};
use super::value::Shape;
use super::words;

/// A format known by the vendor's name near a secret-looking name.
pub struct Context {
    /// Kebab-case rule id.
    pub id: &'static str,
    /// Words of which one must stand in the name or before it on its line.
    pub near: &'static [&'static str],
    /// Alphabet of the value.
    pub class: Class,
    /// Least length.
    pub min: usize,
    /// Greatest length.
    pub max: usize,
}

const fn near(
    id: &'static str,
    near: &'static [&'static str],
    class: Class,
    min: usize,
    max: usize,
) -> Context {
    Context { id, near, class, min, max }
}

/// The formats.
#[rustfmt::skip]
pub const CONTEXTS: &[Context] = &[
    near("aws-secret-key", &["aws", "secret_access", "secretaccess", "amazon", "s3"], B64, 40, 40),
    near("datadog-key", &["datadog", "dd_api", "dd_app", "dd-api", "dd-app"], HEX, 32, 40),
    near("cloudflare-key", &["cloudflare", "cf_api", "cf-api", "cf_token"], B64U, 37, 40),
    near("okta-api-token", &["okta"], B64U, 42, 42),
    near("pagerduty-key", &["pagerduty", "pager_duty", "pd_api"], Class::of("0-9a-zA-Z+_-"), 20, 32),
    near("algolia-key", &["algolia"], HEX, 32, 32),
    near("cohere-key", &["cohere", "co_api"], ALNUM, 40, 40),
    near("mistral-key", &["mistral"], ALNUM, 32, 32),
    near("deepgram-key", &["deepgram"], HEX, 40, 40),
    near("assemblyai-key", &["assemblyai", "assembly_ai"], HEX, 32, 32),
    near("weaviate-key", &["weaviate"], B64, 36, 128),
    near("confluent-key", &["confluent", "kafka"], B64, 60, 68),
    near("codecov-token", &["codecov"], UUID, 36, 36),
    near("kraken-key", &["kraken"], B64, 56, 88),
    near("linkedin-client-secret", &["linkedin"], ALNUM, 16, 16),
    near("twitch-secret", &["twitch"], LOWNUM, 30, 30),
    near("zendesk-token", &["zendesk"], ALNUM, 40, 40),
    near("heroku-api-key", &["heroku"], UUID, 36, 36),
    near("together-ai-key", &["together"], HEX, 64, 64),
    near("upstash-rest-token", &["upstash"], B64, 40, 120),
    near("paypal-secret", &["paypal"], B64U, 80, 80),
    near("facebook-app-secret", &["facebook", "fb_app", "fb_secret", "instagram", "meta_app"], HEX, 32, 32),
    near("twitter-secret", &["twitter"], ALNUM, 25, 50),
    near("spotify-secret", &["spotify"], HEX, 32, 32),
    near("dropbox-key", &["dropbox"], LOWNUM, 15, 15),
    near("jira-token", &["jira", "confluence", "atlassian"], ALNUM, 24, 24),
    near("fastly-key", &["fastly"], B64U, 32, 32),
    near("rollbar-token", &["rollbar"], HEX, 32, 128),
    near("bugsnag-key", &["bugsnag"], HEX, 32, 32),
    near("sumologic-key", &["sumo"], ALNUM, 64, 64),
    near("logzio-token", &["logz"], ALNUM, 32, 32),
    near("splunk-hec-token", &["splunk"], UUID, 36, 36),
    near("elastic-key", &["elastic"], B64, 40, 80),
    near("travis-ci-token", &["travis"], B64U, 22, 22),
    near("snyk-api-token", &["snyk"], UUID, 36, 36),
    near("mixpanel-secret", &["mixpanel"], HEX, 32, 32),
    near("amplitude-key", &["amplitude"], HEX, 32, 32),
    near("segment-write-key", &["segment"], ALNUM, 32, 32),
    near("pusher-key", &["pusher"], HEX, 20, 20),
    near("ably-key", &["ably"], Class::of("0-9a-zA-Z.:_-"), 57, 57),
    near("plaid-secret", &["plaid"], HEX, 30, 30),
    near("coinbase-secret", &["coinbase"], B64, 16, 90),
    near("binance-key", &["binance"], ALNUM, 64, 64),
    near("kucoin-key", &["kucoin"], UUID, 24, 36),
    near("etsy-key", &["etsy"], LOWNUM, 24, 24),
    near("trello-key", &["trello"], HEX, 32, 76),
    near("steam-key", &["steam"], HEXANY, 32, 32),
    near("openweather-key", &["openweather", "owm_"], HEX, 32, 32),
    near("newsapi-key", &["newsapi", "news_api"], HEX, 32, 32),
    near("tmdb-key", &["tmdb"], HEX, 32, 32),
    near("alchemy-key", &["alchemy"], B64U, 32, 32),
    near("infura-key", &["infura"], HEX, 32, 32),
    near("etherscan-key", &["etherscan"], UPNUM, 34, 34),
    near("ethereum-private-key", &["eth", "wallet", "private", "deployer"], Class::of("0-9a-fA-Fx"), 64, 66),
    near("yelp-key", &["yelp"], B64U, 128, 128),
    near("wandb-api-key", &["wandb", "weights"], HEX, 40, 40),
    near("ngrok-auth", &["ngrok"], Class::of("0-9a-zA-Z_"), 40, 52),
    near("ghost-admin-key", &["ghost"], Class::of("0-9a-f:"), 89, 89),
    near("mailgun-api-key", &["mailgun"], UUID, 50, 50),
    near("airtable-key", &["airtable"], ALNUM, 17, 17),
    near("beamer-api-key", &["beamer"], Class::of("0-9a-zA-Z_=-"), 46, 46),
    near("postmark-token", &["postmark"], UUID, 36, 36),
    near("azure-devops-token", &["azure", "devops", "ado_", "vsts"], LOWNUM, 52, 52),
    near("azure-cognitive-key", &["azure", "cognitive", "speech", "ocp-apim"], HEX, 32, 32),
    near("tencent-secret-key", &["tencent", "qcloud"], ALNUM, 32, 32),
    near("alibaba-secret-key", &["aliyun", "alibaba", "oss_"], ALNUM, 30, 30),
    near("huawei-secret-key", &["huawei"], ALNUM, 40, 40),
    near("mongodb-atlas-key", &["atlas", "mongodb"], UUID, 36, 36),
    near("firebase-secret", &["firebase"], ALNUM, 40, 40),
    near("zoom-secret", &["zoom"], ALNUM, 32, 36),
    near("gitter-token", &["gitter"], B64U, 40, 40),
    near("freshdesk-key", &["freshdesk"], ALNUM, 20, 20),
    near("asana-secret", &["asana"], LOWNUM, 32, 32),
    near("discord-secret", &["discord"], B64DOT, 32, 80),
    near("vercel-api-token", &["vercel"], ALNUM, 24, 24),
    near("netlify-api-token", &["netlify"], B64U, 40, 46),
    near("looker-secret", &["looker"], LOWNUM, 24, 24),
    near("typesense-key", &["typesense"], ALNUM, 32, 64),
    near("sendbird-token", &["sendbird"], HEX, 40, 40),
    near("mapbox-or-here-key", &["here_api", "here_maps"], B64U, 43, 43),
    near("fireworks-ai-key", &["fireworks"], ALNUM, 22, 40),
    near("jfrog-password", &["jfrog", "artifactory"], ALNUM, 73, 73),
    near("bitwarden-access-token", &["bitwarden", "bws_"], Class::of("0-9a-zA-Z.:+/=-"), 80, 100),
    near("contentstack-token", &["contentstack"], LOWNUM, 34, 34),
    near("azure-app-insights", &["instrumentation", "appinsights"], UUID, 36, 36),
];

/// The rule whose vendor stands near and whose shape `val` has.
pub fn rule(text: &[u8], start: usize, val: &[u8]) -> Option<&'static str> {
    if val.len() < 15 || val.len() > 130 || !val.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    let shape = Shape::of(val);
    if shape.digit < 1 || shape.letters() < 2 || shape.wordy() || super::segment::entropy(val) < 2.3 {
        return None;
    }
    let mut line: Option<Vec<u8>> = None;
    for c in CONTEXTS {
        if val.len() < c.min || val.len() > c.max || !val.iter().all(|b| c.class.has(*b)) {
            continue;
        }
        let line = line.get_or_insert_with(|| {
            let from = line_start(text, start);
            let to = start + text[start..].iter().take(60).take_while(|b| super::name::in_name(**b)).count();
            text[from..to].to_ascii_lowercase()
        });
        if c.near.iter().any(|n| words::contains(line, n.as_bytes())) {
            return Some(c.id);
        }
    }
    None
}
