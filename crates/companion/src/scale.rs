/// How much a model can be asked to cope with, by its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// A toy. It repeats whatever stands before it, so next to nothing may.
    Tiny,
    /// It is distracted by a long prefix, and imitates what stands around messages.
    Small,
    /// It follows instructions, and calls any tool that it is shown, be it asked for or not.
    Modest,
    /// Nothing is kept from it. So it is with a model whose size is not known.
    Full,
}

const TINY: u64 = 400_000_000;
const SMALL: u64 = 1_000_000_000;
const MODEST: u64 = 4_000_000_000;

impl Scale {
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

    /// How many tools it is shown for a request, where that depends on the request.
    pub fn few_tools(self) -> Option<usize> {
        match self {
            Self::Tiny => Some(0),
            Self::Small => Some(2),
            Self::Modest => Some(4),
            Self::Full => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_told_apart_by_their_size() {
        for (millions, scale, tools) in [
            (135, Scale::Tiny, Some(0)),
            (494, Scale::Small, Some(2)),
            (1_540, Scale::Modest, Some(4)),
            (3_210, Scale::Modest, Some(4)),
            (7_600, Scale::Full, None),
        ] {
            assert_eq!(Scale::of(Some(millions * 1_000_000)), scale, "{millions} million");
            assert_eq!(scale.few_tools(), tools);
        }
        assert_eq!(Scale::of(None), Scale::Full);
    }
}
