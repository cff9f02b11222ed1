// What the C++ library does by itself: at its start, before the first thread and after it. Each line tells the time, and
// each call has taken some.
#include <chrono>
#include <clocale>
#include <cstdio>
#include <exception>
#include <iomanip>
#include <iostream>
#include <locale>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/single_threaded.h>
#include <thread>
#include <vector>

static void at(const char *what) {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    long us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    std::printf("%s: %ld us, alone: %d\n", what, us, (int)__libc_single_threaded);
}

// Constructed before main, as the variables of a program's libraries are.
static struct Early {
    std::string text;
    std::locale locale;
    Early() {
        std::ostringstream stream;
        stream.imbue(std::locale::classic());
        stream << std::setprecision(3) << 1.5 << ' ' << std::hex << 255;
        text = stream.str();
        at("before main");
    }
} early;

struct Thousands : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

static void use_locales() {
    std::locale own(std::locale::classic(), new Thousands);
    std::locale combined(own, std::locale::classic(), std::locale::ctype);
    std::ostringstream stream;
    stream.imbue(combined);
    stream << 1234567 << ' ' << std::put_money(99) << ' ' << std::boolalpha << true;
    std::locale before = std::locale::global(own);
    std::locale::global(before);
    try {
        std::locale("no-such-locale");
    } catch (const std::runtime_error &) {
        stream << " none";
    }
    std::cout << stream.str() << std::endl;
}

static int thrown(int depth) {
    if (depth == 0) throw std::out_of_range("deep");
    std::vector<int> room(depth, 1);
    return thrown(depth - 1) + room[0];
}

static void use_exceptions() {
    for (int round = 0; round < 3; round++) {
        try {
            thrown(20);
        } catch (const std::exception &problem) {
            std::exception_ptr kept = std::current_exception();
            try {
                std::rethrow_exception(kept);
            } catch (const std::out_of_range &again) {
                std::cout << again.what() << ' ';
            }
        }
    }
    std::cout << std::endl;
}

static void use_shared() {
    auto shared = std::make_shared<std::vector<int>>(3, 1);
    std::vector<std::shared_ptr<std::vector<int>>> copies(100, shared);
    std::weak_ptr<std::vector<int>> weak = shared;
    std::cout << shared.use_count() << ' ' << weak.lock()->size() << std::endl;
}

static void use_all(const char *when) {
    use_locales();
    at(when);
    use_exceptions();
    at(when);
    use_shared();
    at(when);
}

int main() {
    std::cout << early.text << std::endl;
    at("main");
    use_all("before the first thread");
    std::thread first([] {
        at("thread");
        use_all("in the first thread");
    });
    at("beside the thread");
    first.join();
    use_all("after the first thread");
    std::exception_ptr problem;
    std::thread second([&] {
        try {
            thrown(3);
        } catch (...) {
            problem = std::current_exception();
        }
    });
    second.join();
    try {
        std::rethrow_exception(problem);
    } catch (const std::out_of_range &) {
        at("an exception of a thread");
    }
}
