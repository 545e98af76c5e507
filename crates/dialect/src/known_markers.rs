//! Markers that are known without a template.

/// Unambiguous thought markers of all models.
pub const THOUGHTS: [(&str, &str); 13] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|think|>", "<|/think|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"),
];
/// Markers around calls.
pub const CALLS: [(&str, &str); 26] = [
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<tools>", "</tools>"),
    ("<function_call>", "</function_call>"),
    ("<function_calls>", "</function_calls>"),
    ("<minimax:tool_call>", "</minimax:tool_call>"),
    ("<seed:tool_call>", "</seed:tool_call>"),
    ("<longcat_tool_call>", "</longcat_tool_call>"),
    ("<toolcall>", "</toolcall>"),
    ("<TOOLCALL>", "</TOOLCALL>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|tool_calls|>", "<|/tool_calls|>"),
    ("<|tool_call>", "<tool_call|>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"),
    ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
    ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<|START_ACTION|>", "<|END_ACTION|>"),
    ("<|tools_prefix|>", "<|tools_suffix|>"),
    ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
    ("<｜DSML｜function_calls>", "</｜DSML｜function_calls>"),
    ("<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"),
    ("<start_function_call>", "<end_function_call>"),
    ("<|python_start|>", "<|python_end|>"),
    ("<|action_start|>", "<|action_end|>"),
    ("[TOOL_CALLS]", "[/TOOL_CALLS]"),
];
/// Markers between a name and its arguments.
pub const SEPARATORS: [&str; 7] = [
    "[ARGS]",
    "[CALL_ID]",
    "<｜tool▁sep｜>",
    "<|tool_sep|>",
    "<tool_sep>",
    "<|tool_call_argument_begin|>",
    "<|plugin|>",
];
/// The tag of a function name, the tag of a parameter key, and the closing tag of the value.
pub const TAGS: [(&str, &str, &str); 3] = [
    ("function", "parameter", "</parameter>"),
    ("invoke", "parameter", "</parameter>"),
    ("｜DSML｜invoke", "｜DSML｜parameter", "</｜DSML｜parameter>"),
];
/// Markers that end turns or enclose text. They are not shown in a reply that has meaningful markers.
pub const TURN_MARKERS: [&str; 14] = [
    "<start_function_response>",
    "<|tool_response>",
    "[END FINAL RESPONSE]",
    "</s>",
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|call|>",
    "<|return|>",
    "<｜end▁of▁sentence｜>",
];
/// Markers that some models write around the answer after a thought.
pub const ANSWERS: [(&str, &str); 2] = [("<answer>", "</answer>"), ("<response>", "</response>")];
/// The markers of messages with a header.
pub const HEADERS: [&str; 2] = ["<|channel|>", "<|start|>"];
pub const END_OF_HEADER: &str = "<|message|>";
pub const ENDS_OF_MESSAGES: [&str; 3] = ["<|end|>", "<|call|>", "<|return|>"];

/// Returns the markers of thoughts that are known without a template, and of messages that may be thoughts.
pub fn thought_markers() -> impl Iterator<Item = &'static str> {
    let pairs = THOUGHTS.iter().flat_map(|(open, close)| [*open, *close]);
    pairs.chain(HEADERS).chain([END_OF_HEADER, "<|constrain|>"]).chain(ENDS_OF_MESSAGES)
}

/// Returns all markers that are known without a template.
pub fn markers() -> impl Iterator<Item = &'static str> {
    let calls = CALLS.iter().flat_map(|(open, close)| [*open, *close]);
    thought_markers().chain(calls).chain(SEPARATORS).chain(["<|python_tag|>"])
}
