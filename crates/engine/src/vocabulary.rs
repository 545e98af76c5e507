use std::collections::HashSet;
use std::sync::Arc;

use dialect::ReplySyntax;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token_type::LlamaTokenAttr;

use crate::transcript::Transcript;

/// Control tokens that act as marks of calls and thoughts, which the output parser has to see.
pub struct ControlTokens {
    pub of_thoughts: Arc<HashSet<LlamaToken>>,
    /// The marks of calls, together with those of thoughts.
    pub of_calls: Arc<HashSet<LlamaToken>>,
}

impl ControlTokens {
    pub fn of(syntax: &ReplySyntax, vocabulary: Vocabulary<'_>) -> Self {
        let control: Vec<_> = vocabulary.control_tokens().collect();
        let part_of = |marks: Vec<&str>| {
            let is_part = |text: &str| marks.iter().any(|mark| mark.contains(text));
            let tokens = control.iter().filter(|(_, text)| is_part(text)).map(|(token, _)| *token);
            Arc::new(tokens.collect())
        };
        Self {
            of_thoughts: part_of(syntax.thought_markers().collect()),
            of_calls: part_of(syntax.markers().collect()),
        }
    }
}

/// A part of a text as the model reads it.
pub enum PromptPart<'t> {
    Plain(&'t str),
    Control(LlamaToken),
}

/// Splits a text into plain parts and control tokens from the given list.
pub fn parts<'t>(text: &'t str, control: &[(LlamaToken, String)]) -> Vec<PromptPart<'t>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let found = control.iter().filter_map(|(token, mark)| Some((rest.find(mark)?, *token, mark.len())));
        // The earliest match, and the longest of several at the same place.
        let first = found.min_by_key(|&(place, _, length)| (place, std::cmp::Reverse(length)));
        let Some((place, token, length)) = first else { break };
        if place > 0 {
            parts.push(PromptPart::Plain(&rest[..place]));
        }
        parts.push(PromptPart::Control(token));
        rest = &rest[place + length..];
    }
    if !rest.is_empty() {
        parts.push(PromptPart::Plain(rest));
    }
    parts
}

/// The model's vocabulary: conversion of text to tokens and back.
#[derive(Clone, Copy)]
pub struct Vocabulary<'m> {
    model: &'m LlamaModel,
}

impl<'m> Vocabulary<'m> {
    pub fn new(model: &'m LlamaModel) -> Self {
        Self { model }
    }

    /// Tokenizes a whole prompt. The token that begins a text is added if the file asks for it and the template has not
    /// written it.
    pub fn prompt(self, text: &str) -> Transcript {
        let vocab = self.model.vocab();
        let mut transcript = Transcript::default();
        if vocab.should_add_bos() && !text.as_bytes().starts_with(&self.spelled(vocab.bos())) {
            transcript.push(vocab.bos(), b"");
        }
        self.continuation(text.as_bytes(), &mut transcript);
        transcript
    }

    /// Appends the tokens of a text that follows the existing ones.
    pub fn continuation(self, text: &[u8], transcript: &mut Transcript) {
        for token in self.model.vocab().tokenize(text, false, true) {
            transcript.push(token, &self.spelled(token));
        }
    }

    /// Builds a transcript from known tokens.
    pub fn transcript(self, tokens: &[LlamaToken]) -> Transcript {
        let vocab = self.model.vocab();
        let mut transcript = Transcript::default();
        for (place, &token) in tokens.iter().enumerate() {
            let unspelled = place == 0 && vocab.should_add_bos() && token == vocab.bos();
            let spelled = if unspelled { Vec::new() } else { self.spelled(token) };
            transcript.push(token, &spelled);
        }
        transcript
    }

    pub fn count(self, text: &str) -> usize {
        self.model.vocab().tokenize(text.as_bytes(), false, false).len()
    }

    /// Returns the text of a token in a prompt, including control tokens. A vocabulary without a beginning or end token
    /// has a negative one instead, which yields nothing and must not be passed to llama.cpp.
    pub fn spelled(self, token: LlamaToken) -> Vec<u8> {
        if token.0 < 0 { Vec::new() } else { self.model.vocab().token_to_piece(token, true, None) }
    }

    /// Returns the visible text of a token, which is empty for control tokens.
    pub fn shown(self, token: LlamaToken) -> Vec<u8> {
        self.model.vocab().token_to_piece(token, false, None)
    }

    pub fn ends_the_answer(self, token: LlamaToken) -> bool {
        self.model.vocab().is_eog(token)
    }

    pub fn is_control(self, token: LlamaToken) -> bool {
        self.model.vocab().is_control(token)
    }

    /// Returns the texts that would be read as control tokens within a message.
    pub fn control_texts(self) -> Vec<String> {
        self.control_tokens().map(|(_, text)| text).collect()
    }

    pub fn control_tokens(self) -> impl Iterator<Item = (LlamaToken, String)> {
        let vocab = self.model.vocab();
        let tokens: Vec<LlamaToken> = vocab.tokens().collect();
        let control = tokens
            .into_iter()
            .filter(move |&token| self.model.vocab().attr(token).contains(LlamaTokenAttr::Control));
        let spelled =
            control.filter_map(move |token| Some((token, String::from_utf8(self.spelled(token)).ok()?)));
        spelled.filter(|(_, text)| !text.is_empty())
    }
}
