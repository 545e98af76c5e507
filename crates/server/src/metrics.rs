use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::state::ServerState;

/// Counters since the server started.
#[derive(Default)]
pub struct Metrics {
    /// Indexed by the first digit of the status.
    responses: [AtomicU64; 6],
    in_flight: AtomicU64,
}

impl Metrics {
    pub fn text(&self, app: &ServerState) -> String {
        let mut text = String::new();
        let mut series = |name: &str, kind: &str, help: &str, values: &[(String, u64)]| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in values {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let one = |value: u64| vec![(String::new(), value)];
        let by_class: Vec<_> = self
            .responses
            .iter()
            .enumerate()
            .skip(1)
            .map(|(class, count)| (format!("{{status=\"{class}xx\"}}"), count.load(Ordering::Relaxed)))
            .collect();
        series("perigee_responses_total", "counter", "Responses by class of status.", &by_class);
        series(
            "perigee_requests_in_flight",
            "gauge",
            "Requests being answered.",
            &one(self.in_flight.load(Ordering::Relaxed)),
        );
        let seconds = app.now().duration_since(app.started).as_secs();
        series(
            "perigee_uptime_seconds",
            "gauge",
            "Seconds since the start.",
            &one(u64::try_from(seconds).unwrap_or(0)),
        );
        let totals = app.companion.totals();
        series("perigee_turns_running", "gauge", "Turns that are being answered.", &one(totals.running));
        let ended = [("complete", totals.complete), ("partial", totals.partial), ("failed", totals.failed)];
        let ended: Vec<_> = ended.map(|(how, count)| (format!("{{outcome=\"{how}\"}}"), count)).into();
        series("perigee_turns_total", "counter", "Turns by how they ended.", &ended);
        series(
            "perigee_prompt_tokens_total",
            "counter",
            "Tokens read by models.",
            &one(totals.prompt_tokens),
        );
        series(
            "perigee_cached_tokens_total",
            "counter",
            "Of those, tokens that were kept from before.",
            &one(totals.cached_tokens),
        );
        series(
            "perigee_completion_tokens_total",
            "counter",
            "Tokens written by models.",
            &one(totals.completion_tokens),
        );
        text
    }
}

/// Counts a request in progress. It is dropped early if the client disconnects.
struct InFlight<'a>(&'a AtomicU64);

impl<'a> InFlight<'a> {
    fn new(count: &'a AtomicU64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts a response.
pub async fn count(State(app): State<ServerState>, request: Request, next: Next) -> Response {
    let in_flight = InFlight::new(&app.metrics.in_flight);
    let response = next.run(request).await;
    drop(in_flight);
    let class = usize::from(response.status().as_u16() / 100).min(5);
    app.metrics.responses[class].fetch_add(1, Ordering::Relaxed);
    response
}
