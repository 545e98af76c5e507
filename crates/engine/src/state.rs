//! The evaluated state of one sequence as bytes. The only module of this crate with unsafe calls into llama.cpp.
#![allow(unsafe_code)]

use std::sync::Arc;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::session::LlamaStateSeqFlags;

/// Bytes produced by [`take`], in this run or in an earlier one with the same model and engine (the disk cache verifies
/// both, and a checksum, before it returns them). They may be hundreds of megabytes, so clones share them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateBytes(pub Arc<Vec<u8>>);

impl From<Vec<u8>> for StateBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(bytes))
    }
}

/// Returns the number of bytes that [`take`] would produce.
pub fn size(context: &LlamaContext<'_>, sequence: i32) -> usize {
    context.state_seq_get_size_ext(sequence, LlamaStateSeqFlags::empty())
}

pub fn take(context: &LlamaContext<'_>, sequence: i32) -> Option<StateBytes> {
    let size = size(context, sequence);
    let mut bytes = vec![0_u8; size];
    // SAFETY: the buffer has the size that llama.cpp reported for this very sequence, and nothing decodes
    // in between, because the context belongs to this thread.
    let written =
        unsafe { context.state_seq_get_data_ext(bytes.as_mut_ptr(), sequence, LlamaStateSeqFlags::empty()) };
    (written == size && size > 0).then(|| bytes.into())
}

/// Loads a state. Returns false if llama.cpp rejects the bytes; the sequence is then empty.
pub fn put(context: &mut LlamaContext<'_>, sequence: i32, state: &StateBytes) -> bool {
    // SAFETY: `StateBytes` holds what `take` produced for the same model; see its documentation.
    unsafe { context.state_seq_set_data_ext(&state.0, sequence, LlamaStateSeqFlags::empty()) }
}
