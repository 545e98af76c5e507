use axum::Router;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodFilter, MethodRouter, on};
use protocol::Scope;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::state::ServerState;

/// The permission that a route requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// None. The route reveals nothing private.
    Public,
    /// Any token; the handler checks its scopes.
    Token,
    /// A token with this scope or a greater one.
    Scope(Scope),
    /// The owner's own token or browser: for settings, tokens, and all decisions that affect other users.
    Owner,
}

/// The form in which a route refuses unauthorised callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusing {
    /// As `{code, message}`.
    Plainly,
    /// In the format of OpenAI clients.
    ForOpenAi,
    /// As a close code, the only thing that WebSocket clients can see.
    BySocket,
}

/// The default limit for request bodies in bytes.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// One route of the HTTP interface, with its access check and documentation. The router, the access check and
/// `openapi.json` are all generated from this, so none can miss a route.
pub struct Door {
    pub method: Method,
    pub path: &'static str,
    pub access: Access,
    pub about: &'static str,
    /// Query parameters.
    pub asks: Vec<Parameter>,
    pub takes: Option<Described>,
    /// The possible success responses. A route must declare at least one.
    pub gives: Vec<Success>,
    pub body_limit: usize,
    takes_file: bool,
    refusing: Refusing,
    router: MethodRouter<ServerState>,
}

/// A wire type in the documentation.
pub struct Described {
    pub name: String,
    pub schema: RefOr<Schema>,
    pub parts: Vec<(String, RefOr<Schema>)>,
}

/// A success response.
pub struct Success {
    pub status: StatusCode,
    pub content: Content,
}

/// The content of a response body.
pub enum Content {
    Nothing,
    Json(Described),
    /// Server-sent events with data of this type.
    Events(Described),
    /// Messages in both directions, after an upgrade.
    Socket(Described),
    /// Other content, of these media types.
    File(&'static [&'static str]),
}

impl Described {
    fn of<T: ToSchema>() -> Self {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        Self { name: T::name().into_owned(), schema: T::schema(), parts }
    }
}

impl Door {
    pub fn new<H, T>(
        method: Method,
        path: &'static str,
        access: Access,
        about: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, ServerState>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
        let router = on(filter, handler);
        let (asks, takes, gives, refusing) = (Vec::new(), None, Vec::new(), Refusing::Plainly);
        Self {
            method,
            path,
            access,
            about,
            asks,
            takes,
            gives,
            body_limit: BODY_LIMIT,
            takes_file: false,
            refusing,
            router,
        }
    }

    /// Declares the query parameters.
    #[must_use]
    pub fn asks<T: IntoParams>(self) -> Self {
        Self { asks: T::into_params(|| Some(ParameterIn::Query)), ..self }
    }

    /// Declares a JSON request body.
    #[must_use]
    pub fn takes<T: ToSchema + PartialSchema>(self) -> Self {
        Self { takes: Some(Described::of::<T>()), ..self }
    }

    /// Declares a JSON response.
    #[must_use]
    pub fn gives<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::OK, Content::Json(Described::of::<T>()))
    }

    /// Declares a JSON response with a created resource.
    #[must_use]
    pub fn creates<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::CREATED, Content::Json(Described::of::<T>()))
    }

    /// Declares an empty success response.
    #[must_use]
    pub fn gives_nothing(self) -> Self {
        self.succeeds(StatusCode::NO_CONTENT, Content::Nothing)
    }

    /// Declares a response that only reports that the request was accepted.
    #[must_use]
    pub fn accepts(self) -> Self {
        self.succeeds(StatusCode::ACCEPTED, Content::Nothing)
    }

    /// Declares a stream of server-sent events of this type.
    #[must_use]
    pub fn streams<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::OK, Content::Events(Described::of::<T>()))
    }

    /// Declares an upgrade to a connection with messages of this type.
    #[must_use]
    pub fn upgrades<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::SWITCHING_PROTOCOLS, Content::Socket(Described::of::<T>()))
    }

    /// Declares a file response of one of these media types.
    #[must_use]
    pub fn gives_file(self, kinds: &'static [&'static str]) -> Self {
        self.succeeds(StatusCode::OK, Content::File(kinds))
    }

    fn succeeds(mut self, status: StatusCode, content: Content) -> Self {
        self.gives.push(Success { status, content });
        self
    }

    /// Sets the limit for the request body.
    #[must_use]
    pub fn up_to(self, bytes: usize) -> Self {
        Self { body_limit: bytes, ..self }
    }

    /// Accepts any file of up to `bytes` as its body, regardless of the content type.
    #[must_use]
    pub fn takes_file(self, bytes: usize) -> Self {
        Self { takes_file: true, body_limit: bytes, ..self }
    }

    pub fn is_for_files(&self) -> bool {
        self.takes_file
    }

    #[must_use]
    pub fn refusing(self, refusing: Refusing) -> Self {
        Self { refusing, ..self }
    }

    pub fn refuses(&self) -> Refusing {
        self.refusing
    }
}

/// Creates a GET route. The short forms keep the route tables readable.
pub fn get<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::GET, path, access, about, handler)
}

pub fn post<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::POST, path, access, about, handler)
}

pub fn put<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::PUT, path, access, about, handler)
}

pub fn patch<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::PATCH, path, access, about, handler)
}

pub fn delete<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::DELETE, path, access, about, handler)
}

/// Builds the router of all routes, each with its own access check.
pub fn router(doors: Vec<Door>, app: &ServerState) -> Router<ServerState> {
    doors.into_iter().fold(Router::new(), |router, door| {
        let Door { access, body_limit, takes_file, refusing, .. } = door;
        let check = crate::guard::Check { access, body_limit, takes_file, refusing };
        let layer = axum::middleware::from_fn_with_state((app.clone(), check), crate::guard::check);
        router.route(door.path, door.router.route_layer(layer))
    })
}
