//! Tests of the fences that may hold calls, as learned from each template.

use crate::families::Family;
use crate::reading::Reader;

#[test]
fn fences_are_learned_where_calls_stand_in_them() {
    for family in Family::all() {
        let expected: &[&str] = match family.template {
            template if template.contains("<start_of_turn>") && !template.contains("tools") => {
                &["tool_code", "tool_call", "json"]
            }
            template if template.contains("{{\\\"name") => &["json", "tool_call"],
            template if template.contains("```json\n[\n    {\n        \"tool_name") => &["json"],
            _ => &[],
        };
        assert_eq!(Reader::of(&family).learned.syntax.fences, expected, "{}", family.name);
    }
}
