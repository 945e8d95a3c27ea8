//! What others connect to. For now that is the MCP server, over standard streams.
//!
//! Never what another front end would need again: whatever is asked here is answered by a command of the same program.

pub mod mcp;
