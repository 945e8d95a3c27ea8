//! An answer that fails in the middle: a part of it, and then the connection is cut or nothing more comes.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use futures_core::Stream;

use crate::script::Break;

/// The body of such an answer.
#[derive(Debug)]
pub struct Breaking {
    part: Option<String>,
    /// Whether the part was left to the connection.
    waited: bool,
    breaks: Break,
}

impl Breaking {
    /// Sends `part` and then breaks.
    pub fn new(part: String, breaks: Break) -> Self {
        // An empty piece would be the end of the body.
        Self { part: (!part.is_empty()).then_some(part), waited: false, breaks }
    }
}

impl Stream for Breaking {
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(part) = self.part.take() {
            return Poll::Ready(Some(Ok(Bytes::from(part))));
        }
        if !self.waited {
            // What is sent goes out before the connection fails.
            self.waited = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        match self.breaks {
            // The server closes a connection whose body fails, without the body's end.
            Break::Cut(_) => Poll::Ready(Some(Err(std::io::ErrorKind::ConnectionReset.into()))),
            Break::Stall(_) => Poll::Pending,
        }
    }
}
