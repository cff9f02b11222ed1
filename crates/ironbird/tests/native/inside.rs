//! The simulation inside the program's process.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ironbird_record::Recording;
use serde_json::Value;

/// All transports.
pub const TRANSPORTS: [&str; 4] = ["memory", "socket", "in-process", "auto"];

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
    try_out_and(program, settings, &[], |_, _| {})
}

/// The same; something happens to the run meanwhile, in its folder.
fn try_out_and(
    program: &str,
    settings: &str,
    options: &[&str],
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
    command.args(["run", "--json", "try.toml"]).args(options).current_dir(folder.path());
    // A group of its own, to stop all of it as Ctrl-Z does.
    command.process_group(0);
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
fn descriptors_of_the_run_are_not_the_programs_to_close() {
    // closefrom(3) is younger than some C libraries.
    let ways = [
        "for (int i = 0; i < 4096; i++) close(i);",
        "for (int i = 0; i < 4096; i++) syscall(SYS_close, i);",
        "syscall(SYS_close_range, 0, ~0U, 0);",
        "for (int i = 3; i < 1024; i++) dup2(1, i);",
        "for (int i = 3; i < 1024; i++) syscall(SYS_dup3, 1, i, 0);",
    ];
    for way in ways {
        let program = format!(
            "int main(void) {{ sleep(1); {way} usleep(300000); printf(\"tick\\n\"); fflush(stdout); sleep(9); }}"
        );
        let mut hashes = Vec::new();
        for transport in TRANSPORTS {
            let Some(tried) = try_out(&program, &format!("transport = {transport:?}")) else {
                return;
            };
            assert_eq!(tried.status, Some(0), "{way}, {transport}: {}", tried.messages);
            let ticks = if way.contains("= 3") { "tick\n" } else { "" };
            assert_eq!(tried.printed(), ticks, "{way}, {transport}");
            hashes.push(tried.json["runs"][0]["hash"].clone());
        }
        hashes.dedup();
        assert!(hashes.len() == 1 && hashes[0].is_string(), "{way}: {hashes:?}");
    }
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
        let group = format!("-{}", run.id());
        let signal = |signal: &str| Command::new("kill").args([signal, "--", &group]).status();
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
    let Some(tried) = try_out_and(program, settings, &[], stop) else { return };
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
fn every_kind_of_end_is_the_same_with_every_transport() {
    let leak = "volatile unsigned long t = __builtin_ia32_rdtsc();";
    let locks = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    for (kind, acts, status) in [
        ("it goes on", "for (;;) sleep(1);", 0),
        ("its own end", "return 0;", 3),
        ("an exit with a status", "exit(7);", 3),
        ("an exit without farewell", "_exit(7);", 3),
        ("a crash", "*(volatile int *)8 = 1;", 3),
        ("an abort", "abort();", 3),
        ("a signal to itself", "raise(SIGTERM);", 3),
        ("a hang", "for (volatile int i = 0;; i++) {}", 3),
        ("a deadlock", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);", 3),
        ("a leak", leak, 3),
    ] {
        let program = format!(
            "#include <pthread.h>\n#include <signal.h>\n{locks}\n\
             int main(void) {{ printf(\"begins\\n\"); fflush(stdout); sleep(1); {acts} }}"
        );
        let mut first: Option<(Value, Value, String)> = None;
        for transport in TRANSPORTS {
            let settings = format!("transport = {transport:?}\nwatchdog = \"5 s\"");
            let Some(tried) = try_out(&program, &settings) else { return };
            let told = format!("{kind}, {transport}: {}{}", tried.messages, tried.json);
            assert_eq!(tried.status, Some(status), "{told}");
            assert_eq!(tried.printed(), "begins\n", "{told}");
            assert_eq!(tried.left(), Vec::<PathBuf>::new(), "{told}");
            let recording = tried.folder.path().join("out/try/recording.mcap");
            let recording = Recording::open(&recording).expect("a recording");
            assert_eq!(recording.damaged, None, "{told}");
            assert!(tried.folder.path().join("out/try/report.html").is_file(), "{told}");
            let run = &tried.json["runs"][0];
            // The folder of the experiment is another one each time, and so are addresses.
            let place = tried.folder.path().display().to_string();
            let plain = |text: &str| without_addresses(&text.replace(&place, ""));
            let outcome = plain(run["outcome"].as_str().expect("a text"));
            // A socket has no place for the name of a thread: what is told is the kernel's, which is the program's.
            let outcome = match transport {
                "socket" => outcome.replace("thread \"program\"", "thread \"main\""),
                _ => outcome,
            };
            // On a busy machine a run also says how far it is.
            let messages = plain(&tried.messages);
            let messages = messages.lines().filter(|line| !line.contains("x real time")).collect();
            let end = (run["hash"].clone(), outcome.into(), messages);
            match &first {
                None => first = Some(end),
                Some(first) => assert_eq!(&end, first, "{told}"),
            }
        }
    }
}

#[test]
fn the_program_seems_to_have_one_thread_and_its_c_library_knows_of_the_other() {
    // What libc goes by itself: with one thread it gives locks back without waking anybody, and threads of the
    // simulation wait for the same loader's.
    let program = r#"#include <dlfcn.h>
    extern char __libc_single_threaded;
    int main(void) {
        char *own = dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), "__libc_single_threaded");
        printf("seen %d, own %d\n", __libc_single_threaded, *own);
        fflush(stdout);
        for (;;) sleep(1);
    }"#;
    for transport in TRANSPORTS {
        let Some(tried) = try_out(program, &format!("transport = {transport:?}")) else { return };
        assert_eq!(tried.printed(), "seen 1, own 0\n", "{transport}: {}", tried.messages);
    }
}

/// A text without hexadecimal numbers of more than six digits.
fn without_addresses(text: &str) -> String {
    let mut pieces = text.split("0x");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.chars().take_while(char::is_ascii_hexdigit).count();
        plain.push_str("0x");
        plain.push_str(if digits > 6 { &piece[digits..] } else { piece });
    }
    plain
}

/// What the run says of the transport of the program.
fn seat(tried: &Tried) -> (&str, &str) {
    let seat = &tried.json["transports"][0];
    (seat["transport"].as_str().unwrap_or(""), seat["why"].as_str().unwrap_or(""))
}

const SLEEPS: &str = "int main(void) { for (;;) sleep(1); }";

#[test]
fn the_run_says_which_transport_it_took_and_why() {
    let auto = "transport = \"auto\"";
    let mut hashes = Vec::new();
    for (settings, options, expected) in [
        (auto, &[][..], ("in-process", "")),
        (auto, &["--partitions", "2"], ("memory", "the run has several partitions")),
        ("transport = \"auto\"\nchildren = \"helpers\"", &[], ("memory", "it may have helpers")),
        ("transport = \"socket\"", &[], ("", "")),
    ] {
        let Some(tried) = try_out_and(SLEEPS, settings, options, |_, _| {}) else { return };
        assert_eq!(tried.status, Some(0), "{options:?}: {}", tried.messages);
        assert_eq!(seat(&tried), expected, "{settings} {options:?}");
        hashes.push(tried.json["runs"][0]["hash"].clone());
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1, "{hashes:?}");
}

#[test]
fn what_is_asked_for_and_cannot_be_is_refused_before_the_run() {
    let tried = try_out_and(SLEEPS, "", &["--partitions", "2"], |_, _| {});
    let Some(tried) = tried else { return };
    assert_eq!(tried.status, Some(2), "{}", tried.messages);
    assert!(
        tried.messages.contains("the run has several partitions; take \"auto\""),
        "{}",
        tried.messages
    );
    let again = "transport = \"in-process\"\n[system.other]\ntype = \"host.native\"\ncommand = \"./program\"\ntransport = \"in-process\"";
    let Some(tried) = try_out(SLEEPS, again) else { return };
    assert_eq!(tried.status, Some(2), "{}", tried.messages);
    assert!(tried.messages.contains("other holds the run"), "{}", tried.messages);
}

#[test]
fn one_program_of_a_run_holds_it_and_the_others_share_memory() {
    let other =
        "transport = \"auto\"\n[system.z]\ntype = \"host.native\"\ncommand = \"./program\"\n";
    let Some(tried) = try_out(SLEEPS, other) else { return };
    assert_eq!(tried.status, Some(0), "{}", tried.messages);
    let transports = &tried.json["transports"];
    assert_eq!(transports[0]["component"], "program");
    assert_eq!(transports[0]["transport"], "in-process");
    assert_eq!(transports[1]["component"], "z");
    assert_eq!(transports[1]["why"], "program holds the run");
    let asks = format!("{other}transport = \"in-process\"\n");
    let Some(asked) = try_out(SLEEPS, &asks) else { return };
    assert_eq!(asked.json["transports"][0]["component"], "z", "{}", asked.messages);
    assert_eq!(asked.json["runs"][0]["hash"], tried.json["runs"][0]["hash"]);
}

#[test]
fn each_scenario_and_repetition_has_a_process_of_its_own() {
    let runs = |transport: &str| {
        let scenarios = "[scenario.long]\nrepeat = 2\n[scenario.short]\nduration = \"1 s\"";
        let settings = format!("transport = {transport:?}\n{scenarios}");
        let tried = try_out(SLEEPS, &settings)?;
        assert_eq!(tried.status, Some(0), "{}", tried.messages);
        for folder in ["long-0", "long-1", "short"] {
            let recording = tried.folder.path().join("out/try").join(folder);
            let recording = Recording::open(&recording.join("recording.mcap"));
            assert_eq!(recording.expect("a recording").damaged, None);
        }
        let runs = tried.json["runs"].as_array().expect("there are runs").clone();
        assert_eq!(runs.len(), 3);
        let kept = ["scenario", "repetition", "seed", "outcome", "hash", "values", "recording"];
        let kept = |run: &Value| kept.map(|key| run[key].clone());
        Some(runs.iter().map(kept).collect::<Vec<_>>())
    };
    let (Some(memory), Some(inside)) = (runs("memory"), runs("in-process")) else { return };
    assert_eq!(inside, memory);
}

#[test]
fn a_program_that_cannot_load_the_library_shares_memory() {
    // The library needs libm, and this one is none; neither the program nor the preload library needs it.
    let bad = tempfile::tempdir().expect("a folder");
    std::fs::write(bad.path().join("libm.so.6"), "").expect("there is room");
    let bad = format!("environment = \"LD_LIBRARY_PATH={}\"\n", bad.path().display());
    let tried = try_out(SLEEPS, &format!("transport = \"auto\"\n{bad}"));
    let Some(tried) = tried else { return };
    assert_eq!(tried.status, Some(0), "{}", tried.messages);
    let (transport, why) = seat(&tried);
    assert_eq!(transport, "memory");
    assert!(why.ends_with("before the run began"), "{why}");
    let Some(asked) = try_out(SLEEPS, &bad) else { return };
    assert_eq!(asked.status, Some(3), "{}", asked.messages);
    assert!(asked.messages.contains("before the run began"), "{}", asked.messages);
}

#[test]
fn a_run_whose_process_is_killed_says_so() {
    let program = "int main(void) { printf(\"%d\\n\", 1); fflush(stdout); for (;;) {} }";
    let kill = |run: &Child, folder: &Path| {
        let printed = || std::fs::read(folder.join("out/try/program.log")).unwrap_or_default();
        while printed().is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let children = format!("/proc/{0}/task/{0}/children", run.id());
        let children = std::fs::read_to_string(children).expect("it has a child");
        let killed = Command::new("kill").arg("-KILL").args(children.split_whitespace()).status();
        assert!(killed.expect("kill").success());
    };
    let Some(tried) = try_out_and(program, "", &[], kill) else { return };
    assert_eq!(tried.status, Some(3), "{}", tried.messages);
    assert!(tried.messages.contains("was ended by signal 9"), "{}", tried.messages);
    let began = std::time::Instant::now();
    // The shell that watches over the folder may come after the run.
    while !tried.left().is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", tried.left());
        std::thread::sleep(Duration::from_millis(10));
    }
}
