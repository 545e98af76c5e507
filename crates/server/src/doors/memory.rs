use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use memory::{FactQuery, Recall, StatusFilter};
use protocol::{
    Fact, FactCategory, FactHistory, FactId, FactList, FactPatch, ForgetReport, ForgetRequest,
    MemoryImportReply, MergeFactsRequest, NewFactRequest, Push, RecallReply, Scope, Timeline,
};
use serde::Deserialize;

use crate::auth::Caller;
use crate::door::{Access, Door, delete, get, patch, post};
use crate::error::{Answer, Refusal};
use crate::export::disposition;
use crate::input::{Body, Id, Params, Raw};
use crate::output::Json;
use crate::state::App;

/// So many imported conversations are told to those who watch.
const SHOWN: usize = 50;
/// Years of conversations with another program.
const IMPORT_LIMIT: usize = 512 * 1024 * 1024;

pub fn doors() -> Vec<Door> {
    let read = Access::Scope(Scope::MemoryRead);
    let write = Access::Scope(Scope::MemoryWrite);
    vec![
        get("/api/memory", read, "What she knows, newest first, or what fits `q`.", list).gives::<FactList>(),
        post("/api/memory", write, "Writes a fact down.", add).takes::<NewFactRequest>().gives::<Fact>(),
        get("/api/memory/recall", read, "What would be remembered for the message `q`.", recall)
            .gives::<RecallReply>(),
        get("/api/memory/timeline", read, "What was learned and let go, by days.", timeline)
            .gives::<Timeline>(),
        post("/api/memory/merge", write, "Makes several facts one.", merge)
            .takes::<MergeFactsRequest>()
            .gives::<Fact>(),
        post("/api/memory/forget", write, "Forgets a fact, a message or words, everywhere.", forget)
            .takes::<ForgetRequest>()
            .gives::<ForgetReport>(),
        get(
            "/api/memory/export",
            read,
            "Facts, entries and files as one document: `format=json|markdown`.",
            export,
        ),
        post(
            "/api/memory/import",
            write,
            "Takes in a document of that kind, notes, or chats of others.",
            import,
        )
        .gives::<MemoryImportReply>()
        .takes_file(IMPORT_LIMIT),
        get("/api/memory/{id}", read, "A fact.", show).gives::<Fact>(),
        patch("/api/memory/{id}", write, "Corrects a fact, or says yes to it.", edit)
            .takes::<FactPatch>()
            .gives::<Fact>(),
        delete("/api/memory/{id}", write, "Forgets a fact, everywhere.", remove).gives::<ForgetReport>(),
        get("/api/memory/{id}/history", read, "What happened to a fact.", history).gives::<FactHistory>(),
        post("/api/memory/{id}/undo", write, "Takes the last change of a fact back.", undo).gives::<Fact>(),
    ]
}

#[derive(Deserialize)]
struct Query {
    q: Option<String>,
    category: Option<FactCategory>,
    status: Option<String>,
    cursor: Option<String>,
    limit: Option<usize>,
}

async fn list(
    State(app): State<App>,
    caller: Caller,
    Params(query): Params<Query>,
) -> Answer<Json<FactList>> {
    let status = match query.status.as_deref() {
        None | Some("current") => StatusFilter::Current,
        Some("unconfirmed") => StatusFilter::Unconfirmed,
        Some("past") => StatusFilter::Past,
        Some("all") => StatusFilter::All,
        Some(_) => return Err(Refusal::bad_request("status is current, unconfirmed, past or all")),
    };
    let query = FactQuery {
        words: query.q,
        category: query.category,
        status: Some(status),
        cursor: query.cursor,
        limit: query.limit,
    };
    Ok(Json(app.companion.memory().facts(caller.user, query).await?))
}

async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(request): Body<NewFactRequest>,
) -> Answer<(StatusCode, Json<Fact>)> {
    let fact = app.companion.memory().add_fact(caller.user, request).await?;
    changed(&app, &caller);
    Ok((StatusCode::CREATED, Json(fact)))
}

fn changed(app: &App, caller: &Caller) {
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
}

#[derive(Deserialize)]
struct Recalling {
    #[serde(default)]
    q: String,
    limit: Option<usize>,
}

async fn recall(
    State(app): State<App>,
    caller: Caller,
    Params(query): Params<Recalling>,
) -> Answer<Json<RecallReply>> {
    let began = std::time::Instant::now();
    // Whoever asks for nothing is reminded of nothing.
    if query.q.trim().is_empty() {
        return Ok(Json(RecallReply { items: Vec::new(), refused: false, millis: 0.0 }));
    }
    let recall = Recall {
        text: query.q,
        most: query.limit.map(|limit| limit.clamp(1, 100)),
        may_be_private: true,
        ..Recall::default()
    };
    let recalled = app.companion.memory().recall(caller.user, recall).await?;
    let millis = began.elapsed().as_secs_f32() * 1000.0;
    Ok(Json(RecallReply { items: recalled.items, refused: recalled.refused, millis }))
}

#[derive(Deserialize)]
struct Before {
    before: Option<String>,
}

async fn timeline(
    State(app): State<App>,
    caller: Caller,
    Params(query): Params<Before>,
) -> Answer<Json<Timeline>> {
    Ok(Json(app.companion.memory().timeline(caller.user, query.before.as_deref()).await?))
}

async fn merge(
    State(app): State<App>,
    caller: Caller,
    Body(request): Body<MergeFactsRequest>,
) -> Answer<Json<Fact>> {
    let fact = app.companion.memory().merge_facts(caller.user, request).await?;
    changed(&app, &caller);
    Ok(Json(fact))
}

async fn forget(
    State(app): State<App>,
    caller: Caller,
    Body(request): Body<ForgetRequest>,
) -> Answer<Json<ForgetReport>> {
    Ok(Json(app.companion.forget(caller.user, request).await?))
}

#[derive(Deserialize)]
struct Exporting {
    format: Option<String>,
}

async fn export(
    State(app): State<App>,
    caller: Caller,
    Params(query): Params<Exporting>,
) -> Answer<Response> {
    let memory = app.companion.memory();
    let (text, kind, ending) = match query.format.as_deref() {
        None | Some("json") => (memory.export_json(caller.user).await?, "application/json", "json"),
        Some("markdown" | "md") => {
            (memory.export_markdown(caller.user).await?, "text/markdown; charset=utf-8", "md")
        }
        Some(_) => return Err(Refusal::bad_request("format is json or markdown")),
    };
    let name = format!("perigee-memory-{}.{ending}", app.clock.now().to_zoned(app.clock.time_zone()).date());
    let headers = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, disposition(&name)),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, text).into_response())
}

#[derive(Deserialize)]
struct Importing {
    #[serde(default)]
    name: String,
}

/// What conversations say is read by the maintenance, which is woken for it.
async fn import(
    State(app): State<App>,
    caller: Caller,
    Params(query): Params<Importing>,
    Raw(file): Raw,
) -> Answer<Json<MemoryImportReply>> {
    let name = query.name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let name = if name.is_empty() { "import" } else { name };
    let (reply, conversations) = app.companion.memory().import(caller.user, name, file.into()).await?;
    changed(&app, &caller);
    // The latest are enough for the list on the screen.
    for id in conversations.iter().rev().take(SHOWN) {
        let chat = app.store.summary(caller.user, *id).await?;
        app.companion.feed().tell(caller.user, Push::ChatChanged { chat });
    }
    if reply.conversations > 0 {
        app.supervisor.run_now("memory_maintenance");
    }
    Ok(Json(reply))
}

async fn show(State(app): State<App>, caller: Caller, Id(id): Id<FactId>) -> Answer<Json<Fact>> {
    Ok(Json(app.companion.memory().fact(caller.user, id).await?))
}

async fn edit(
    State(app): State<App>,
    caller: Caller,
    Id(id): Id<FactId>,
    Body(patch): Body<FactPatch>,
) -> Answer<Json<Fact>> {
    let fact = app.companion.memory().patch_fact(caller.user, id, patch).await?;
    changed(&app, &caller);
    Ok(Json(fact))
}

async fn remove(State(app): State<App>, caller: Caller, Id(id): Id<FactId>) -> Answer<Json<ForgetReport>> {
    let request = ForgetRequest { fact: Some(id), confirm: true, ..ForgetRequest::default() };
    Ok(Json(app.companion.forget(caller.user, request).await?))
}

async fn history(State(app): State<App>, caller: Caller, Id(id): Id<FactId>) -> Answer<Json<FactHistory>> {
    Ok(Json(app.companion.memory().fact_history(caller.user, id).await?))
}

async fn undo(State(app): State<App>, caller: Caller, Id(id): Id<FactId>) -> Answer<Json<Fact>> {
    let fact = app.companion.memory().undo_fact(caller.user, id).await?;
    changed(&app, &caller);
    Ok(Json(fact))
}
