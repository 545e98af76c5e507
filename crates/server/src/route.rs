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
pub enum RefusalFormat {
    /// As `{code, message}`.
    Json,
    /// In the format of OpenAI clients.
    OpenAi,
    /// As a close code, the only thing that WebSocket clients can see.
    CloseCode,
}

/// The default limit for request bodies in bytes.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// One route of the HTTP interface, with its access check and documentation. The router, the access check and
/// `openapi.json` are all generated from this, so none can miss a route.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub access: Access,
    pub about: &'static str,
    /// Query parameters.
    pub asks: Vec<Parameter>,
    pub takes: Option<DescribedType>,
    /// The possible success responses. A route must declare at least one.
    pub gives: Vec<SuccessResponse>,
    pub body_limit: usize,
    takes_file: bool,
    refusing: RefusalFormat,
    router: MethodRouter<ServerState>,
}

/// A wire type in the documentation.
pub struct DescribedType {
    pub name: String,
    pub schema: RefOr<Schema>,
    pub parts: Vec<(String, RefOr<Schema>)>,
}

/// A success response.
pub struct SuccessResponse {
    pub status: StatusCode,
    pub content: ResponseContent,
}

/// The content of a response body.
pub enum ResponseContent {
    Nothing,
    Json(DescribedType),
    /// Server-sent events with data of this type.
    Events(DescribedType),
    /// Messages in both directions, after an upgrade.
    Socket(DescribedType),
    /// Other content, of these media types.
    File(&'static [&'static str]),
}

impl DescribedType {
    fn of<T: ToSchema>() -> Self {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        Self { name: T::name().into_owned(), schema: T::schema(), parts }
    }
}

impl Route {
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
        let (asks, takes, gives, refusing) = (Vec::new(), None, Vec::new(), RefusalFormat::Json);
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
        Self { takes: Some(DescribedType::of::<T>()), ..self }
    }

    /// Declares a JSON response.
    #[must_use]
    pub fn gives<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::OK, ResponseContent::Json(DescribedType::of::<T>()))
    }

    /// Declares a JSON response with a created resource.
    #[must_use]
    pub fn creates<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::CREATED, ResponseContent::Json(DescribedType::of::<T>()))
    }

    /// Declares an empty success response.
    #[must_use]
    pub fn gives_nothing(self) -> Self {
        self.succeeds(StatusCode::NO_CONTENT, ResponseContent::Nothing)
    }

    /// Declares a response that only reports that the request was accepted.
    #[must_use]
    pub fn accepts(self) -> Self {
        self.succeeds(StatusCode::ACCEPTED, ResponseContent::Nothing)
    }

    /// Declares a stream of server-sent events of this type.
    #[must_use]
    pub fn streams<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::OK, ResponseContent::Events(DescribedType::of::<T>()))
    }

    /// Declares an upgrade to a connection with messages of this type.
    #[must_use]
    pub fn upgrades<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::SWITCHING_PROTOCOLS, ResponseContent::Socket(DescribedType::of::<T>()))
    }

    /// Declares a file response of one of these media types.
    #[must_use]
    pub fn gives_file(self, kinds: &'static [&'static str]) -> Self {
        self.succeeds(StatusCode::OK, ResponseContent::File(kinds))
    }

    fn succeeds(mut self, status: StatusCode, content: ResponseContent) -> Self {
        self.gives.push(SuccessResponse { status, content });
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
    pub fn refusing(self, refusing: RefusalFormat) -> Self {
        Self { refusing, ..self }
    }

    pub fn refuses(&self) -> RefusalFormat {
        self.refusing
    }
}

/// Creates a GET route. The short forms keep the route tables readable.
pub fn get<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Route {
    Route::new(Method::GET, path, access, about, handler)
}

pub fn post<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Route {
    Route::new(Method::POST, path, access, about, handler)
}

pub fn put<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Route {
    Route::new(Method::PUT, path, access, about, handler)
}

pub fn patch<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Route {
    Route::new(Method::PATCH, path, access, about, handler)
}

pub fn delete<H: Handler<T, ServerState>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Route {
    Route::new(Method::DELETE, path, access, about, handler)
}

/// Builds the router of all routes, each with its own access check.
pub fn router(routes: Vec<Route>, app: &ServerState) -> Router<ServerState> {
    routes.into_iter().fold(Router::new(), |router, route| {
        let Route { access, body_limit, takes_file, refusing, .. } = route;
        let check = crate::guard::RouteChecks { access, body_limit, takes_file, refusing };
        let layer = axum::middleware::from_fn_with_state((app.clone(), check), crate::guard::check);
        router.route(route.path, route.router.route_layer(layer))
    })
}
