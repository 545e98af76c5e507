use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use host::Program;

/// A Python with the packages of the program that ours is measured beside.
pub struct Peer {
    pub python: PathBuf,
    pub versions: String,
}

/// What such a Python has.
struct Packages {
    /// Its folder in the cache.
    folder: &'static str,
    names: &'static [&'static str],
    /// Prints their versions, where all of them are there.
    versions: &'static str,
}

const WEB: Packages = Packages {
    folder: "bench-peer",
    names: &["fastapi", "uvicorn", "chromadb"],
    versions: "import fastapi,uvicorn,chromadb;print(f'fastapi {fastapi.__version__}, uvicorn {uvicorn.__version__}, \
               chromadb {chromadb.__version__}')",
};

/// The last that has `FastMCP` in it.
const MCP: Packages = Packages {
    folder: "bench-peer-mcp",
    names: &["mcp==1.30.*"],
    versions: "import mcp.server.fastmcp;from importlib.metadata import version;print('mcp',version('mcp'))",
};

impl Peer {
    /// The least that a companion in Python would be made of. Made once, in the cache.
    pub async fn prepare() -> anyhow::Result<Self> {
        Self::with(&WEB).await
    }

    /// The official package of the Model Context Protocol.
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
