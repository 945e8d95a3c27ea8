//! What programs print when there is no network, in the words of the system's own errors.

/// The texts of the errors that a program meets without a network, and their names where a language prints those.
const NO_NETWORK: &[&str] = &[
    "network is unreachable",
    "network unreachable",
    "enetunreach",
    "no route to host",
    "ehostunreach",
    "temporary failure in name resolution",
    "name or service not known",
    "nodename nor servname provided",
    "could not resolve host",
    "couldn't resolve host",
    "failed to lookup address information",
    "unable to resolve host",
    "unknownhostexception",
    "eai_again",
    "enotfound",
    "no such host",
    "dns error",
    "getaddrinfo failed",
    "server misbehaving",
    "you are offline",
    "you're using offline mode (--offline)",
    "attempting to make an http request, but --offline was specified",
    "module lookup disabled by goproxy=off",
];

/// Whether the output of a failed command says that it wanted the network.
pub fn wanted_network(output: &str) -> bool {
    let lower = output.to_lowercase();
    NO_NETWORK.iter().any(|words| lower.contains(words))
}
