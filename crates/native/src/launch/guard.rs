//! What clears up when this process is killed: a shell that waits at a pipe.
//!
//! Whatever ends this process closes the pipe, and then the shell kills all of the program's group and removes its
//! folder. When a program ends as it should, the shell is told that nothing is left to do.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;

const SCRIPT: &str = r#"read -r word
[ "$word" = done ] && exit 0
[ -z "$1" ] || kill -s KILL -- "-$1"
exec rm -rf -- "$2""#;

/// A shell that waits.
pub struct Guard {
    shell: Child,
}

impl Guard {
    /// Begins to watch over a group of processes, if the program has one, and a folder.
    ///
    /// # Errors
    /// If there is no shell.
    pub fn new(group: Option<Pid>, folder: &Path) -> io::Result<Self> {
        let mut shell = Command::new("/bin/sh");
        let group = group.map_or_else(String::new, |leader| leader.as_raw_nonzero().to_string());
        shell.args(["-c", SCRIPT, "ironbird-guard"]).arg(group).arg(folder);
        // Ctrl-C is for the run, and the folder is none of its business while it waits.
        shell.process_group(0).current_dir("/").env_clear().env("PATH", "/usr/bin:/bin");
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Guard { shell: shell.spawn()? })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(mut word) = self.shell.stdin.take() {
            let _ = word.write_all(b"done\n");
        }
        let _ = self.shell.wait();
    }
}
