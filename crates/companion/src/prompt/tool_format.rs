use config::ToolStyle;
use model::ModelInfo;
use protocol::ModelKind;

use crate::model_size::ModelSize;

/// The format in which tools reach the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolFormat {
    /// Tools are sent with the request, and calls arrive separately from the text.
    #[default]
    Native,
    /// Tools are sent with the request and rendered by the model's own template; calls arrive within the text.
    Template,
    /// Tools are described in the prompt.
    Text,
}

impl ToolFormat {
    pub fn of(info: &ModelInfo, wish: ToolStyle) -> Self {
        let native = match wish {
            ToolStyle::Native => true,
            ToolStyle::Text => false,
            ToolStyle::Auto => info.native_tools,
        };
        match (native, info.kind) {
            (false, _) => Self::Text,
            (true, ModelKind::Embedded) => Self::Template,
            (true, _) => Self::Native,
        }
    }
}

/// The place in the prompt where tools are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolPlacement {
    /// The beginning of every prompt, with as many tools as fit.
    Always(ToolFormat),
    /// The context of a message, with at most this many tools that the message calls for.
    ByRequest(usize),
}

/// The length in tokens below which the beginning of a prompt hardly has room for a tool beside the soul.
const LEAST_BEGINNING: u32 = 900;
/// The number of tools with a request to a model that reads prompts slowly.
const MOST_BY_REQUEST: usize = 6;

impl ToolPlacement {
    /// Chooses the place for a model. `beginning` is the token budget of the beginning of a prompt.
    pub fn of(info: &ModelInfo, wish: ToolStyle, beginning: u32) -> Self {
        let format = ToolFormat::of(info, wish);
        let few = ModelSize::of(info.parameters).few_tools();
        match (wish, few) {
            (ToolStyle::Native, _) => Self::Always(format),
            (_, Some(few)) => Self::ByRequest(few),
            (_, None) if info.reading_pace.is_some() && beginning < LEAST_BEGINNING => {
                Self::ByRequest(MOST_BY_REQUEST)
            }
            (_, None) => Self::Always(format),
        }
    }
}
