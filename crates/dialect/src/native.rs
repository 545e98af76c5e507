use serde_json::{Map, Value};
use std::collections::BTreeMap;
#[derive(Default)]
pub struct NativeCalls(BTreeMap<u32, NativeCall>);
pub struct NativeCall {
    pub id: String,
    pub name: String,
    pub arguments: Result<Map<String, Value>, String>,
    pub raw: String,
}
impl NativeCalls {
    pub fn push(&mut self, index: u32, id: Option<&str>, name: Option<&str>, arguments: &str) {
        let call = self.0.entry(index).or_insert_with(|| NativeCall {
            id: String::new(),
            name: String::new(),
            arguments: Ok(Map::new()),
            raw: String::new(),
        });
        if let Some(id) = id {
            id.clone_into(&mut call.id);
        }
        if let Some(name) = name {
            call.name.push_str(name);
        }
        call.raw.push_str(arguments);
    }
    pub fn finish(self) -> Vec<NativeCall> {
        self.0
            .into_values()
            .map(|mut call| {
                if !call.raw.trim().is_empty() {
                    call.arguments = serde_json::from_str(&call.raw).map_err(|e| e.to_string());
                }
                call
            })
            .collect()
    }
}
