// The primitives of C++ with eight threads of different priorities, and what a compiler adds by itself: guards of
// static variables and thread-local objects. Main has a higher priority than all. Lines are "section who milliseconds".
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <pthread.h>
#include <random>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

static const int priorities[8] = {3, 7, 1, 7, 5, 2, 8, 5};
static std::string section;
static Clock::time_point begun;

static void say(const std::string &who) {
    auto us = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun).count();
    std::printf("%s %s %ld.%03ld\n", section.c_str(), who.c_str(), long(us / 1000), long(us % 1000));
}

static void check(bool holds, const char *what) {
    if (!holds) {
        std::printf("%s: WRONG %s\n", section.c_str(), what);
        std::fflush(stdout);
        std::_Exit(1);
    }
}

static void set_priority(pthread_t thread, int priority) {
    sched_param parameters = {priority};
    check(pthread_setschedparam(thread, SCHED_FIFO, &parameters) == 0, "priority");
}

// Starts the workers, lets `serve` act, and joins them.
static void with_workers(const char *name, std::function<void(int)> work, std::function<void()> serve = [] {}) {
    section = name;
    begun = Clock::now();
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++) {
        threads.emplace_back([i, &work] {
            work(i);
        });
        set_priority(threads.back().native_handle(), priorities[i]);
    }
    serve();
    for (auto &thread : threads)
        thread.join();
}

static std::string worker(int i) {
    return "w" + std::to_string(i);
}

static void locks() {
    std::mutex mutex;
    mutex.lock();
    with_workers(
        "mutex",
        [&](int i) {
            std::lock_guard lock(mutex);
            say(worker(i));
        },
        [&] {
            std::this_thread::sleep_for(1ms);
            mutex.unlock();
        });

    std::timed_mutex timed;
    timed.lock();
    with_workers("timed", [&](int i) {
        check(!timed.try_lock_for((i + 1) * 1ms), "try_lock_for");
        say(worker(i));
    });

    std::shared_mutex shared;
    shared.lock();
    with_workers(
        "shared",
        [&](int i) {
            if (i % 2) {
                std::unique_lock lock(shared);
                say(worker(i));
                std::this_thread::sleep_for(1ms);
            } else {
                std::shared_lock lock(shared);
                say(worker(i));
                std::this_thread::sleep_for(1ms);
            }
        },
        [&] {
            std::this_thread::sleep_for(1ms);
            shared.unlock();
        });
}

static void conditions() {
    std::mutex mutex;
    std::condition_variable condition;
    int tickets = 0;
    with_workers(
        "notify",
        [&](int i) {
            std::unique_lock lock(mutex);
            condition.wait(lock, [&] { return tickets > 0; });
            tickets--;
            say(worker(i));
        },
        [&] {
            for (int i = 0; i < 8; i++) {
                std::this_thread::sleep_for(1ms);
                std::lock_guard lock(mutex);
                tickets++;
                condition.notify_one();
            }
        });
    with_workers("wait-for", [&](int i) {
        std::unique_lock lock(mutex);
        check(condition.wait_for(lock, (i + 1) * 1ms) == std::cv_status::timeout, "wait_for");
        say(worker(i));
    });
    with_workers("wait-until", [&](int i) {
        std::unique_lock lock(mutex);
        auto until = std::chrono::system_clock::now() + (8 - i) * 1ms;
        check(condition.wait_until(lock, until) == std::cv_status::timeout, "wait_until");
        say(worker(i));
    });
}

static void newer_ones() {
    std::counting_semaphore<8> semaphore(0);
    with_workers(
        "semaphore",
        [&](int i) {
            semaphore.acquire();
            say(worker(i));
        },
        [&] {
            for (int i = 0; i < 8; i++) {
                std::this_thread::sleep_for(1ms);
                semaphore.release();
            }
        });

    std::atomic<int> flag = 0;
    with_workers(
        "atomic",
        [&](int i) {
            flag.wait(0);
            say(worker(i));
        },
        [&] {
            std::this_thread::sleep_for(1ms);
            flag = 1;
            flag.notify_all();
        });

    std::latch latch(8);
    with_workers(
        "latch",
        [&](int i) {
            std::this_thread::sleep_for((i + 1) * 1ms);
            latch.count_down();
        },
        [&] {
            latch.wait();
            say("main");
        });

    std::barrier barrier(8, [] () noexcept { say("all"); });
    with_workers("barrier", [&](int i) {
        std::this_thread::sleep_for((i + 1) * 1ms);
        barrier.arrive_and_wait();
    });
}

struct Slow {
    explicit Slow(int i) : value(i) {
        say("constructed by " + worker(i));
        std::this_thread::sleep_for(2ms);
    }
    int value;
};

static int shared_value(int i) {
    static Slow slow(i);
    return slow.value;
}

static int attempts;

static int fails_once(int i) {
    static int value = [i] {
        std::this_thread::sleep_for(1ms);
        if (attempts++ == 0)
            throw std::runtime_error("first attempt");
        return i;
    }();
    return value;
}

static std::once_flag once;
static int calls;

struct Noisy {
    int value = -1;
    ~Noisy() {
        if (value >= 0)
            say("destroyed " + worker(value));
    }
};

static thread_local Noisy noisy;

static void compiled_ones() {
    with_workers("static", [](int i) {
        check(shared_value(i) == 6, "one value for all");
        say(worker(i));
    });
    with_workers("throwing", [](int i) {
        try {
            int value = fails_once(i);
            say(worker(i) + " got " + std::to_string(value));
        } catch (const std::runtime_error &) {
            say(worker(i) + " caught");
        }
    });
    with_workers("call-once", [](int i) {
        std::call_once(once, [i] {
            std::this_thread::sleep_for(1ms);
            calls++;
            say(worker(i) + " called");
        });
        check(calls == 1, "called once");
    });
    with_workers("local", [](int i) {
        check(noisy.value == -1, "a fresh object for each thread");
        noisy.value = i;
        std::this_thread::sleep_for(1ms);
        check(noisy.value == i, "the thread's own object");
    });
}

static void futures() {
    section = "future";
    begun = Clock::now();
    auto answer = std::async(std::launch::async, [] {
        std::this_thread::sleep_for(5ms);
        return 42;
    });
    check(answer.wait_for(2ms) == std::future_status::timeout, "not yet");
    say("waiting");
    check(answer.get() == 42, "the answer");
    say("answered");
    std::random_device device;
    unsigned first = device();
    unsigned second = device();
    std::printf("random %u %u\n", first, second);
}

int main() {
    set_priority(pthread_self(), 20);
    locks();
    conditions();
    newer_ones();
    compiled_ones();
    futures();
}
