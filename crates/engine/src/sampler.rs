use std::sync::{Arc, OnceLock};

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::TokEnv;
use llguidance::{Matcher, ParserFactory};
use model::{Constraint, ModelError, Sampling};

/// The number of last tokens that the repeat penalty considers.
const PENALTY_WINDOW: i32 = 64;

/// Creates a sampler for each response. The token table for grammars takes a moment to build, so it is built on first
/// use and kept.
pub struct SamplerFactory {
    model: Arc<LlamaModel>,
    factory: OnceLock<Result<ParserFactory, String>>,
}

impl SamplerFactory {
    pub fn new(model: Arc<LlamaModel>) -> Self {
        Self { model, factory: OnceLock::new() }
    }

    pub fn sampler(
        &self,
        sampling: &Sampling,
        constraint: Option<&Constraint>,
    ) -> Result<LlamaSampler, ModelError> {
        let mut chain = Vec::new();
        match constraint {
            Some(Constraint::JsonSchema(schema)) => {
                let matcher = self.matcher(TopLevelGrammar::from_json_schema(schema.clone()))?;
                chain.push(LlamaSampler::from(matcher));
            }
            Some(Constraint::Grammar(grammar)) => chain.push(
                LlamaSampler::grammar(&self.model, grammar, "root")
                    .map_err(|error| ModelError::Refused(format!("the grammar cannot be used: {error}")))?,
            ),
            None => {}
        }
        if (sampling.repeat_penalty - 1.0).abs() > f32::EPSILON {
            chain.push(LlamaSampler::penalties(
                self.model.n_vocab(),
                PENALTY_WINDOW,
                sampling.repeat_penalty,
                0.0,
                0.0,
            ));
        }
        if sampling.temperature <= 0.0 {
            chain.push(LlamaSampler::greedy());
        } else {
            if sampling.top_k > 0 {
                chain.push(LlamaSampler::top_k(i32::try_from(sampling.top_k).unwrap_or(i32::MAX)));
            }
            if sampling.top_p < 1.0 {
                chain.push(LlamaSampler::top_p(sampling.top_p, 1));
            }
            if sampling.min_p > 0.0 {
                chain.push(LlamaSampler::min_p(sampling.min_p, 1));
            }
            chain.push(LlamaSampler::temp(sampling.temperature));
            chain.push(LlamaSampler::dist(sampling.seed.unwrap_or_else(random_seed)));
        }
        Ok(LlamaSampler::chain_simple(chain))
    }

    /// Returns a sampler restricted to a grammar, and a second matcher to follow the output.
    pub fn bound(&self, sampling: &Sampling, lark: &str) -> Result<(LlamaSampler, Matcher), ModelError> {
        let matcher = self.matcher(TopLevelGrammar::from_lark(lark.to_owned()))?;
        let reader = matcher.deep_clone();
        let usual = self.sampler(sampling, None)?;
        Ok((LlamaSampler::chain_simple([LlamaSampler::from(matcher), usual]), reader))
    }

    fn matcher(&self, grammar: TopLevelGrammar) -> Result<Matcher, ModelError> {
        let vocabulary = self.model.vocab();
        if vocabulary.eot().0 < 0 && vocabulary.eos().0 < 0 {
            return Err(ModelError::Failed(
                "this model cannot follow a schema: it has no token that ends an answer".into(),
            ));
        }
        let factory = self.factory.get_or_init(|| {
            let tokens: TokEnv = LlamaSampler::llguidance_tok_env(&self.model);
            ParserFactory::new_simple(&tokens).map_err(|error| error.to_string())
        });
        let factory = factory.as_ref().map_err(|error| {
            ModelError::Failed(format!("a schema cannot be applied to the tokens of this model: {error}"))
        })?;
        let parser = factory
            .create_parser(grammar)
            .map_err(|error| ModelError::Refused(format!("the JSON schema cannot be used: {error}")))?;
        Ok(Matcher::new(Ok(parser)))
    }
}

fn random_seed() -> u32 {
    u32::from_le_bytes(host::random_bytes())
}
