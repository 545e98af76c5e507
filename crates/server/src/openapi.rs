use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};

use crate::door::{Access, Described, Door};

/// The interface as an OpenAPI document, made from the same table that the router is made from.
pub fn document(doors: &[Door], version: &str) -> String {
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut schemas: BTreeMap<String, RefOr<Schema>> = BTreeMap::new();
    for door in doors {
        for described in door.takes.iter().chain(&door.gives) {
            schemas.extend(described.parts.iter().cloned());
            if is_named(described) {
                schemas.insert(described.name.clone(), described.schema.clone());
            }
        }
        paths.entry(door.path).or_default().insert(door.method.as_str().to_lowercase(), operation(door));
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

fn operation(door: &Door) -> Value {
    let kind = if door.about.contains("as events") || door.about.starts_with("The events") {
        "text/event-stream"
    } else {
        "application/json"
    };
    let answer = match &door.gives {
        Some(described) => {
            json!({"description": "As asked.", "content": {kind: {"schema": reference(described)}}})
        }
        None => json!({"description": "As asked."}),
    };
    let mut operation = json!({
        "summary": door.about,
        "operationId": operation_id(door),
        "responses": {"200": answer, "default": {"description": "An error, as `{code, message}`."}},
    });
    if let Some(described) = &door.takes {
        let content = json!({"application/json": {"schema": reference(described)}});
        operation["requestBody"] = json!({"required": true, "content": content});
    }
    let parameters: Vec<Value> = door
        .path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect();
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation["security"] = match door.access {
        Access::Public => json!([]),
        Access::Token | Access::Scope(_) | Access::Owner => json!([{"token": []}, {"browser": []}]),
    };
    operation
}

fn operation_id(door: &Door) -> String {
    let words = door.path.split(['/', '{', '}', '.']).filter(|word| !word.is_empty());
    format!("{}_{}", door.method.as_str().to_lowercase(), words.collect::<Vec<_>>().join("_"))
}

/// A type with a name is described once, under `components`.
fn is_named(described: &Described) -> bool {
    described.name.chars().all(char::is_alphanumeric) && described.name != "String"
}

fn reference(described: &Described) -> Value {
    if is_named(described) {
        json!({"$ref": format!("#/components/schemas/{}", described.name)})
    } else {
        serde_json::to_value(&described.schema).unwrap_or(Value::Null)
    }
}
