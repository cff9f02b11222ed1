//! Whatever way a program is run, it does the same.

use ironbird_kernel::Time;
use ironbird_test_rig::{seconds, text};

use crate::programs::{compile, run};

/// Threads of different priorities that share a mutex and a condition, sleep, draw random numbers, and say so.
const BUSY: &str = r#"
#include <sys/random.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int count;
static __thread int own;
static void *work(void *argument) {
    long number = (long)argument;
    for (int i = 0; i < 20; i++) {
        pause_us(300 + 100 * number);
        pthread_mutex_lock(&lock);
        own += number;
        count++;
        unsigned drawn = 0;
        getrandom(&drawn, sizeof drawn, 0);
        say("%ld: %d %d %u %llu", number, own, count, drawn, (unsigned long long)now_us());
        pthread_cond_signal(&news);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
int main(void) {
    for (long i = 1; i <= 4; i++) {
        pthread_t thread;
        pthread_attr_t attributes;
        struct sched_param priority = {.sched_priority = (int)(5 * i % 7)};
        pthread_attr_init(&attributes);
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &priority);
        if (pthread_create(&thread, &attributes, work, (void *)i)) return 1;
    }
    pthread_mutex_lock(&lock);
    while (count < 80) pthread_cond_wait(&news, &lock);
    pthread_mutex_unlock(&lock);
    say("all");
    for (;;) pause_us(1000000);
}
"#;

#[test]
fn transports_and_back_ends_give_the_same_bits() {
    let Some(program) = compile(BUSY) else { return };
    let said = |backend: &str, transport: &str| -> Vec<(Time, String)> {
        let settings = [("backend", text(backend)), ("transport", text(transport))];
        run(&program, &settings, seconds(1.0))
    };
    let first = said("coroutines", "memory");
    assert_eq!(first.len(), 81);
    assert_eq!(first[80].1, "all");
    for (backend, transport) in [
        ("coroutines", "memory"),
        ("coroutines", "socket"),
        ("kernel-threads", "memory"),
        ("kernel-threads", "socket"),
    ] {
        assert_eq!(said(backend, transport), first, "{backend}, {transport}");
    }
}
