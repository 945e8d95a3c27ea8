//! Posts a few lines of JSON to an address that the user named, within a deadline. Nothing is read but the status.

use std::time::{Duration, Instant};

use reqwest::Url;

/// Posts `json` to `address`, or says why it did not arrive. No word of it names more of the address than its host: an
/// address like that often is a secret by itself.
pub fn post(address: &str, json: String, time: Duration) -> Result<(), String> {
    post_as("notify.webhook", false, address, json, time)
}

/// The same for an address that stands elsewhere, as `named`. Where nothing secret is sent it may be a plain one.
pub fn post_as(named: &str, plain: bool, address: &str, json: String, time: Duration) -> Result<(), String> {
    let deadline = Instant::now() + time;
    let url = Url::parse(address).map_err(|_| format!("{named} is not an address"))?;
    let host = url.host_str().unwrap_or_default().to_owned();
    let here = host == "localhost"
        || host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    if url.scheme() != "https" && !(url.scheme() == "http" && (here || plain)) {
        return Err(format!("{named} must begin with https:// (http:// only on this machine)"));
    }
    let no_room = |_| "the system gives no room for a request".to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(no_room)?;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    if here {
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // Without TLS no certificates are needed, and a machine may have none.
        builder = builder.tls_certs_only([]);
    }
    let client = builder.build().map_err(|_| "the system's certificates cannot be read".to_owned())?;
    let sent = runtime.block_on(async {
        let request = client.post(url).header("content-type", "application/json").body(json).send();
        tokio::time::timeout_at(deadline.into(), request).await
    });
    // A name lookup that hangs sits in a thread that cannot be ended; it is not waited for.
    runtime.shutdown_background();
    match sent {
        Err(_) => Err(format!("{host} did not answer within {} s", time.as_secs())),
        Ok(Err(_)) => Err(format!("{host} cannot be reached")),
        Ok(Ok(answer)) if answer.status().is_success() => Ok(()),
        Ok(Ok(answer)) => Err(format!("{host} answered with status {}", answer.status().as_u16())),
    }
}
