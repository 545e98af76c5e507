//! A desktop for tests: it has the given programs and records what was started.

use std::collections::HashMap;
use std::sync::Mutex;

use async_trait::async_trait;
use host::ProcessError;

use super::environment::{DesktopEnvironment, DesktopProgramOutput, LaunchResult, Platform, ProgramCall};

pub struct FakeDesktop {
    pub platform: Platform,
    pub programs: Vec<&'static str>,
    pub variables: HashMap<&'static str, String>,
    /// The result of every program.
    pub answer: DesktopProgramOutput,
    pub calls: Mutex<Vec<ProgramCall>>,
}

impl FakeDesktop {
    pub fn new(platform: Platform, programs: &[&'static str], variables: &[(&'static str, &str)]) -> Self {
        Self {
            platform,
            programs: programs.to_vec(),
            variables: variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            answer: DesktopProgramOutput { succeeded: true, ..DesktopProgramOutput::default() },
            calls: Mutex::default(),
        }
    }

    pub fn called(&self) -> Vec<ProgramCall> {
        self.calls.lock().unwrap().clone()
    }

    fn call(&self, call: ProgramCall) -> Result<DesktopProgramOutput, ProcessError> {
        if self.platform == Platform::Unix && !self.programs.contains(&call.program.as_str()) {
            return Err(ProcessError::NotFound(call.program));
        }
        self.calls.lock().unwrap().push(call);
        Ok(self.answer.clone())
    }
}

#[async_trait]
impl DesktopEnvironment for FakeDesktop {
    fn platform(&self) -> Platform {
        self.platform
    }

    fn has(&self, program: &str) -> bool {
        self.programs.contains(&program)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    async fn run(&self, call: ProgramCall) -> Result<DesktopProgramOutput, ProcessError> {
        self.call(call)
    }

    async fn launch(&self, call: ProgramCall) -> Result<LaunchResult, ProcessError> {
        self.call(call).map(|ran| if ran.succeeded { LaunchResult::Started } else { LaunchResult::Failed })
    }
}
