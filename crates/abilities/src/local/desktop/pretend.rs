//! A machine for tests: it has the given programs and records what was started.

use std::collections::HashMap;
use std::sync::Mutex;

use async_trait::async_trait;
use host::ProcessError;

use super::machine::{Call, Machine, Platform, Ran, Released};

pub struct Pretend {
    pub platform: Platform,
    pub programs: Vec<&'static str>,
    pub variables: HashMap<&'static str, String>,
    /// The result of every program.
    pub answer: Ran,
    pub calls: Mutex<Vec<Call>>,
}

impl Pretend {
    pub fn new(platform: Platform, programs: &[&'static str], variables: &[(&'static str, &str)]) -> Self {
        Self {
            platform,
            programs: programs.to_vec(),
            variables: variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            answer: Ran { succeeded: true, ..Ran::default() },
            calls: Mutex::default(),
        }
    }

    pub fn called(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    fn call(&self, call: Call) -> Result<Ran, ProcessError> {
        if self.platform == Platform::Unix && !self.programs.contains(&call.program.as_str()) {
            return Err(ProcessError::NotFound(call.program));
        }
        self.calls.lock().unwrap().push(call);
        Ok(self.answer.clone())
    }
}

#[async_trait]
impl Machine for Pretend {
    fn platform(&self) -> Platform {
        self.platform
    }

    fn has(&self, program: &str) -> bool {
        self.programs.contains(&program)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    async fn run(&self, call: Call) -> Result<Ran, ProcessError> {
        self.call(call)
    }

    async fn release(&self, call: Call) -> Result<Released, ProcessError> {
        self.call(call).map(|ran| if ran.succeeded { Released::Well } else { Released::Failed })
    }
}
