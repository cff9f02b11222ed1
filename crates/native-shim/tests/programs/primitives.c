// Eight threads of different priorities meet at every primitive of libc, one section each. Main has a higher priority
// than all of them; it lets them wait, and then serves them. Every line is "section who milliseconds".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 8 };
static const int priorities[WORKERS] = {3, 7, 1, 7, 5, 2, 8, 5};
static pthread_t threads[WORKERS];
static const char *section;
static struct timespec begun;

static long microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - begun.tv_sec) * 1000000 + (now.tv_nsec - begun.tv_nsec) / 1000;
}

static void say(const char *who) {
    long now = microseconds();
    printf("%s %s %ld.%03ld\n", section, who, now / 1000, now % 1000);
}

static void says(long worker) {
    char name[8];
    snprintf(name, sizeof name, "w%ld", worker);
    say(name);
}

static void check(int holds, const char *what) {
    if (!holds) {
        printf("%s: WRONG %s\n", section, what);
        fflush(stdout);
        exit(1);
    }
}

static void pause_ms(long ms) {
    struct timespec span = {ms / 1000, ms % 1000 * 1000000};
    check(nanosleep(&span, 0) == 0, "nanosleep");
}

static struct timespec in_ms(clockid_t clock, long ms) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += ms * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void start_with(void *(*work)(void *), void *(*argument)(long)) {
    for (long i = 0; i < WORKERS; i++) {
        pthread_attr_t attributes;
        struct sched_param parameters = {priorities[i]};
        pthread_attr_init(&attributes);
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &parameters);
        pthread_attr_setstacksize(&attributes, 262144);
        check(pthread_create(&threads[i], &attributes, work, argument ? argument(i) : (void *)i) == 0, "create");
        pthread_attr_destroy(&attributes);
    }
}

static void begin(const char *name, void *(*work)(void *)) {
    section = name;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    start_with(work, 0);
}

static void join_all(void) {
    for (long i = 0; i < WORKERS; i++) {
        void *result;
        check(pthread_join(threads[i], &result) == 0 && result == (void *)i, "join");
    }
}

// Mutexes

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *lock_once(void *worker) {
    pthread_mutex_lock(&mutex);
    says((long)worker);
    pthread_mutex_unlock(&mutex);
    return worker;
}

static void *lock_twice(void *worker) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    says((long)worker);
    pthread_mutex_unlock(&mutex);
    check(pthread_mutex_trylock(&mutex) == 0, "trylock of the own mutex");
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    return worker;
}

static void *lock_checked(void *worker) {
    check(pthread_mutex_unlock(&mutex) == EPERM, "unlock of another's mutex");
    pthread_mutex_lock(&mutex);
    check(pthread_mutex_lock(&mutex) == EDEADLK, "second lock");
    says((long)worker);
    pthread_mutex_unlock(&mutex);
    return worker;
}

static void *lock_for_a_while(void *worker) {
    struct timespec until = in_ms(CLOCK_REALTIME, (long)worker + 1);
    check(pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT, "timedlock");
    says((long)worker);
    return worker;
}

static mtx_t plain;

static void *lock_plain(void *worker) {
    check(mtx_lock(&plain) == thrd_success, "mtx_lock");
    says((long)worker);
    mtx_unlock(&plain);
    return worker;
}

static void mutexes(void) {
    pthread_mutexattr_t attributes;
    const struct {
        const char *name;
        int kind;
        int protocol;
        void *(*work)(void *);
    } kinds[] = {
        {"mutex", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, lock_once},
        {"recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_INHERIT, lock_twice},
        {"errorcheck", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, lock_checked},
    };
    for (int kind = 0; kind < 3; kind++) {
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, kinds[kind].kind);
        pthread_mutexattr_setprotocol(&attributes, kinds[kind].protocol);
        pthread_mutex_init(&mutex, &attributes);
        pthread_mutex_lock(&mutex);
        begin(kinds[kind].name, kinds[kind].work);
        pause_ms(1);
        pthread_mutex_unlock(&mutex);
        join_all();
        check(pthread_mutex_destroy(&mutex) == 0, "destroy");
    }
    mtx_init(&plain, mtx_plain);
    mtx_lock(&plain);
    begin("c11", lock_plain);
    pause_ms(1);
    mtx_unlock(&plain);
    join_all();
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_lock(&mutex);
    begin("timedlock", lock_for_a_while);
    join_all();
    pthread_mutex_unlock(&mutex);
}

// Condition variables

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static clockid_t condition_clock;
static int use_clockwait;

static void *wait_signalled(void *worker) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    says((long)worker);
    pthread_mutex_unlock(&mutex);
    return worker;
}

static void *wait_timed(void *worker) {
    struct timespec until = in_ms(condition_clock, (long)worker + 1);
    pthread_mutex_lock(&mutex);
    int result = use_clockwait ? pthread_cond_clockwait(&condition, &mutex, condition_clock, &until)
                               : pthread_cond_timedwait(&condition, &mutex, &until);
    check(result == ETIMEDOUT, "time-out");
    says((long)worker);
    pthread_mutex_unlock(&mutex);
    return worker;
}

static void conditions(void) {
    begin("broadcast", wait_signalled);
    pause_ms(1);
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&condition);
    pause_ms(1);
    pthread_mutex_unlock(&mutex);
    join_all();

    begin("signal", wait_signalled);
    for (int i = 0; i < WORKERS; i++) {
        pause_ms(1);
        pthread_cond_signal(&condition);
    }
    join_all();

    // Those who were woken have not run when the condition is destroyed, and its memory is another's.
    begin("destroyed", wait_signalled);
    pause_ms(1);
    pthread_cond_broadcast(&condition);
    check(pthread_cond_destroy(&condition) == 0, "destroy");
    memset(&condition, 0xa5, sizeof condition);
    join_all();
    condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;

    condition_clock = CLOCK_REALTIME;
    begin("wait-realtime", wait_timed);
    join_all();

    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition, &attributes);
    condition_clock = CLOCK_MONOTONIC;
    begin("wait-monotonic", wait_timed);
    join_all();

    condition_clock = CLOCK_REALTIME;
    use_clockwait = 1;
    begin("clockwait", wait_timed);
    join_all();
}

// Barrier, read-write lock, semaphore, spin lock, once

static pthread_barrier_t barrier;

static void *meet(void *worker) {
    int result = pthread_barrier_wait(&barrier);
    says((long)worker);
    check(result == 0, "only the last is the serial thread");
    return worker;
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *read_or_write(void *worker) {
    if ((long)worker % 2)
        pthread_rwlock_wrlock(&rwlock);
    else
        pthread_rwlock_rdlock(&rwlock);
    says((long)worker);
    pause_ms(1);
    pthread_rwlock_unlock(&rwlock);
    return worker;
}

static sem_t semaphore;

static void *take(void *worker) {
    check(sem_wait(&semaphore) == 0, "sem_wait");
    says((long)worker);
    return worker;
}

static void *take_for_a_while(void *worker) {
    struct timespec until = in_ms(CLOCK_REALTIME, (long)worker + 1);
    check(sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT, "sem_timedwait");
    says((long)worker);
    return worker;
}

static pthread_spinlock_t spin;

static void *spin_once(void *worker) {
    pthread_spin_lock(&spin);
    says((long)worker);
    pthread_spin_unlock(&spin);
    return worker;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;

static void initialise(void) {
    say("initialiser");
    pause_ms(1);
    initialised++;
}

static void *do_once(void *worker) {
    pthread_once(&once, initialise);
    check(initialised == 1, "initialised once");
    says((long)worker);
    return worker;
}

static void others(void) {
    pthread_barrier_init(&barrier, 0, WORKERS + 1);
    begin("barrier", meet);
    pause_ms(1);
    check(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD, "the last is the serial thread");
    join_all();

    pthread_rwlock_wrlock(&rwlock);
    begin("rwlock", read_or_write);
    pause_ms(1);
    pthread_rwlock_unlock(&rwlock);
    join_all();
    check(pthread_rwlock_trywrlock(&rwlock) == 0, "the lock is free");

    sem_init(&semaphore, 0, 0);
    begin("semaphore", take);
    for (int i = 0; i < WORKERS; i++) {
        pause_ms(1);
        sem_post(&semaphore);
    }
    join_all();
    begin("sem-timed", take_for_a_while);
    join_all();

    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    begin("spin", spin_once);
    pause_ms(1);
    pthread_spin_unlock(&spin);
    join_all();

    begin("once", do_once);
    join_all();
}

// Sleeps

static void *sleep_absolute(void *worker) {
    struct timespec until = in_ms(CLOCK_MONOTONIC, WORKERS - (long)worker);
    check(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0) == 0, "clock_nanosleep");
    says((long)worker);
    return worker;
}

static void *sleep_relative(void *worker) {
    usleep(((long)worker + 1) * 1000);
    says((long)worker);
    return worker;
}

static void *sleep_equally(void *worker) {
    sleep(1);
    says((long)worker);
    return worker;
}

static void sleeps(void) {
    begin("absolute", sleep_absolute);
    join_all();
    begin("relative", sleep_relative);
    join_all();
    begin("together", sleep_equally);
    join_all();
}

// Files to wait for

static void *periodic(void *worker) {
    int set = epoll_create1(0);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    long period = ((long)worker + 1) * 1000000;
    struct itimerspec times = {{0, period}, {0, period}};
    struct epoll_event event = {EPOLLIN, {.u64 = 77}};
    timerfd_settime(timer, 0, &times, 0);
    epoll_ctl(set, EPOLL_CTL_ADD, timer, &event);
    for (int i = 0; i < 2; i++) {
        uint64_t count = 0;
        check(epoll_wait(set, &event, 1, -1) == 1 && event.data.u64 == 77, "epoll_wait");
        check(read(timer, &count, sizeof count) == sizeof count && count == 1, "timerfd");
        says((long)worker);
    }
    close(timer);
    close(set);
    return worker;
}

static int shared_file;
static int pipe_ends[2];

static void *take_event(void *worker) {
    uint64_t count;
    check(read(shared_file, &count, sizeof count) == sizeof count && count == 1, "eventfd");
    says((long)worker);
    return worker;
}

static void *poll_pipe(void *worker) {
    for (;;) {
        struct pollfd file = {pipe_ends[0], POLLIN, 0};
        check(poll(&file, 1, -1) == 1, "poll");
        char byte;
        if (read(pipe_ends[0], &byte, 1) == 1) {
            says((long)worker);
            return worker;
        }
        check(errno == EAGAIN, "somebody else was faster");
    }
}

static void *select_pipe(void *worker) {
    for (;;) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(pipe_ends[0], &set);
        check(select(pipe_ends[0] + 1, &set, 0, 0, 0) == 1 && FD_ISSET(pipe_ends[0], &set), "select");
        char byte;
        if (read(pipe_ends[0], &byte, 1) == 1) {
            says((long)worker);
            return worker;
        }
    }
}

static void *poll_in_vain(void *worker) {
    struct pollfd file = {pipe_ends[0], POLLIN, 0};
    struct timeval span = {0, ((long)worker + 1) * 1000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipe_ends[0], &set);
    if ((long)worker % 2)
        check(poll(&file, 1, (long)worker + 1) == 0, "poll in vain");
    else
        check(select(pipe_ends[0] + 1, &set, 0, 0, &span) == 0, "select in vain");
    says((long)worker);
    return worker;
}

static void files(void) {
    begin("timerfd", periodic);
    join_all();

    shared_file = eventfd(0, EFD_SEMAPHORE);
    begin("eventfd", take_event);
    for (int i = 0; i < WORKERS; i++) {
        uint64_t one = 1;
        pause_ms(1);
        check(write(shared_file, &one, sizeof one) == sizeof one, "write");
    }
    join_all();

    check(pipe2(pipe_ends, O_NONBLOCK) == 0, "pipe");
    for (int way = 0; way < 2; way++) {
        begin(way ? "select" : "poll", way ? select_pipe : poll_pipe);
        for (int i = 0; i < WORKERS; i++) {
            pause_ms(1);
            check(write(pipe_ends[1], "x", 1) == 1, "write");
        }
        join_all();
    }
    begin("in-vain", poll_in_vain);
    join_all();
}

// Timers and signals

static int heard;

static void on_signal(int number) {
    heard = number;
    say(number == SIGALRM ? "alarm" : number == SIGUSR1 ? "usr1" : "rt");
}

static void on_info(int number, siginfo_t *info, void *context) {
    (void)context;
    check(info->si_signo == number && info->si_value.sival_int == 99, "siginfo");
    say("info");
}

static void on_thread(union sigval value) {
    check(value.sival_int == 5, "the value of a timer's thread");
    say("thread");
}

static void *wait_for_signal(void *worker) {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    check(sigwait(&set, &number) == 0 && number == SIGUSR2, "sigwait");
    says((long)worker);
    return worker;
}

static void signals(void) {
    section = "timers";
    clock_gettime(CLOCK_MONOTONIC, &begun);
    signal(SIGALRM, on_signal);
    struct itimerval every = {{0, 2000}, {0, 1000}};
    setitimer(ITIMER_REAL, &every, 0);
    for (int i = 0; i < 3; i++)
        check(pause() == -1 && errno == EINTR, "pause");
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_REAL, &every, 0);

    struct sigaction action = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO};
    sigaction(SIGRTMIN, &action, 0);
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 99};
    check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
    struct itimerspec once_in_two = {{0, 0}, {0, 2000000}};
    timer_settime(timer, 0, &once_in_two, 0);
    struct timespec span = {1, 0}, left;
    check(nanosleep(&span, &left) == -1 && errno == EINTR, "a sleep is interrupted");
    check(left.tv_sec == 0 && left.tv_nsec == 998000000, "what is left");
    say("interrupted");
    timer_delete(timer);

    alarm(1);
    sleep(5);
    say("woken");

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    struct timespec patience = {0, 3000000};
    check(sigtimedwait(&set, 0, &patience) == -1 && errno == EAGAIN, "sigtimedwait in vain");
    say("in-vain");
    raise(SIGUSR2);
    check(sigtimedwait(&set, 0, &patience) == SIGUSR2, "a pending signal");
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    check(heard == SIGUSR1, "raise runs the handler");

    struct sigevent in_thread = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 5};
    in_thread.sigev_notify_function = on_thread;
    check(timer_create(CLOCK_REALTIME, &in_thread, &timer) == 0, "timer_create with a thread");
    timer_settime(timer, 0, &once_in_two, 0);
    pause_ms(3);
    timer_delete(timer);

    begin("sigwait", wait_for_signal);
    for (long i = 0; i < WORKERS; i++) {
        pause_ms(1);
        pthread_kill(threads[i], SIGUSR2);
    }
    join_all();
}

// What belongs to a thread

static __thread long own = -1;
static pthread_key_t key;
static long destroyed;

static void destroy(void *value) {
    destroyed += (long)value;
}

static void *keep(void *worker) {
    check(own == -1, "fresh thread-local storage");
    own = (long)worker;
    errno = (int)(long)worker + 1000;
    pthread_setspecific(key, (void *)((long)worker + 1));
    char name[16], found[16];
    snprintf(name, sizeof name, "worker-%ld", (long)worker);
    pthread_setname_np(pthread_self(), name);
    pause_ms(1 + (long)worker % 3);
    pthread_getname_np(pthread_self(), found, sizeof found);
    check(own == (long)worker, "thread-local storage");
    check(errno == (int)(long)worker + 1000, "errno");
    check((long)pthread_getspecific(key) == (long)worker + 1, "a key");
    check(!strcmp(name, found), "the name");
    check(pthread_equal(pthread_self(), threads[(long)worker]), "pthread_self");
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    check(pthread_getattr_np(pthread_self(), &attributes) == 0, "attributes");
    pthread_attr_getstack(&attributes, &stack, &size);
    check((char *)&size > (char *)stack && (char *)&size < (char *)stack + size, "the stack is the thread's own");
    cpu_set_t processors;
    check(pthread_attr_getaffinity_np(&attributes, sizeof processors, &processors) == 0, "processors");
    check(CPU_COUNT(&processors) == 1 && CPU_ISSET(0, &processors), "one processor");
    pthread_attr_destroy(&attributes);
    struct sched_param parameters;
    int policy;
    pthread_getschedparam(pthread_self(), &policy, &parameters);
    check(policy == SCHED_FIFO && parameters.sched_priority == priorities[(long)worker], "the priority");
    says((long)worker);
    return worker;
}

static void *take_turns(void *worker) {
    for (int i = 0; i < 2; i++) {
        says((long)worker);
        sched_yield();
    }
    return worker;
}

static int word;

static void *futex_wait(void *worker) {
    check(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0) == 0, "futex");
    says((long)worker);
    return worker;
}

static void own_things(void) {
    pthread_key_create(&key, destroy);
    begin("storage", keep);
    join_all();
    check(destroyed == 36, "destructors of keys");
    check(own == -1, "main's own");

    begin("yield", take_turns);
    join_all();

    begin("futex", futex_wait);
    for (int i = 0; i < WORKERS; i++) {
        pause_ms(1);
        check(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) == 1, "futex wake");
    }
    join_all();

    pthread_mutex_lock(&mutex);
    begin("promoted", lock_once);
    pause_ms(1);
    pthread_setschedprio(threads[2], 9);
    pthread_mutex_unlock(&mutex);
    join_all();
}

int main(void) {
    struct sched_param parameters = {20};
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
    mutexes();
    conditions();
    others();
    sleeps();
    files();
    signals();
    own_things();
    return 0;
}
