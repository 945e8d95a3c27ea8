//! What is answered to a client: who we are, which tools there are, and the calls of tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::calling::{Calls, folder};
use super::tool::{self, TOOLS, Tool};
use super::{Options, answer};

/// What an agent is told of the server as a whole.
const INSTRUCTIONS: &str = "\
Hansei checks work against evidence. Before you say that a task is done: `review` (what speaks against it) and `risk` (must \
somebody else look at the change). Before you plan or commit: `decisions_check` (what was rejected here stays rejected). When \
something fails for reasons that are not in the code: `probe`. When three attempts at the same failure made no progress: stop \
patching and `escalate`. When you know what the change does not show: `self_report`. These tools advise; they change no code.";

/// Answers one client.
pub(super) struct Handler {
    options: Arc<Options>,
    calls: Calls,
    /// Set when nobody waits for anything any more.
    is_over: Arc<AtomicBool>,
}

impl Handler {
    pub(super) fn new(options: Options, is_over: Arc<AtomicBool>) -> Self {
        Self { options: Arc::new(options), calls: Calls::new(), is_over }
    }

    pub(super) fn calls(&self) -> Calls {
        self.calls.clone()
    }

    async fn called(
        &self,
        tool: &'static Tool,
        arguments: Value,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let asked = match tool::asked(tool, &arguments) {
            Ok(asked) => asked,
            Err(wrong) => return Ok(answer::error(&format!("{}: {wrong}", tool.name))),
        };
        let folder = match folder(&self.options.folder, arguments["workspace"].as_str()) {
            Ok(folder) => folder,
            Err(wrong) => return Ok(answer::error(&format!("{}: {wrong}", tool.name))),
        };
        let place = tokio::select! {
            place = self.calls.place() => place,
            () = context.ct.cancelled() => None,
        };
        let Some(place) = place else { return Ok(answer::error("the call was cancelled")) };
        let (options, is_over, token) =
            (Arc::clone(&self.options), Arc::clone(&self.is_over), context.ct.clone());
        let call = tokio::task::spawn_blocking(move || {
            let _place = place;
            let unwanted = || token.is_cancelled() || is_over.load(Ordering::SeqCst);
            let limit = tool.limit.min(options.limit);
            answer::of(tool.command, asked.run(&options.program, &folder, limit, &unwanted))
        });
        call.await.map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("hansei", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(Tool::listed).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!("there is no tool {:?}; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        Ok(self.called(tool, arguments, &context).await?.into())
    }

    /// Requests of a known name whose parameters have another shape come here as well.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == "tools/call" {
            let message = "tools/call takes {\"name\": text, \"arguments\": object}";
            return Err(ErrorData::invalid_params(message, None));
        }
        Err(ErrorData::new(rmcp::model::ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}
