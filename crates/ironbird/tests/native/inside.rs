//! The simulation inside the program's process.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// All transports.
pub const TRANSPORTS: [&str; 3] = ["memory", "socket", "in-process"];

/// A run of a small program in a folder of its own.
struct Tried {
    folder: tempfile::TempDir,
    status: Option<i32>,
    json: Value,
    messages: String,
}

impl Tried {
    /// What the run says of its end.
    fn outcome(&self) -> &str {
        self.json["runs"][0]["outcome"].as_str().unwrap_or(&self.messages)
    }

    /// What the program printed.
    fn printed(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("out/try/program.log")).unwrap_or_default()
    }

    /// What is left of the folders in which programs run.
    fn left(&self) -> Vec<PathBuf> {
        let left = std::fs::read_dir(self.folder.path().join("tmp")).expect("it was made");
        left.map(|entry| entry.expect("it can be read").path()).collect()
    }
}

/// Compiles a program in C, with the name `program`; none where there is no compiler.
pub fn compile(folder: &Path, program: &str) -> Option<()> {
    let source = folder.join("program.c");
    let headers = ["stdio", "stdlib", "unistd", "time", "sys/syscall"];
    let includes: String = headers.iter().map(|name| format!("#include <{name}.h>\n")).collect();
    std::fs::write(&source, format!("{includes}{program}")).expect("there is room");
    let mut compiler = Command::new("cc");
    let Ok(compiled) = compiler.arg("-o").arg(folder.join("program")).arg(&source).output() else {
        println!("skipped: there is no C compiler (cc)");
        return None;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    Some(())
}

/// Runs a program in C; none where it cannot be.
fn try_out(program: &str, settings: &str) -> Option<Tried> {
    try_out_and(program, settings, |_, _| {})
}

/// The same; something happens to the run meanwhile, in its folder.
fn try_out_and(
    program: &str,
    settings: &str,
    meanwhile: impl FnOnce(&Child, &Path),
) -> Option<Tried> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    compile(folder.path(), program)?;
    let transport = match settings.contains("transport") {
        true => "",
        false => "transport = \"in-process\"\n",
    };
    let experiment = format!(
        "ironbird = 1\nduration = \"2 s\"\n[system.program]\ntype = \"host.native\"\ncommand = \"./program\"\n\
         {transport}{settings}\n[[record]]\nsignals = [\"program.**\"]\n"
    );
    std::fs::write(folder.path().join("try.toml"), experiment).expect("there is room");
    let temporary = folder.path().join("tmp");
    std::fs::create_dir(&temporary).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
    command.args(["run", "--json", "try.toml"]).current_dir(folder.path());
    command.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = command.spawn().expect("it starts");
    meanwhile(&run, folder.path());
    let done = run.wait_with_output().expect("it ends");
    let messages = String::from_utf8_lossy(&done.stderr).into_owned();
    let json = serde_json::from_slice(&done.stdout).unwrap_or_default();
    Some(Tried { folder, status: done.status.code(), json, messages })
}

#[test]
fn a_file_that_outlives_the_run_is_named_once() {
    // What is in /tmp does not count.
    let kept = tempfile::tempdir_in("/var/tmp").expect("a folder");
    let path = kept.path().join("state.bin");
    let program = format!(
        r#"int main(void) {{
            for (int i = 0; i < 3; i++) {{ fclose(fopen("{}", "a")); fclose(fopen("own.txt", "a")); sleep(1); }}
            return 0;
        }}"#,
        path.display()
    );
    for transport in TRANSPORTS {
        let settings = format!("transport = {transport:?}\non_fault = \"go-on\"");
        let Some(tried) = try_out(&program, &settings) else { return };
        let named = tried.messages.matches(&format!("writes {}", path.display())).count();
        assert_eq!(named, 1, "{transport}: {}", tried.messages);
        assert!(!tried.messages.contains("own.txt"), "{}", tried.messages);
    }
}

#[test]
fn what_a_program_prints_is_its_own_and_what_the_run_prints_is_too() {
    let program = r#"int main(void) {
        char place[4096];
        FILE *file = fopen("note.txt", "w");
        printf("in %s, file %d\n", getcwd(place, sizeof place), fileno(file));
        for (int i = 0; i < 3; i++) { sleep(1); fprintf(stderr, "tick\n"); }
    }"#;
    let Some(tried) = try_out(program, "keep = \"kept\"") else { return };
    assert_eq!(tried.status, Some(0), "{}", tried.messages);
    assert_eq!(tried.json["runs"][0]["ending"], "finished");
    let printed = tried.printed();
    assert!(printed.starts_with("in ") && printed.contains("ironbird-native-"), "{printed}");
    // The first number that any program gets.
    assert!(printed.contains(", file 3\ntick\n"), "{printed}");
    assert!(tried.folder.path().join("kept/note.txt").is_file());
    let report = tried.folder.path().join("out/try/report.html");
    let report = std::fs::read_to_string(report).expect("there is a report");
    // The contents of the page name it, too.
    let told = report.rsplit("Native programs").next().expect("it tells of the program");
    let told = told.split("</section>").next().expect("the section ends");
    for figure in [
        "another call takes",
        "500 ns",
        "50 ns",
        "a sleep ends late by",
        "the clock jumps after reads",
        "slowdown of the whole run",
    ] {
        assert!(told.contains(figure), "{figure}: {told}");
    }
    assert_eq!(tried.left(), Vec::<PathBuf>::new());
}

#[test]
fn a_crash_ends_the_run_and_nothing_else() {
    let program = "int main(void) { sleep(1); *(volatile int *)8 = 1; }";
    let Some(tried) = try_out(program, "") else { return };
    assert_eq!(tried.status, Some(3), "{}", tried.messages);
    assert!(tried.outcome().contains("SIGSEGV"), "{}", tried.outcome());
    assert!(tried.outcome().contains("at 1"), "{}", tried.outcome());
    assert!(tried.folder.path().join("out/try/recording.mcap").is_file());
    assert_eq!(tried.left(), Vec::<PathBuf>::new());
}

#[test]
fn a_run_can_go_on_without_a_program_that_ended() {
    let program = "int main(void) { sleep(1); return 4; }";
    let Some(tried) = try_out(program, "on_fault = \"go-on\"") else { return };
    assert_eq!(tried.status, Some(0), "{}", tried.messages);
    assert_eq!(tried.json["runs"][0]["end_ps"], 2_000_000_000_000_u64);
    assert!(tried.messages.contains("with status 4"), "{}", tried.messages);
}

#[test]
fn a_thread_that_computes_without_end_is_found_and_named() {
    let program = "int main(void) { sleep(1); for (volatile int i = 0;; i++) {} }";
    let Some(tried) = try_out(program, "watchdog = \"0.3 s\"") else { return };
    assert_eq!(tried.status, Some(3), "{}", tried.messages);
    let outcome = tried.outcome();
    assert!(outcome.contains("the thread \"main\" of the program computed for 0.3 s"), "{outcome}");
}

#[test]
fn time_in_which_the_process_is_stopped_does_not_count() {
    let program = "int main(void) {
        printf(\"begins\\n\"); fflush(stdout);
        for (volatile long i = 0; i < 2000000000; i++) {}
        sleep(1);
    }";
    let stop = |run: &Child, folder: &Path| {
        let signal =
            |signal: &str| Command::new("kill").args([signal, &run.id().to_string()]).status();
        let printed = || std::fs::read(folder.join("out/try/program.log")).unwrap_or_default();
        while printed().is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // The watchdog has seen whose turn it is.
        std::thread::sleep(Duration::from_millis(200));
        signal("-STOP").expect("kill starts");
        std::thread::sleep(Duration::from_secs(9));
        signal("-CONT").expect("kill starts");
    };
    let settings = "watchdog = \"6 s\"\non_fault = \"go-on\"";
    let Some(tried) = try_out_and(program, settings, stop) else { return };
    assert_eq!(tried.status, Some(0), "{}{}", tried.messages, tried.json);
    assert!(!tried.messages.contains("computed for"), "{}", tried.messages);
}

#[test]
fn a_leak_ends_the_run() {
    let sleeps = "int main(void) {
        struct timespec span = {0, 1000};
        long done = SYS_nanosleep;
        __asm__ volatile(\"syscall\" : \"+a\"(done) : \"D\"(&span), \"S\"(0) : \"rcx\", \"r11\", \"memory\");
        return done != 0;
    }";
    for (program, what) in [
        (sleeps, "nanosleep"),
        ("int main(void) { return __builtin_ia32_rdtsc() == 0; }", "rdtsc"),
        ("int main(void) { return system(\"true\"); }", "system"),
    ] {
        let Some(tried) = try_out(program, "") else { return };
        let outcome = tried.outcome();
        assert_eq!(tried.status, Some(3), "{}", tried.messages);
        assert!(outcome.contains("left virtual time") && outcome.contains(what), "{outcome}");
    }
}

#[test]
fn it_is_for_one_run_of_one_program() {
    let program = "int main(void) { for (;;) sleep(1); }";
    let again = "[scenario.twice]\nrepeat = 2";
    let Some(tried) = try_out(program, again) else { return };
    assert_eq!(tried.status, Some(3), "{}", tried.messages);
    let told = format!("{}{}", tried.messages, tried.json);
    assert!(told.contains("for one run of one program"), "{told}");
}
