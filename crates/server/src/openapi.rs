use std::collections::BTreeMap;

use protocol::ApiError;
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::route::{Access, DescribedType, RefusalFormat, ResponseContent, Route, SuccessResponse};

/// Generates the OpenAPI document from the same table as the router.
pub fn document(routes: &[Route], version: &str) -> String {
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut schemas: BTreeMap<String, RefOr<Schema>> = BTreeMap::new();
    let mut errors = Vec::new();
    ApiError::schemas(&mut errors);
    schemas.extend(errors);
    schemas.insert(ApiError::name().into_owned(), ApiError::schema());
    for route in routes {
        let told = route.gives.iter().filter_map(|success| success.content.described());
        for described in route.takes.iter().chain(told) {
            schemas.extend(described.parts.iter().cloned());
            if is_named(described) {
                schemas.insert(described.name.clone(), described.schema.clone());
            }
        }
        paths.entry(route.path).or_default().insert(route.method.as_str().to_lowercase(), operation(route));
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Perigee",
            "version": version,
            "description": "A companion on your own machine. Keys are camelCase; errors are `{code, message}`.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "browser": {"type": "apiKey", "in": "cookie", "name": crate::auth::COOKIE},
            },
        },
    });
    document.to_string()
}

fn operation(route: &Route) -> Value {
    let mut responses: BTreeMap<String, Value> = BTreeMap::new();
    for SuccessResponse { status, content } in &route.gives {
        let response = responses
            .entry(status.as_u16().to_string())
            .or_insert_with(|| json!({"description": status.canonical_reason()}));
        for (kind, media) in content.media() {
            response["content"][kind] = media;
        }
    }
    responses.insert("default".into(), refusal(route.refuses()));
    let mut operation = json!({
        "summary": route.about,
        "operationId": operation_id(route),
        "responses": responses,
    });
    if let Some(described) = &route.takes {
        let content = json!({"application/json": {"schema": reference(described)}});
        operation["requestBody"] = json!({"required": true, "content": content});
    } else if route.is_for_files() {
        let content = json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}});
        operation["requestBody"] = json!({"required": true, "content": content});
    }
    let named = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let named =
        named.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let asked = route.asks.iter().map(|parameter| serde_json::to_value(parameter).unwrap_or(Value::Null));
    let parameters: Vec<Value> = named.chain(asked).collect();
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation["security"] = match route.access {
        Access::Public => json!([]),
        Access::Token | Access::Scope(_) | Access::Owner => json!([{"token": []}, {"browser": []}]),
    };
    // The required scope in machine-readable form.
    operation["x-access"] = match route.access {
        Access::Public => json!("public"),
        Access::Token => json!("token"),
        Access::Scope(scope) => json!(scope),
        Access::Owner => json!("owner"),
    };
    operation
}

/// The response for all errors.
fn refusal(form: RefusalFormat) -> Value {
    let plain = json!({"$ref": "#/components/schemas/ApiError"});
    let (says, schema) = match form {
        RefusalFormat::Json | RefusalFormat::CloseCode => ("An error, as `{code, message}`.", plain),
        RefusalFormat::OpenAi => (
            "An error in the format of the OpenAI API.",
            json!({
                "type": "object",
                "required": ["error"],
                "properties": {"error": {
                    "type": "object",
                    "required": ["message", "type", "code"],
                    "properties": {
                        "message": {"type": "string"},
                        "type": {"type": "string"},
                        "code": {"$ref": "#/components/schemas/ErrorCode"},
                    },
                }},
            }),
        ),
    };
    json!({"description": says, "content": {"application/json": {"schema": schema}}})
}

fn operation_id(route: &Route) -> String {
    let words = route.path.split(['/', '{', '}', '.']).filter(|word| !word.is_empty());
    format!("{}_{}", route.method.as_str().to_lowercase(), words.collect::<Vec<_>>().join("_"))
}

impl ResponseContent {
    fn described(&self) -> Option<&DescribedType> {
        match self {
            Self::Json(described) | Self::Events(described) | Self::Socket(described) => Some(described),
            Self::Nothing | Self::File(_) => None,
        }
    }

    /// Returns each media type with its schema.
    fn media(&self) -> Vec<(&'static str, Value)> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Json(described) | Self::Socket(described) => {
                vec![("application/json", json!({"schema": reference(described)}))]
            }
            // The schema applies to each event separately, as OpenAPI defines it from version 3.2 on.
            Self::Events(described) => vec![(
                "text/event-stream",
                json!({"schema": {
                    "type": "object",
                    "required": ["data"],
                    "properties": {
                        "id": {"type": "string"},
                        "data": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "contentSchema": reference(described),
                        },
                    },
                }}),
            )],
            Self::File(kinds) => {
                let schema = |kind: &str| match kind {
                    "application/json" => json!({}),
                    _ => json!({"type": "string", "format": "binary"}),
                };
                kinds.iter().map(|kind| (*kind, json!({"schema": schema(kind)}))).collect()
            }
        }
    }
}

/// Returns true if a type is described once under `components`. Lists and plain text have no name of their own.
fn is_named(described: &DescribedType) -> bool {
    let plain = ["String", "Vec", "Value", "Map", "Option"];
    described.name.chars().all(char::is_alphanumeric) && !plain.contains(&described.name.as_str())
}

fn reference(described: &DescribedType) -> Value {
    if is_named(described) {
        json!({"$ref": format!("#/components/schemas/{}", described.name)})
    } else {
        serde_json::to_value(&described.schema).unwrap_or(Value::Null)
    }
}
