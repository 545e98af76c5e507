use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sandbox::{Sandbox, SandboxLevel};
use tempfile::TempDir;
use workspace::{Layer, LayerCommand, LayerCommandResult, LayerWrites, Overlay, Workspace, WorkspacePath};

/// The method by which writes are captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureMethod {
    Mount,
    Copy,
    /// A copy, in a sandbox without namespaces.
    Partial,
}

pub struct LayerFixture {
    pub folder: TempDir,
    pub workspace: Workspace,
    pub sandbox: Sandbox,
    pub layer: Layer,
    pub overlay: Overlay,
    pub method: CaptureMethod,
}

pub fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

/// Creates a test fixture for each method that this machine supports.
pub async fn fixtures(files: &[(&str, &str)]) -> Vec<LayerFixture> {
    let mut fixtures = Vec::new();
    for method in [CaptureMethod::Mount, CaptureMethod::Copy, CaptureMethod::Partial] {
        fixtures.extend(LayerFixture::new(method, files, &[]).await);
    }
    fixtures
}

impl LayerFixture {
    pub async fn new(method: CaptureMethod, files: &[(&str, &str)], include: &[String]) -> Option<Self> {
        let sandbox = Sandbox::probe_with(std::env::current_exe().unwrap()).await;
        let needed =
            if method == CaptureMethod::Partial { SandboxLevel::Partial } else { SandboxLevel::Full };
        if sandbox.level() < needed {
            return None;
        }
        let sandbox = sandbox.at_most(needed);
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        for (path, text) in files {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
        let workspace = Workspace::open(&root, &[]).unwrap().including(include).unwrap();
        let layer = Layer::open(&workspace, &folder.path().join("layer"), &sandbox).await.unwrap();
        if method == CaptureMethod::Mount && layer.copy_reason().is_some() {
            return None;
        }
        let layer = if method == CaptureMethod::Mount { layer } else { layer.by_copy() };
        let overlay = Overlay::new(workspace.root().clone());
        Some(Self { folder, workspace, sandbox, layer, overlay, method })
    }

    pub fn root(&self) -> PathBuf {
        self.workspace.path().to_owned()
    }

    /// Returns the folder that receives the writes of commands.
    pub fn writes_folder(&self) -> PathBuf {
        let part = if self.method == CaptureMethod::Mount { "layer/upper" } else { "layer/copy" };
        self.folder.path().join(part)
    }

    pub async fn try_to_run(
        &mut self,
        command: LayerCommand,
        out: &mut (dyn FnMut(&[u8]) + Send),
    ) -> LayerCommandResult {
        let before = state(&self.root());
        let result = self.layer.run(&self.sandbox, command, &mut self.overlay, out).await.unwrap();
        assert_eq!(state(&self.root()), before, "{:?}: the work is as it was", self.method);
        result
    }

    /// Runs a bash command that must succeed, and returns its output and its writes.
    #[track_caller]
    pub fn run(&mut self, line: &str) -> impl Future<Output = (String, LayerWrites)> {
        let place = std::panic::Location::caller();
        async move {
            let mut printed = Vec::new();
            let command = bash(line).time_limit(Duration::from_mins(2));
            let result = self.try_to_run(command, &mut |bytes| printed.extend_from_slice(bytes)).await;
            let printed = String::from_utf8_lossy(&printed).into_owned();
            let status = result.exit.unwrap_or_else(|error| panic!("{place}: {line}: {error}\n{printed}"));
            assert!(status.success(), "{place}: {:?}: {line}: {status}\n{printed}", self.method);
            (printed, result.writes)
        }
    }

    /// Returns the changes of the overlay by path; `None` stands for a deleted file.
    pub fn changes(&self) -> BTreeMap<String, Option<String>> {
        let changes = self.overlay.changes().iter();
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        changes.map(|(path, change)| (path.to_string(), change.after.as_ref().map(text))).collect()
    }
}

pub fn bash(line: &str) -> LayerCommand {
    LayerCommand::new(["bash", "--noprofile", "--norc", "-c", line])
}

pub fn names(list: &[(String, String)]) -> Vec<&str> {
    list.iter().map(|(name, _)| name.as_str()).collect()
}

/// Returns everything in a folder, with contents and times, including git's files.
pub fn state(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let info = fs::symlink_metadata(&path).unwrap();
            let holds = if info.is_file() {
                host::hex(&fs::read(&path).unwrap_or_default())
            } else if info.is_symlink() {
                fs::read_link(&path).unwrap().display().to_string()
            } else {
                String::new()
            };
            let about =
                (info.mode(), info.nlink(), info.ino(), info.mtime(), info.mtime_nsec(), info.ctime_nsec());
            found.insert(path.clone(), format!("{about:?} {holds}"));
            if info.is_dir() {
                waiting.push(path);
            }
        }
    }
    found
}
