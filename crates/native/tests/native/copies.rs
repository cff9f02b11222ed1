//! A native program is copied with all it has: copies go on alike, and apart.

use ironbird_kernel::{Duration, Graph, Options, Simulation, Time};
use ironbird_native::Datagram;
use ironbird_test_rig::{seconds, text};

use crate::programs::{compile, rig};

/// Two threads that count, in memory, in thread-local storage, in a file that stays open, in one that is written anew,
/// and on the standard output.
const COUNTER: &str = r#"
static int total;
static __thread int own;
static FILE *kept;
static void *beside(void *nothing) {
    for (;;) { pause_us(700); own++; total++; }
}
int main(void) {
    pthread_t thread;
    kept = fopen("kept.txt", "w+");
    pthread_create(&thread, NULL, beside, NULL);
    for (;;) {
        pause_us(1000);
        own++; total++;
        fprintf(kept, "%d\n", total);
        fflush(kept);
        FILE *anew = fopen("anew.txt", "w");
        fprintf(anew, "%d", own);
        fclose(anew);
        char content[16] = "";
        anew = fopen("anew.txt", "r");
        fgets(content, sizeof content, anew);
        fclose(anew);
        printf("%d\n", total);
        fflush(stdout);
        uint16_t random;
        FILE *numbers = fopen("/dev/urandom", "r");
        fread(&random, 2, 1, numbers);
        fclose(numbers);
        say("%d %d %s %ld %d", own, total, content, ftell(kept), random);
    }
}
"#;

const MIDDLE: Time = Time::from_ps(10_500_000_000);
const END: Time = Time::from_ps(30_000_000_000);

/// What the program has said, and when.
fn said(simulation: &Simulation) -> Vec<(Time, String)> {
    let packets = simulation.samples::<Datagram>("computer", "udp[0].sent").expect("recorded");
    let text = |packet: Datagram| String::from_utf8_lossy(&packet.bytes).into_owned();
    packets.into_iter().map(|(time, packet)| (time, text(packet))).collect()
}

fn listening(mut simulation: Simulation) -> Simulation {
    simulation.record("computer", "udp[0].sent").expect("an output");
    simulation
}

fn started(graph: Graph) -> Simulation {
    listening(Simulation::new(graph, Options::default()).expect("it starts"))
}

#[test]
fn copies_go_on_as_the_program_does_each_with_files_of_its_own() {
    let Some(program) = compile(COUNTER) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let system = |name: &str| {
        let settings =
            [("log", text(&place(&format!("{name}.log")))), ("keep", text(&place(name)))];
        rig(&program, &settings).into_graph()
    };
    let mut whole = started(system("whole"));
    whole.run_until(END).expect("it runs");
    let expected = said(&whole);
    assert!(expected.len() > 25, "{expected:?}");
    drop(whole);

    let mut trunk = started(system("trunk"));
    trunk.run_until(MIDDLE).expect("it runs");
    let snapshot = trunk.snapshot().expect("it can be copied");
    let file = trunk.checkpoint().expect_err("no file can hold it").to_string();
    assert_eq!(file, "these components cannot save their state: computer");
    let mut branches = ["first", "second"].map(|name| {
        let branch = Simulation::from_snapshot(system(name), Options::default(), &snapshot);
        listening(branch.expect("it goes on"))
    });
    // By turns: copies that shared a file would see each other.
    let mut now = MIDDLE;
    while now < END {
        now = (now + Duration::from_us(1_300)).min(END);
        for simulation in branches.iter_mut().chain([&mut trunk]) {
            simulation.run_until(now).expect("it runs");
        }
    }
    assert_eq!(said(&trunk), expected);
    let rest: Vec<_> = expected.into_iter().filter(|(time, _)| *time >= MIDDLE).collect();
    assert!(rest.len() > 15, "{rest:?}");
    for branch in &branches {
        assert_eq!(said(branch), rest);
    }
    drop((branches, trunk, snapshot));
    // What copies leave behind is what a whole run leaves, too.
    let read = |file: String| std::fs::read_to_string(place(&file)).expect("it was kept");
    for name in ["trunk", "first", "second"] {
        for file in ["/kept.txt", "/anew.txt", ".log"] {
            let (left, right) = (read(format!("{name}{file}")), read(format!("whole{file}")));
            assert!(!right.is_empty());
            assert_eq!(left, right, "{name}{file}");
        }
    }
}

#[test]
fn a_program_that_cannot_be_copied_says_why_and_goes_on() {
    let Some(program) = compile(COUNTER) else { return };
    let system = rig(&program, &[("backend", text("kernel-threads"))]).into_graph();
    let mut simulation = started(system);
    simulation.run_until(MIDDLE).expect("it runs");
    let why = simulation.snapshot().expect_err("kernel threads").to_string();
    assert_eq!(
        why,
        "these components cannot save their state: computer (its threads are those of the kernel: \
         `backend = \"coroutines\"` gives the same bits, where the processor can do it)"
    );
    let before = said(&simulation).len();
    simulation.run_until(seconds(0.02)).expect("it runs");
    assert!(said(&simulation).len() > before);
}

/// Has a file open that is no longer there, as a program that hides its temporary files does.
const HIDES: &str = r#"
int main(void) {
    int file = open("hidden", O_RDWR | O_CREAT, 0600);
    unlink("hidden");
    for (;;) { pause_us(1000); write(file, "x", 1); say("%ld", (long)lseek(file, 0, SEEK_CUR)); }
}
"#;

#[test]
fn a_copy_that_would_share_a_file_is_refused_and_the_program_goes_on() {
    let Some(program) = compile(HIDES) else { return };
    let mut simulation = started(rig(&program, &[]).into_graph());
    simulation.run_until(MIDDLE).expect("it runs");
    let why = simulation.snapshot().expect_err("a hidden file").to_string();
    assert!(why.contains("it has a file open that it has removed: `hidden"), "{why}");
    let before = said(&simulation).len();
    simulation.run_until(seconds(0.02)).expect("it runs");
    assert!(said(&simulation).len() > before);
}
