//! Families of models: a template in the style of each, and the format in which its model writes calls and thoughts.
//!
//! The writers are independent of the templates, so the learned syntax is checked against a second source.

use serde_json::{Map, Value};

pub struct Family {
    pub name: &'static str,
    pub template: &'static str,
    /// Writes all calls of a reply.
    pub calls: fn(&[Call<'_>]) -> String,
    /// The marks before and after a thought.
    pub thought: Option<(&'static str, &'static str)>,
    /// The marks before and after text.
    pub words: (&'static str, &'static str),
    /// True if the prompt opens the thought.
    pub is_opened: bool,
    /// True if a reply can hold only one call.
    pub is_single: bool,
}

pub type Call<'a> = (&'a str, &'a Map<String, Value>);

macro_rules! family {
    ($name:literal, $calls:expr, $thought:expr $(, $key:ident: $value:expr)*) => {
        Family {
            $($key: $value,)*
            ..Family::new($name, include_str!(concat!("../families/", $name, ".jinja")), $calls, $thought)
        }
    };
}

impl Family {
    const fn new(
        name: &'static str,
        template: &'static str,
        calls: fn(&[Call<'_>]) -> String,
        thought: Option<(&'static str, &'static str)>,
    ) -> Self {
        Self { name, template, calls, thought, words: ("", ""), is_opened: false, is_single: false }
    }

    /// The end-of-turn mark that a server may leave at the end of a reply.
    pub fn end(&self) -> &'static str {
        match self.name.split(' ').next().unwrap_or_default() {
            "gemma3" | "function_gemma" => "<end_of_turn>",
            "gemma4" => "<turn|>",
            "deepseek_r1" | "deepseek_v31" | "deepseek_v32" => "<｜end▁of▁sentence｜>",
            "granite3" | "granite4" => "<|end_of_text|>",
            "llama3" => "<|eot_id|>",
            "llama4" => "<|eot|>",
            "phi4" | "apriel" => "<|end|>",
            "minimax" => "[e~[",
            "seed_oss" => "<seed:eos>",
            "jamba" => "<|eom|>",
            "hunyuan" => "<｜hy_place▁holder▁no▁2｜>",
            "hunyuan_pairs" => "<｜hy_eos｜>",
            "cohere_r7b" | "command_r" => "<|END_OF_TURN_TOKEN|>",
            "apertus" => "<|assistant_end|>",
            "mistral" | "magistral" => "</s>",
            // These end with the mark that begins the next message, or have already written their end.
            "glm" | "glm4" | "gpt_oss" => "",
            _ => "<|im_end|>",
        }
    }

    pub fn all() -> Vec<Self> {
        const GEMMA3: &str = include_str!("../families/gemma3.jinja");
        const QWEN25_CODER: &str = include_str!("../families/qwen25_coder.jinja");
        const THINK: Option<(&str, &str)> = Some(("<think>\n", "\n</think>\n\n"));
        vec![
            family!("hermes", hermes, None),
            family!("qwen3", hermes, THINK),
            family!("qwen3_coder", qwen3_coder, THINK, is_opened: true),
            family!("qwen35", qwen3_coder, THINK, is_opened: true),
            family!("qwen25_coder", hermes, None),
            Self::new("qwen25_coder in fences", QWEN25_CODER, |calls| fence("json", &objects(calls)), None),
            // This template does not show how its model writes calls.
            family!("gemma3", |calls| fence("tool_code", &python(calls, "\n")), None),
            Self::new("gemma3 with prints", GEMMA3, |calls| fence("tool_code", &printed(calls)), None),
            Self::new("gemma3 with JSON", GEMMA3, |calls| fence("tool_call", &objects(calls)), None),
            Self::new(
                "gemma3 with a list",
                GEMMA3,
                |calls| fence("json", &list(calls, "name", "parameters")),
                None,
            ),
            family!("glm", glm, Some(("\n<think>", "</think>\n"))),
            family!("glm4", glm4, None, is_single: true),
            family!("kimi", kimi, Some(("<think>", "</think>"))),
            family!("gpt_oss", gpt_oss, Some(("<|channel|>analysis<|message|>", "<|end|><|start|>assistant")),
                    words: ("<|channel|>final<|message|>", "<|return|>"), is_single: true),
            family!("deepseek_r1", deepseek_r1, Some(("", "\n</think>\n\n")), is_opened: true),
            family!("deepseek_v31", deepseek_v31, None),
            family!("deepseek_v32", deepseek_v32, Some(("", "</think>")), is_opened: true),
            family!("lfm2", lfm2, None),
            family!("lfm25", lfm2, Some(("<think>", "</think>"))),
            family!(
                "function_gemma",
                |calls| gemma(calls, "<start_function_call>", "<end_function_call>", "<escape>"),
                None
            ),
            family!(
                "gemma4",
                |calls| gemma(calls, "<|tool_call>", "<tool_call|>", "<|\"|>"),
                Some(("<|channel>thought\n", "<channel|>"))
            ),
            family!("granite3", |calls| format!("<|tool_call|>{}", list(calls, "name", "arguments")), None),
            family!("granite4", hermes, None),
            family!("llama3", llama3, None, is_single: true),
            family!("llama4", |calls| format!("[{}]", python(calls, ", ")), None),
            family!(
                "olmo3",
                |calls| format!("<function_calls>{}</function_calls>", python(calls, "\n")),
                None
            ),
            family!(
                "phi4",
                |calls| format!("<|tool_call|>{}<|/tool_call|>", list(calls, "name", "arguments")),
                None
            ),
            family!("minimax", minimax, Some(("", "\n</think>\n\n")), is_opened: true),
            family!("seed_oss", seed_oss, Some(("<seed:think>", "</seed:think>\n"))),
            family!(
                "jamba",
                |calls| format!("<tool_calls>{}</tool_calls>", list(calls, "name", "arguments")),
                None
            ),
            family!("hunyuan", hunyuan, Some(("<think>\n", "\n</think>\n")), words: ("<answer>\n", "\n</answer>")),
            family!("hunyuan_pairs", hunyuan_pairs, Some(("<think>", "</think>"))),
            family!("cohere_r7b", cohere_r7b, Some(("<|START_THINKING|>", "<|END_THINKING|>")),
                    words: ("<|START_RESPONSE|>", "<|END_RESPONSE|>")),
            family!(
                "command_r",
                |calls| format!("Action: ```json\n{}```", list(calls, "tool_name", "parameters")),
                None
            ),
            family!("apertus", apertus, Some(("<|inner_prefix|>", "<|inner_suffix|>"))),
            family!("smollm3", hermes, Some(("<think>\n", "\n</think>\n"))),
            family!("mistral", |calls| format!("[TOOL_CALLS] {}", list(calls, "name", "arguments")), None),
            family!("magistral", magistral, Some(("[THINK]", "[/THINK]"))),
            family!("apriel", |calls| format!("\n<tool_calls>{}</tool_calls>", list(calls, "name", "arguments")),
                    Some(("", "\n[BEGIN FINAL RESPONSE]\n")), is_opened: true),
        ]
    }
}

fn json(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn object(arguments: &Map<String, Value>) -> String {
    json(&Value::Object(arguments.clone()))
}

fn joined(calls: &[Call<'_>], between: &str, write: impl Fn(&str, &Map<String, Value>) -> String) -> String {
    calls.iter().map(|(name, arguments)| write(name, arguments)).collect::<Vec<_>>().join(between)
}

fn list(calls: &[Call<'_>], name_key: &str, arguments_key: &str) -> String {
    let write = |name: &str, arguments: &Map<String, Value>| {
        format!("{{\"{name_key}\": \"{name}\", \"{arguments_key}\": {}}}", object(arguments))
    };
    format!("[\n{}\n]", joined(calls, ",\n", write))
}

fn fence(name: &str, calls: &str) -> String {
    format!("```{name}\n{calls}\n```")
}

fn objects(calls: &[Call<'_>]) -> String {
    joined(calls, "\n", |name, arguments| {
        format!("{{\"name\": \"{name}\", \"arguments\": {}}}", object(arguments))
    })
}

fn hermes(calls: &[Call<'_>]) -> String {
    joined(calls, "\n", |name, arguments| {
        let arguments = object(arguments);
        format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>")
    })
}

/// Writes a string as it is and any other value as JSON.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| json(value), str::to_owned)
}

fn each(arguments: &Map<String, Value>, between: &str, write: impl Fn(&str, &Value) -> String) -> String {
    arguments.iter().map(|(key, value)| write(key, value)).collect::<Vec<_>>().join(between)
}

fn qwen3_coder(calls: &[Call<'_>]) -> String {
    joined(calls, "\n", |name, arguments| {
        let given =
            each(arguments, "", |key, value| format!("<parameter={key}>\n{}\n</parameter>\n", bare(value)));
        format!("<tool_call>\n<function={name}>\n{given}</function>\n</tool_call>")
    })
}

fn seed_oss(calls: &[Call<'_>]) -> String {
    joined(calls, "\n", |name, arguments| {
        let given =
            each(arguments, "", |key, value| format!("<parameter={key}>{}</parameter>\n", bare(value)));
        format!("<seed:tool_call>\n<function={name}>\n{given}</function>\n</seed:tool_call>")
    })
}

fn minimax(calls: &[Call<'_>]) -> String {
    let calls = joined(calls, "\n", |name, arguments| {
        let given = each(arguments, "", |key, value| {
            format!("<parameter name=\"{key}\">{}</parameter>\n", bare(value))
        });
        format!("<invoke name=\"{name}\">\n{given}</invoke>")
    });
    format!("<minimax:tool_call>\n{calls}\n</minimax:tool_call>")
}

fn deepseek_v32(calls: &[Call<'_>]) -> String {
    let calls = joined(calls, "\n", |name, arguments| {
        let given = each(arguments, "\n", |key, value| {
            let is_text = value.is_string();
            format!(
                "<｜DSML｜parameter name=\"{key}\" string=\"{is_text}\">{}</｜DSML｜parameter>",
                bare(value)
            )
        });
        format!("<｜DSML｜invoke name=\"{name}\">\n{given}\n</｜DSML｜invoke>")
    });
    format!("<｜DSML｜function_calls>\n{calls}\n</｜DSML｜function_calls>")
}

fn glm(calls: &[Call<'_>]) -> String {
    joined(calls, "\n", |name, arguments| {
        let given = each(arguments, "", |key, value| {
            format!("<arg_key>{key}</arg_key>\n<arg_value>{}</arg_value>\n", bare(value))
        });
        format!("<tool_call>{name}\n{given}</tool_call>")
    })
}

fn glm4(calls: &[Call<'_>]) -> String {
    joined(calls, "\n", |name, arguments| format!("{name}\n{}", object(arguments)))
}

fn kimi(calls: &[Call<'_>]) -> String {
    let write = |(index, (name, arguments)): (usize, &Call<'_>)| {
        let arguments = object(arguments);
        format!(
            "<|tool_call_begin|>functions.{name}:{index}<|tool_call_argument_begin|>{arguments}<|tool_call_end|>"
        )
    };
    let calls: String = calls.iter().enumerate().map(write).collect();
    format!("<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>")
}

fn gpt_oss(calls: &[Call<'_>]) -> String {
    joined(calls, "", |name, arguments| {
        let arguments = object(arguments);
        format!("<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{arguments}<|call|>")
    })
}

fn deepseek_r1(calls: &[Call<'_>]) -> String {
    let calls = joined(calls, "\n", |name, arguments| {
        let arguments = object(arguments);
        format!(
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{arguments}\n```<｜tool▁call▁end｜>"
        )
    });
    format!("<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>")
}

fn deepseek_v31(calls: &[Call<'_>]) -> String {
    let calls = joined(calls, "", |name, arguments| {
        format!("<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{}<｜tool▁call▁end｜>", object(arguments))
    });
    format!("<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>")
}

fn python_value(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(python_value).collect::<Vec<_>>().join(", "))
        }
        other => json(other),
    }
}

fn python(calls: &[Call<'_>], between: &str) -> String {
    joined(calls, between, |name, arguments| {
        format!("{name}({})", each(arguments, ", ", |key, value| format!("{key}={}", python_value(value))))
    })
}

fn printed(calls: &[Call<'_>]) -> String {
    calls.iter().map(|call| format!("print({})", python(&[*call], ""))).collect::<Vec<_>>().join("\n")
}

fn lfm2(calls: &[Call<'_>]) -> String {
    format!("<|tool_call_start|>[{}]<|tool_call_end|>", python(calls, ", "))
}

fn gemma(calls: &[Call<'_>], open: &str, close: &str, quote: &str) -> String {
    joined(calls, "", |name, arguments| {
        let given = each(arguments, ",", |key, value| format!("{key}:{}", gemma_value(value, quote)));
        format!("{open}call:{name}{{{given}}}{close}")
    })
}

fn gemma_value(value: &Value, quote: &str) -> String {
    match value {
        Value::String(text) => format!("{quote}{text}{quote}"),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(|value| gemma_value(value, quote)).collect();
            format!("[{}]", values.join(","))
        }
        Value::Object(fields) => {
            format!("{{{}}}", each(fields, ",", |key, value| format!("{key}:{}", gemma_value(value, quote))))
        }
        other => json(other),
    }
}

fn llama3(calls: &[Call<'_>]) -> String {
    joined(calls, "; ", |name, arguments| {
        format!("{{\"name\": \"{name}\", \"parameters\": {}}}", object(arguments))
    })
}

fn hunyuan(calls: &[Call<'_>]) -> String {
    let calls = joined(calls, "\n", |name, arguments| {
        format!("<tool_call>{name}\n```json\n{}\n```\n</tool_call>", object(arguments))
    });
    format!("<tool_calls>\n{calls}\n</tool_calls>")
}

fn hunyuan_pairs(calls: &[Call<'_>]) -> String {
    let calls = joined(calls, "\n", |name, arguments| {
        let given = each(arguments, "", |key, value| {
            format!("<arg_key>{key}</arg_key>\n<arg_value>{}</arg_value>\n", bare(value))
        });
        format!("<tool_call>{name}<tool_sep>\n{given}</tool_call>")
    });
    format!("<tool_calls>\n{calls}\n</tool_calls>")
}

fn cohere_r7b(calls: &[Call<'_>]) -> String {
    let write = |(index, (name, arguments)): (usize, &Call<'_>)| {
        let arguments = object(arguments);
        format!(
            "    {{\"tool_call_id\": \"{index}\", \"tool_name\": \"{name}\", \"parameters\": {arguments}}}"
        )
    };
    let calls: Vec<String> = calls.iter().enumerate().map(write).collect();
    format!("<|START_ACTION|>[\n{}\n]<|END_ACTION|>", calls.join(",\n"))
}

fn apertus(calls: &[Call<'_>]) -> String {
    let calls = joined(calls, ", ", |name, arguments| format!("{{\"{name}\": {}}}", object(arguments)));
    format!("<|tools_prefix|>[{calls}]<|tools_suffix|>")
}

fn magistral(calls: &[Call<'_>]) -> String {
    joined(calls, "", |name, arguments| format!("[TOOL_CALLS]{name}[ARGS]{}", object(arguments)))
}
