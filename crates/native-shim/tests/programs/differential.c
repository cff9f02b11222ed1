// Plays random programs of threads over locks, one after the other, and prints what each of their steps answered and in
// which order. The same on Linux, under SCHED_FIFO on one processor, and in virtual time.
//
// Of each program: `program N`; its objects, where they are not plain; its threads, `thread PRIORITY`, each with its
// steps, a line each; `end`. Times are ticks since its begin. A step that would break the rules of its object, as to
// unlock what is another's, is left out: it answers `-`.
#define _GNU_SOURCE
#include <errno.h>
#include <gnu/libc-version.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 8, MOST_STEPS = 32, OF_EACH = 2, FIRST_PRIORITY = 95, LOWEST_PRIORITY = 10, TICK_NS = 2000000 };

struct step {
    char name[24];
    int at, tick, count;
};

struct thread {
    int priority, number, steps, done;
    struct step step[MOST_STEPS];
    // What it has of each object.
    int mutexes[OF_EACH], reads[OF_EACH], writes[OF_EACH];
    sem_t gate;
    pthread_t handle;
    struct program *program;
};

struct program {
    pthread_mutex_t mutex[OF_EACH];
    int kind[OF_EACH], locked[OF_EACH];
    pthread_rwlock_t rwlock[OF_EACH];
    pthread_cond_t cond[OF_EACH];
    sem_t semaphore[OF_EACH];
    pthread_barrier_t barrier[OF_EACH];
    unsigned futex[OF_EACH];
    struct timespec begun;
    int threads;
    struct thread thread[MOST_THREADS];
    // What happened.
    atomic_int count;
    struct { int thread, step, answer; } log[MOST_THREADS * MOST_STEPS];
    int signaller_waited;
};

enum { LEFT_OUT = -1 };

static struct timespec at_tick(const struct program *p, int tick) {
    struct timespec time = p->begun;
    time.tv_nsec += (long)tick * TICK_NS;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static int errno_of(int failed) { return failed ? errno : 0; }

static long futex(unsigned *word, int operation, unsigned value, const void *timeout, unsigned *second, unsigned bits) {
    return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, timeout, second, bits);
}

// Until glibc 2.41 a signaller may wait until threads that were served before it have gone on (its bug 25847): not what
// a condition is meant to do, and not what newer libraries do. Here as `struct __pthread_cond_s` has it in 2.25 to 2.40.
static void note_whether_signaller_waits(struct program *p, pthread_cond_t *cond) {
    static int is_old = -1;
    if (is_old < 0) is_old = atoi(strchr(gnu_get_libc_version(), '.') + 1) < 41;
    struct { unsigned long long sequence, first_start; unsigned references[2], size[2], first_size, waiters; } now;
    memcpy(&now, cond, sizeof now);
    unsigned first = (now.sequence & 1) ^ 1;
    unsigned second_size = (unsigned)((now.sequence >> 1) - (now.first_start >> 1)) - (now.first_size >> 2) + now.size[first ^ 1];
    if (is_old && now.waiters >> 3 && now.size[first] == 0 && second_size != 0 && now.references[first] >> 1)
        p->signaller_waited = 1;
}

static int play(struct thread *me, const struct step *step) {
    struct program *p = me->program;
    const char *name = step->name;
    int at = step->at, answer;
    struct timespec until = at_tick(p, step->tick);
    if (!strcmp(name, "until")) return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    if (!strcmp(name, "yield")) return sched_yield();
    if (!strcmp(name, "priority") || !strcmp(name, "priority_of_next")) {
        struct thread *whose = strcmp(name, "priority") ? &p->thread[(me->number + 1) % p->threads] : me;
        if (whose->done == whose->steps) return LEFT_OUT;
        return pthread_setschedprio(whose->handle, LOWEST_PRIORITY + step->count);
    }

    pthread_mutex_t *mutex = &p->mutex[at];
    if (!strcmp(name, "lock") || !strcmp(name, "trylock") || !strcmp(name, "timedlock")) {
        answer = name[0] == 'l'   ? pthread_mutex_lock(mutex)
                 : name[1] == 'r' ? pthread_mutex_trylock(mutex)
                                  : pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &until);
        if (answer == 0) me->mutexes[at]++, p->locked[at] = 1;
        return answer;
    }
    if (!strcmp(name, "unlock")) {
        if (!me->mutexes[at]) return LEFT_OUT;
        if (--me->mutexes[at] == 0) p->locked[at] = 0;
        return pthread_mutex_unlock(mutex);
    }
    // Programs use plain mutexes as signals; the others refuse.
    if (!strcmp(name, "release")) {
        if (me->mutexes[at] || !p->locked[at]) return LEFT_OUT;
        int refuses = p->kind[at] == PTHREAD_MUTEX_RECURSIVE || p->kind[at] == PTHREAD_MUTEX_ERRORCHECK;
        if (!refuses) {
            for (int i = 0; i < p->threads; i++) p->thread[i].mutexes[at] = 0;
            p->locked[at] = 0;
        }
        return pthread_mutex_unlock(mutex);
    }

    pthread_cond_t *cond = &p->cond[at];
    if (!strcmp(name, "wait") || !strcmp(name, "timedwait")) {
        // Each condition has the mutex of its number.
        if (!me->mutexes[at]) return LEFT_OUT;
        if (me->mutexes[at] == 1) p->locked[at] = 0;
        answer = name[0] == 'w' ? pthread_cond_wait(cond, mutex)
                                : pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, &until);
        p->locked[at] = 1;
        return answer;
    }
    if (!strcmp(name, "signal") || !strcmp(name, "broadcast")) {
        note_whether_signaller_waits(p, cond);
        return name[0] == 's' ? pthread_cond_signal(cond) : pthread_cond_broadcast(cond);
    }

    pthread_rwlock_t *rwlock = &p->rwlock[at];
    if (strstr(name, "rdlock")) {
        answer = name[0] == 'r'   ? pthread_rwlock_rdlock(rwlock)
                 : name[1] == 'r' ? pthread_rwlock_tryrdlock(rwlock)
                                  : pthread_rwlock_clockrdlock(rwlock, CLOCK_MONOTONIC, &until);
        if (answer == 0) me->reads[at]++;
        return answer;
    }
    if (strstr(name, "wrlock")) {
        answer = name[0] == 'w'   ? pthread_rwlock_wrlock(rwlock)
                 : name[1] == 'r' ? pthread_rwlock_trywrlock(rwlock)
                                  : pthread_rwlock_clockwrlock(rwlock, CLOCK_MONOTONIC, &until);
        if (answer == 0) me->writes[at]++;
        return answer;
    }
    if (!strcmp(name, "rwunlock")) {
        int *held = me->writes[at] ? &me->writes[at] : &me->reads[at];
        if (!*held) return LEFT_OUT;
        (*held)--;
        return pthread_rwlock_unlock(rwlock);
    }

    sem_t *semaphore = &p->semaphore[at];
    if (!strcmp(name, "sem_wait")) return errno_of(sem_wait(semaphore));
    if (!strcmp(name, "sem_trywait")) return errno_of(sem_trywait(semaphore));
    if (!strcmp(name, "sem_timedwait")) return errno_of(sem_clockwait(semaphore, CLOCK_MONOTONIC, &until));
    if (!strcmp(name, "sem_post")) return errno_of(sem_post(semaphore));
    if (!strcmp(name, "sem_getvalue")) {
        sem_getvalue(semaphore, &answer);
        return answer;
    }
    if (!strcmp(name, "barrier")) {
        answer = pthread_barrier_wait(&p->barrier[at]);
        return answer == PTHREAD_BARRIER_SERIAL_THREAD ? 1 : answer;
    }

    unsigned *word = &p->futex[at];
    long result = 0;
    if (!strcmp(name, "store")) *word = step->count;
    else if (!strcmp(name, "futex_wait"))
        result = futex(word, FUTEX_WAIT_BITSET, step->count, step->tick ? &until : NULL, NULL, FUTEX_BITSET_MATCH_ANY);
    else if (!strcmp(name, "futex_wait_bits"))
        result = futex(word, FUTEX_WAIT_BITSET, *word, step->tick ? &until : NULL, NULL, step->count);
    else if (!strcmp(name, "futex_wake")) result = futex(word, FUTEX_WAKE, step->count, NULL, NULL, 0);
    else if (!strcmp(name, "futex_wake_bits")) result = futex(word, FUTEX_WAKE_BITSET, 9, NULL, NULL, step->count);
    else if (!strcmp(name, "futex_requeue"))
        result = futex(word, FUTEX_REQUEUE, step->tick, (void *)(long)step->count, &p->futex[!at], 0);
    else if (!strcmp(name, "futex_cmp_requeue"))
        result = futex(word, FUTEX_CMP_REQUEUE, step->tick, (void *)(long)step->count, &p->futex[!at], *word);
    else
        abort();
    return result < 0 ? 1000 + errno : result;
}

static void *thread_of_program(void *argument) {
    struct thread *me = argument;
    struct program *p = me->program;
    sem_wait(&me->gate);
    for (me->done = 0; me->done < me->steps; me->done++) {
        int answer = play(me, &me->step[me->done]);
        int place = p->count++;
        p->log[place].thread = me->number;
        p->log[place].step = me->done;
        p->log[place].answer = answer;
    }
    return NULL;
}

static void must(int holds, const char *what) {
    if (holds) return;
    printf("%s: %s\n", what, strerror(errno));
    exit(errno == EPERM ? 77 : 1);
}

static void pause_ticks(int ticks) {
    struct timespec span = {0, ticks * (long)TICK_NS};
    nanosleep(&span, NULL);
}

static void run(struct program *p, int number, int last_tick) {
    for (int i = 0; i < p->threads; i++) {
        struct thread *thread = &p->thread[i];
        pthread_attr_t attributes;
        struct sched_param parameters = {thread->priority};
        pthread_attr_init(&attributes);
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &parameters);
        pthread_attr_setstacksize(&attributes, 65536);
        sem_init(&thread->gate, 0, 0);
        thread->number = i;
        thread->program = p;
        // Nobody joins it, so that its handle stays its own.
        errno = pthread_create(&thread->handle, &attributes, thread_of_program, thread);
        must(errno == 0, "pthread_create");
    }
    // All stand at their gates; then these open in order.
    pause_ticks(1);
    clock_gettime(CLOCK_MONOTONIC, &p->begun);
    for (int i = 0; i < p->threads; i++) sem_post(&p->thread[i].gate);
    struct timespec end = at_tick(p, last_tick + 2);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
    printf("%d:", number);
    for (int i = 0; i < p->count; i++) {
        if (p->log[i].answer == LEFT_OUT) printf(" %d.%d-", p->log[i].thread, p->log[i].step);
        else printf(" %d.%d=%d", p->log[i].thread, p->log[i].step, p->log[i].answer);
    }
    for (int i = 0; i < p->threads; i++)
        if (p->thread[i].done < p->thread[i].steps) printf(" %d.%d...", i, p->thread[i].done);
    printf(p->signaller_waited ? " the signaller waited\n" : "\n");
    fflush(stdout);
}

static struct program *fresh(void) {
    // Threads of the programs before may wait for ever: nothing is used again.
    struct program *p = calloc(1, sizeof *p);
    for (int i = 0; i < OF_EACH; i++) {
        pthread_mutex_init(&p->mutex[i], NULL);
        pthread_rwlock_init(&p->rwlock[i], NULL);
        pthread_cond_init(&p->cond[i], NULL);
        sem_init(&p->semaphore[i], 0, 0);
        pthread_barrier_init(&p->barrier[i], NULL, 2);
    }
    return p;
}

int main(int count, char **words) {
    FILE *file = count > 1 ? fopen(words[1], "r") : NULL;
    must(file != NULL, "a file of programs");
    // The last one: others have less to do there.
    cpu_set_t processors, one;
    sched_getaffinity(0, sizeof processors, &processors);
    int last = CPU_SETSIZE - 1;
    while (last > 0 && !CPU_ISSET(last, &processors)) last--;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    must(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
    struct sched_param parameters = {FIRST_PRIORITY};
    must(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0, "sched_setscheduler");

    struct program *p = NULL;
    struct thread *thread = NULL;
    int number = 0, last_tick = 0;
    char line[100], name[24];
    while (fgets(line, sizeof line, file)) {
        int a = 0, b = 0, c = 0;
        must(sscanf(line, "%23s %d %d %d", name, &a, &b, &c) > 0, "a line");
        if (!strcmp(name, "program")) {
            p = fresh();
            number = a;
            last_tick = b;
            thread = NULL;
        } else if (!strcmp(name, "mutex")) {
            pthread_mutexattr_t attributes;
            pthread_mutexattr_init(&attributes);
            pthread_mutexattr_settype(&attributes, p->kind[a] = b);
            pthread_mutex_init(&p->mutex[a], &attributes);
        } else if (!strcmp(name, "rwlock")) {
            pthread_rwlockattr_t attributes;
            pthread_rwlockattr_init(&attributes);
            pthread_rwlockattr_setkind_np(&attributes, b);
            pthread_rwlock_init(&p->rwlock[a], &attributes);
        } else if (!strcmp(name, "semaphore")) {
            sem_init(&p->semaphore[a], 0, b);
        } else if (!strcmp(name, "barrier") && !thread) {
            pthread_barrier_init(&p->barrier[a], NULL, b);
        } else if (!strcmp(name, "thread")) {
            thread = &p->thread[p->threads++];
            thread->priority = a;
        } else if (!strcmp(name, "end")) {
            run(p, number, last_tick);
        } else {
            struct step *step = &thread->step[thread->steps++];
            memcpy(step->name, name, sizeof name);
            step->at = a, step->tick = b, step->count = c;
        }
    }
    // Those who still wait end with the process.
    fflush(stdout);
    _exit(0);
}
