//! The choice of a fast model: what the provider offers is asked once and kept for a few minutes.

use std::time::{Duration, SystemTime};

use hansei_record::cache::{Cache, CacheName};

use crate::Unavailable;
use crate::client::Connection;
use crate::fast_models;
use crate::provider::Provider;

/// How long a choice holds.
const KEPT: Duration = Duration::from_mins(5);

/// The fast model to ask. A provider that does not say what it offers is asked for the first of the list.
pub(crate) async fn fast_model(
    provider: Provider,
    connection: &Connection,
    cache: Option<&Cache>,
) -> Result<String, Unavailable> {
    let place = CacheName::new("fast-model", &[provider.name(), connection.address.url()]);
    let kept: Option<String> = cache.and_then(|cache| cache.get(&place, KEPT, SystemTime::now()));
    if let Some(name) = kept {
        return Ok(name);
    }
    let config = genai::resolver::ProviderConfig::from((connection.endpoint(), connection.auth()));
    let listed = connection.client.all_model_names(provider.wire(""), config).await;
    let chosen = match &listed {
        Ok(offered) => fast_models::choose(provider, offered).ok_or_else(|| {
            Unavailable::Settings(format!(
                "{} offers no fast model that is known; name one in judge.model as {}/name",
                connection.address.host(),
                provider.name()
            ))
        })?,
        Err(error) => match (connection.unavailable(error), fast_models::of(provider).first()) {
            (
                Unavailable::Status { status: 404 | 405, .. } | Unavailable::NotAnAnswer { .. },
                Some(first),
            ) => first,
            (unavailable, _) => return Err(unavailable),
        },
    };
    if let Some(cache) = cache {
        // A choice that cannot be kept is made again next time.
        let _ = cache.put(&place, &chosen, SystemTime::now());
    }
    Ok(chosen.to_owned())
}
