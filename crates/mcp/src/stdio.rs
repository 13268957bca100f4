//! The stdio transport: one JSON message per line.
//!
//! Three tasks with bounded queues between them. The reader turns lines into
//! messages and answers what is no message; `rmcp`'s service loop dispatches;
//! the writer owns the output. A client that does not read its answers blocks
//! the writer, then the queue, then the reader, and in the end itself: no
//! queue grows.
//!
//! The loop runs without `rmcp`'s handshake phase, which ends the connection
//! at the first message it does not expect. `Server` checks the lifecycle of
//! each request instead, so both protocol eras work on one connection, in any
//! order.

use std::{io, sync::Arc, time::Duration};

use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, ClientNotification, GetMeta, ServerJsonRpcMessage, ServerNotification},
    service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_directly_with_ct},
    transport::Transport,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
    task::JoinHandle,
    time::{Instant, timeout, timeout_at},
};
use tokio_util::sync::CancellationToken;

use crate::{
    Identity, ServeError, Tools,
    in_flight::{InFlight, Share},
    lines::{Line, LineReader, MAX_LINE_BYTES},
    message::{self, Refusal},
    server::{ClientRoots, Server},
    signals::Signals,
};

/// What messages are read from.
pub type Input = Box<dyn AsyncRead + Send + Unpin>;
/// What messages are written to.
pub type Output = Box<dyn AsyncWrite + Send + Unpin>;

const INCOMING_MESSAGES: usize = 16;
const OUTGOING_LINES: usize = 64;

/// How long the calls that run at the end of the input may still take.
const END_GRACE: Duration = Duration::from_millis(1500);
/// How long the last answers may take to be written.
const FLUSH_GRACE: Duration = Duration::from_millis(300);

/// Serves stdin and stdout until the end of the input, a termination signal,
/// or a client that no longer listens.
///
/// A read of stdin, a write to a full pipe and a tool call that was given up
/// may all still block a thread when this returns, and a dropped runtime waits
/// for such threads: the caller ends its runtime with
/// `Runtime::shutdown_background`, or the process with it.
pub async fn serve_stdio(tools: Arc<dyn Tools>, identity: Identity) -> Result<(), ServeError> {
    let mut signals = Signals::install().map_err(ServeError::Signals)?;
    let stop = CancellationToken::new();
    let input = Box::new(tokio::io::stdin());
    let output = Box::new(tokio::io::stdout());
    tokio::select! {
        () = serve_streams(tools, identity, input, output, stop.clone()) => {}
        () = signals.received() => stop.cancel(),
    }
    Ok(())
}

/// Serves one client over a pair of byte streams, until the input ends or
/// `stop` fires.
pub async fn serve_streams(
    tools: Arc<dyn Tools>,
    identity: Identity,
    input: Input,
    output: Output,
    stop: CancellationToken,
) {
    // Dropping this future must end its tasks too.
    let stop = stop.child_token();
    let _stop_on_drop = stop.clone().drop_guard();
    let stop_calls = stop.child_token();
    let in_flight = Arc::new(InFlight::new());
    let (outgoing, lines) = mpsc::channel(OUTGOING_LINES);
    let (messages, incoming) = mpsc::channel(INCOMING_MESSAGES);

    let server = Server::new(tools, identity, ClientRoots::Follow, stop_calls.clone());
    let writer = tokio::spawn(write_lines(output, lines, stop.clone()));
    let reader = Reader {
        server: server.clone(),
        messages,
        outgoing: outgoing.clone(),
        in_flight: in_flight.clone(),
    };
    tokio::spawn(reader.run_until(input, stop.clone()));
    let transport = StdioTransport {
        incoming,
        outgoing: Some(outgoing),
        in_flight,
        writer: Some(writer),
        ends_at: None,
        stop: stop.clone(),
        stop_calls,
    };
    let service = serve_directly_with_ct(server, transport, None, stop);
    if let Err(error) = service.waiting().await {
        tracing::error!(%error, "the service loop failed");
    }
}

/// One line to write, and the request's share that it frees once written.
struct OutgoingLine {
    text: Vec<u8>,
    _share: Option<Share>,
}

impl OutgoingLine {
    fn new(mut text: Vec<u8>, share: Option<Share>) -> Self {
        text.push(b'\n');
        OutgoingLine { text, _share: share }
    }
}

async fn write_lines(mut output: Output, mut lines: mpsc::Receiver<OutgoingLine>, stop: CancellationToken) {
    let write_all = async {
        let mut batch = Vec::new();
        while lines.recv_many(&mut batch, OUTGOING_LINES).await > 0 {
            for line in &batch {
                output.write_all(&line.text).await?;
            }
            output.flush().await?;
            batch.clear();
        }
        output.shutdown().await
    };
    tokio::select! {
        written = write_all => if let Err(error) = written {
            // Nobody reads the answers: there is nobody left to serve.
            tracing::debug!(%error, "the output is closed");
            stop.cancel();
        },
        () = stop.cancelled() => {}
    }
}

struct Reader {
    server: Server,
    messages: mpsc::Sender<ClientJsonRpcMessage>,
    outgoing: mpsc::Sender<OutgoingLine>,
    in_flight: Arc<InFlight>,
}

/// The other side of a queue is gone: the connection ends.
struct Disconnected;

impl Reader {
    async fn run_until(self, input: Input, stop: CancellationToken) {
        tokio::select! {
            () = self.run(input) => {}
            () = stop.cancelled() => {}
        }
    }

    async fn run(&self, input: Input) {
        let mut lines = LineReader::new(input);
        loop {
            let handled = match lines.next().await {
                Ok(Line::Text(text)) => self.handle(text).await,
                Ok(Line::TooLong) => self.refuse(&too_long()).await,
                Ok(Line::End) => return,
                Err(error) => {
                    tracing::debug!(%error, "the input failed");
                    return;
                }
            };
            if let Err(Disconnected) = handled {
                return;
            }
        }
    }

    async fn handle(&self, text: &[u8]) -> Result<(), Disconnected> {
        match message::read(text) {
            Ok(Some(message)) => self.forward(message, text.len()).await,
            Ok(None) => Ok(()),
            Err(refusal) => self.refuse(&refusal).await,
        }
    }

    async fn forward(&self, message: ClientJsonRpcMessage, bytes: usize) -> Result<(), Disconnected> {
        match &message {
            ClientJsonRpcMessage::Request(request) => {
                let share = self.in_flight.room_for(bytes).await;
                let progress = request.request.get_meta().get_progress_token();
                if !self.in_flight.admit(request.id.clone(), progress, share) {
                    let reason = "a request with this id has not been answered yet";
                    let refusal = Refusal::invalid_request(Some(request.id.clone()), reason);
                    return self.refuse(&refusal).await;
                }
            }
            ClientJsonRpcMessage::Notification(notification) => match &notification.notification {
                ClientNotification::CancelledNotification(cancelled) => {
                    if let Some(id) = &cancelled.params.request_id {
                        // From here on an answer to this id finds no taker.
                        self.in_flight.settle(id);
                    }
                }
                ClientNotification::RootsListChangedNotification(_) => self.server.expect_roots(),
                _ => {}
            },
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {}
        }
        // What follows it on the same connection means what it has agreed on, be its answer awaited or not.
        let agreed_on = match &message {
            ClientJsonRpcMessage::Request(request) if request.request.method() == "initialize" => {
                Some(request.id.clone())
            }
            _ => None,
        };
        self.messages.send(message).await.map_err(|_| Disconnected)?;
        if let Some(id) = agreed_on {
            self.in_flight.settled(&id).await;
        }
        Ok(())
    }

    async fn refuse(&self, refusal: &Refusal) -> Result<(), Disconnected> {
        let line = OutgoingLine::new(refusal.to_json(), None);
        self.outgoing.send(line).await.map_err(|_| Disconnected)
    }
}

fn too_long() -> Refusal {
    let limit = MAX_LINE_BYTES / (1024 * 1024);
    Refusal::invalid_request(None, format!("the message is longer than {limit} MiB; it is skipped"))
}

/// `rmcp`'s view of the connection.
struct StdioTransport {
    incoming: mpsc::Receiver<ClientJsonRpcMessage>,
    outgoing: Option<mpsc::Sender<OutgoingLine>>,
    in_flight: Arc<InFlight>,
    writer: Option<JoinHandle<()>>,
    /// Set when the input has ended: when the running calls must have, too.
    ends_at: Option<Instant>,
    stop: CancellationToken,
    stop_calls: CancellationToken,
}

impl Transport<RoleServer> for StdioTransport {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        let in_flight = self.in_flight.clone();
        async move {
            let Some(share) = taker(&in_flight, &message) else {
                return Ok(());
            };
            let line = OutgoingLine::new(serde_json::to_vec(&message)?, share);
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let outgoing = outgoing.ok_or_else(closed)?;
            outgoing.send(line).await.map_err(|_| closed())
        }
    }

    /// The next message. Cancel safe, as the service loop's `select!` needs.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        if self.ends_at.is_none()
            && let Some(message) = self.incoming.recv().await
        {
            return Some(message);
        }
        // The input has ended, which is the client's way to say goodbye, or
        // that of a shell pipeline to say that it has asked everything. The
        // loop still runs while this waits, and sends the answers.
        let ends_at = *self.ends_at.get_or_insert_with(|| Instant::now() + END_GRACE);
        if timeout_at(ends_at, self.in_flight.idle()).await.is_err() {
            self.stop_calls.cancel();
            if timeout_at(ends_at + FLUSH_GRACE, self.in_flight.idle()).await.is_err() {
                self.stop.cancel();
            }
        }
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        // Without senders the writer ends by itself once it has caught up.
        self.outgoing = None;
        if let Some(writer) = self.writer.take() {
            let _ = timeout(FLUSH_GRACE, writer).await;
        }
        Ok(())
    }
}

/// Whether a message may go out, and the share it frees. `None` is an answer
/// or a report that nobody waits for any more.
fn taker(in_flight: &InFlight, message: &ServerJsonRpcMessage) -> Option<Option<Share>> {
    match message {
        ServerJsonRpcMessage::Response(response) => in_flight.settle(&response.id).map(Some),
        ServerJsonRpcMessage::Error(error) => match &error.id {
            Some(id) => in_flight.settle(id).map(Some),
            None => Some(None),
        },
        ServerJsonRpcMessage::Notification(notification) => match &notification.notification {
            ServerNotification::ProgressNotification(progress) => in_flight
                .awaits_progress(&progress.params.progress_token)
                .then_some(None),
            _ => Some(None),
        },
        ServerJsonRpcMessage::Request(_) => Some(None),
    }
}
