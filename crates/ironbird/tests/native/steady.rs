//! Memory that a program never wrote is the same in every run, and a run says where it cannot be.

use std::path::Path;
use std::process::{Command, Output};

use crate::inside::{TRANSPORTS, compile};

/// Publishes what calls have left on its stack, and where things are.
const PROGRAM: &str = r#"
static unsigned long hash = 1;
__attribute__((noinline)) static void publish(void) {
    volatile unsigned char never_written[8192];
    __asm__ volatile("" : : "r"(never_written) : "memory");
    for (int i = 0; i < 8192; i++) hash = hash * 31 + never_written[i];
}
int main(int count, char **words) {
    for (int i = 0; i < 3; i++) {
        publish();
        void *block = malloc(100000);
        printf("%lx %p %p %p\n", hash, (void *)words, block, (void *)printf);
        free(block);
        sleep(1);
    }
    for (;;) sleep(1);
}
"#;

/// Runs something where some system calls are refused, as in some containers.
const CONTAINER: &str = r#"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
int main(int count, char **words) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 100;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 100;
    execv(words[1], words + 1);
    return 100;
}
"#;

fn experiment(folder: &Path, transport: &str) {
    let text = format!(
        "ironbird = 1\nduration = \"3 s\"\n[system.program]\ntype = \"host.native\"\ncommand = \"./program\"\n\
         transport = \"{transport}\"\n[[require]]\nname = \"it is the same in every run\"\n\
         formula = \"always program.steady\"\n"
    );
    std::fs::write(folder.join("try.toml"), text).expect("there is room");
}

fn run(folder: &Path, container: Option<&Path>, size: usize) -> (Output, String) {
    let ironbird = env!("CARGO_BIN_EXE_ironbird");
    let mut command = Command::new(container.unwrap_or(Path::new(ironbird)));
    command.args(container.map(|_| ironbird)).args(["run", "try.toml"]).current_dir(folder);
    for part in 0..size {
        command.env(format!("PART_{part}"), "y".repeat(100_000));
    }
    let output = command.output().expect("it starts");
    let printed = std::fs::read_to_string(folder.join("out/try/program.log"));
    (output, printed.unwrap_or_default())
}

#[test]
fn a_program_that_publishes_its_stack_does_the_same_in_all_transports() {
    let mut first: Option<String> = None;
    for transport in TRANSPORTS {
        for size in [0, 10, 0] {
            let folder = tempfile::Builder::new().prefix(&"x".repeat(1 + 9 * size)).tempdir();
            let folder = folder.expect("a folder");
            if compile(folder.path(), PROGRAM).is_none() {
                return;
            }
            experiment(folder.path(), transport);
            let (output, printed) = run(folder.path(), None, size);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && !said.contains("at random"), "{transport}: {said}");
            assert_eq!(printed.lines().count(), 3, "{transport}: {printed}");
            let first = first.get_or_insert_with(|| printed.clone());
            assert_eq!(printed, *first, "{transport}, {size}");
        }
    }
}

#[test]
fn a_run_says_and_shows_that_the_system_refuses_it() {
    for transport in TRANSPORTS {
        let folder = tempfile::tempdir().expect("a folder");
        if compile(folder.path(), CONTAINER).is_none() {
            return;
        }
        let container = folder.path().join("container");
        std::fs::rename(folder.path().join("program"), &container).expect("it was made");
        compile(folder.path(), PROGRAM).expect("there is a compiler");
        experiment(folder.path(), transport);
        let (output, _) = run(folder.path(), Some(&container), 0);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("its addresses are drawn at random"), "{transport}: {said}");
        assert!(said.contains("AT_RANDOM are drawn anew"), "{transport}: {said}");
        // The requirement fails: the result carries the mark.
        assert_eq!(output.status.code(), Some(1), "{transport}: {said}");
    }
}
