use model::ChatModel;

/// The capability of a model, estimated from its number of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModelSize {
    /// A very small model, which repeats its prompt, so the prompt is reduced to a minimum.
    Tiny,
    /// A model that is distracted by a long prefix and imitates the text around messages.
    Small,
    /// A model that follows instructions but calls every tool that it is shown, even if the request does not need it.
    Modest,
    /// A model without restrictions, also one of unknown size.
    Full,
}

const TINY: u64 = 400_000_000;
const SMALL: u64 = 1_000_000_000;
const MODEST: u64 = 4_000_000_000;

impl ModelSize {
    pub fn of(parameters: Option<u64>) -> Self {
        match parameters {
            Some(count) if count < TINY => Self::Tiny,
            Some(count) if count < SMALL => Self::Small,
            Some(count) if count < MODEST => Self::Modest,
            _ => Self::Full,
        }
    }

    pub fn is_small(self) -> bool {
        self <= Self::Small
    }

    /// Returns the number of tools shown with a request. `None` if the tools do not depend on the request.
    pub fn few_tools(self) -> Option<usize> {
        match self {
            Self::Tiny => Some(0),
            Self::Small => Some(2),
            Self::Modest => Some(4),
            Self::Full => None,
        }
    }
}

/// Returns true if the model is so small that its prompt is reduced to a minimum.
pub fn is_tiny(model: &dyn ChatModel) -> bool {
    ModelSize::of(model.info().parameters) == ModelSize::Tiny
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_told_apart_by_their_size() {
        for (millions, scale, tools) in [
            (135, ModelSize::Tiny, Some(0)),
            (494, ModelSize::Small, Some(2)),
            (1_540, ModelSize::Modest, Some(4)),
            (3_210, ModelSize::Modest, Some(4)),
            (7_600, ModelSize::Full, None),
        ] {
            assert_eq!(ModelSize::of(Some(millions * 1_000_000)), scale, "{millions} million");
            assert_eq!(scale.few_tools(), tools);
        }
        assert_eq!(ModelSize::of(None), ModelSize::Full);
    }
}
