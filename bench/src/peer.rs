use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use host::Program;

/// A Python environment with the packages of a peer program.
pub struct PythonPeer {
    pub python: PathBuf,
    pub versions: String,
}

/// The packages of a Python environment.
struct Packages {
    /// The folder in the cache.
    folder: &'static str,
    names: &'static [&'static str],
    /// Python code that prints the versions and fails if a package is missing.
    versions: &'static str,
}

const WEB: Packages = Packages {
    folder: "bench-peer",
    names: &["fastapi", "uvicorn", "chromadb"],
    versions: "import fastapi,uvicorn,chromadb;print(f'fastapi {fastapi.__version__}, uvicorn {uvicorn.__version__}, \
               chromadb {chromadb.__version__}')",
};

/// The packages of the MCP peer. Version 1.30 is the last with `FastMCP` in it.
const MCP: Packages = Packages {
    folder: "bench-peer-mcp",
    names: &["mcp==1.30.*"],
    versions: "import mcp.server.fastmcp;from importlib.metadata import version;print('mcp',version('mcp'))",
};

impl PythonPeer {
    /// Prepares the minimal packages of a companion in Python. They are installed once, in the cache.
    pub async fn prepare() -> anyhow::Result<Self> {
        Self::with(&WEB).await
    }

    /// Prepares the official package of the Model Context Protocol.
    pub async fn of_mcp() -> anyhow::Result<Self> {
        Self::with(&MCP).await
    }

    async fn with(packages: &Packages) -> anyhow::Result<Self> {
        let folder = host::cache_dir().context("there is no cache folder")?.join(packages.folder);
        let python = folder.join("bin/python");
        let versions = || run(Program::new(&python).args(["-c", packages.versions]));
        let there = if python.exists() { versions().await.ok() } else { None };
        let versions = if let Some(there) = there {
            there
        } else {
            eprintln!("bench: installing {} for the comparison …", packages.names.join(", "));
            run(Program::new("python3").args(["-m", "venv"]).arg(&folder)).await?;
            let pip = Program::new(&python).args(["-m", "pip", "install", "-q"]);
            run(pip.args(packages.names.iter().copied())).await?;
            versions().await?
        };
        Ok(Self { versions: versions.trim().to_owned(), python })
    }
}

async fn run(program: Program) -> anyhow::Result<String> {
    let finished = program.time_limit(Duration::from_mins(15)).run().await?;
    anyhow::ensure!(finished.status.success(), "{}", finished.stderr);
    Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
}
