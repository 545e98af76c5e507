use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use host::Program;

/// A Python with the packages of the program that ours is measured beside.
pub struct Peer {
    pub python: PathBuf,
    pub versions: String,
}

const PACKAGES: [&str; 3] = ["fastapi", "uvicorn", "chromadb"];

impl Peer {
    /// Made once, in the cache.
    pub async fn prepare() -> anyhow::Result<Self> {
        let folder = host::cache_dir().context("there is no cache folder")?.join("bench-peer");
        let python = folder.join("bin/python");
        if !works(&python).await {
            eprintln!("bench: installing {} for the comparison …", PACKAGES.join(", "));
            run(Program::new("python3").args(["-m", "venv"]).arg(&folder)).await?;
            run(Program::new(&python).args(["-m", "pip", "install", "-q"]).args(PACKAGES)).await?;
        }
        let code = "import fastapi,uvicorn,chromadb;print(f'fastapi {fastapi.__version__}, uvicorn {uvicorn.__version__}, \
                    chromadb {chromadb.__version__}')";
        let versions = run(Program::new(&python).args(["-c", code])).await?;
        Ok(Self { python, versions: versions.trim().to_owned() })
    }
}

async fn works(python: &Path) -> bool {
    python.exists()
        && run(Program::new(python).args(["-c", "import fastapi, uvicorn, chromadb"])).await.is_ok()
}

async fn run(program: Program) -> anyhow::Result<String> {
    let finished = program.time_limit(Duration::from_mins(15)).run().await?;
    anyhow::ensure!(finished.status.success(), "{}", finished.stderr);
    Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
}
