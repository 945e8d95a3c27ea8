//! Messages a line each, from a client that may begin oddly: whatever comes before its first request is not held against it.

use std::future::Future;

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{Stdin, Stdout};

/// Standard streams, without the stray messages that would end the conversation before it began.
pub(super) struct Patient {
    inner: AsyncRwTransport<RoleServer, Stdin, Stdout>,
    has_begun: bool,
}

impl Patient {
    pub(super) fn new(input: Stdin, output: Stdout, longest: usize) -> Self {
        let inner = AsyncRwTransport::new_server(input, output).with_max_line_length(longest);
        Self { inner, has_begun: false }
    }
}

impl Transport<RoleServer> for Patient {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            self.has_begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.has_begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
