//! Builds the page with Node, and embeds it. Without Node, or without the packages that it needs, the program is built all
//! the same: it says what is missing when the view is asked for.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let web = PathBuf::from("web");
    for part in [
        "src",
        "index.html",
        "package.json",
        "package-lock.json",
        "vite.config.ts",
        "tsconfig.json",
        "public",
    ] {
        println!("cargo::rerun-if-changed=web/{part}");
    }
    println!("cargo::rerun-if-env-changed=IRONBIRD_WITHOUT_PAGE");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says where to build"));
    let built = match env::var_os("IRONBIRD_WITHOUT_PAGE") {
        Some(_) => Err("it was built with IRONBIRD_WITHOUT_PAGE".to_owned()),
        None => build(&web, &out),
    };
    let code = match &built {
        Ok(page) => embed(page),
        Err(why) => {
            println!("cargo::warning=the page of the view is left out: {why}");
            format!(
                "pub const FILES: &[(&str, &[u8])] = &[];\npub const MISSING: &str = {why:?};\n"
            )
        }
    };
    fs::write(out.join("page.rs"), code).expect("the folder of the build can be written");
}

/// Builds the page in a copy of its folder, so that the sources stay as they are.
fn build(web: &Path, out: &Path) -> Result<PathBuf, String> {
    let copy = out.join("web");
    let page = out.join("page");
    let kept = copy.join("node_modules");
    copy_folder(web, &copy).map_err(|error| format!("its sources cannot be copied: {error}"))?;
    let lock = fs::read(copy.join("package-lock.json")).unwrap_or_default();
    let installed = fs::read(kept.join(".lock")).unwrap_or_default();
    if lock != installed || lock.is_empty() {
        run(&copy, "npm", &["ci", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts"])?;
        fs::write(kept.join(".lock"), &lock).map_err(|error| error.to_string())?;
    }
    let _ = fs::remove_dir_all(&page);
    let target = page.display().to_string();
    run(&copy, "npm", &["exec", "--", "vite", "build", "--outDir", &target, "--emptyOutDir"])?;
    Ok(page)
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let said = Command::new(program).args(arguments).current_dir(folder).output();
    let said = said.map_err(|error| {
        format!("{program} cannot be started ({error}); install Node 20 or newer")
    })?;
    if said.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&said.stderr);
    // npm says first what kind of error it is, and last where its log lies.
    let mut lines = text.lines().filter(|line| line.contains("error"));
    let why = lines.find(|line| !line.contains("code")).unwrap_or("no message").trim();
    Err(format!("`{program} {}` failed: {why}", arguments[0]))
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == "node_modules" || name == "dist" {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &to.join(name))?,
            false => {
                fs::copy(entry.path(), to.join(name))?;
            }
        }
    }
    Ok(())
}

fn embed(page: &Path) -> String {
    let mut files = Vec::new();
    collect(page, page, &mut files);
    files.sort();
    let lines = files.iter().map(|(name, path)| {
        format!("    ({name:?}, include_bytes!({:?})),\n", path.display().to_string())
    });
    let lines: String = lines.collect();
    format!("pub const FILES: &[(&str, &[u8])] = &[\n{lines}];\npub const MISSING: &str = \"\";\n")
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().replace('\\', "/"), path));
        }
    }
}
