//! The clock moves, threads change, the host gets its turn.

use super::apart::apart;
use super::copies::{self, Quarters};
use super::{State, bus, children, network, report, signals, state, switch, timers};
use crate::protocol::{Input, NEVER, Output, Reason, Resume, ToHost, ToProgram, Yield};
use crate::schedule::{Alarm, ThreadId, Wait, Wake};

/// Every call but a clock read begins here: it is counted and charged, and who is due by then and has a higher
/// priority goes first.
#[inline]
pub fn call() {
    let state = state();
    state.counters.calls += 1;
    state.reads_in_a_row = 0;
    state.now += state.setup.call_charge;
    if state.now >= state.horizon {
        catch_up();
    }
}

/// A clock is read: counts and charges, and gives the time.
#[inline]
pub fn clock_read() -> u64 {
    let state = state();
    state.counters.clock_reads += 1;
    state.now += state.setup.clock_read_charge;
    if let Some(rule) = state.setup.spin {
        state.reads_in_a_row += 1;
        if state.reads_in_a_row > rule.reads {
            state.reads_in_a_row = 0;
            let jump = state.now.saturating_add(rule.at_most);
            state.now = jump.min(state.horizon).max(state.now);
        }
    }
    if state.now >= state.horizon {
        catch_up();
    }
    self::state().now
}

/// The running thread's clock moved past something.
#[cold]
fn catch_up() {
    loop {
        let state = state();
        if state.now >= state.until {
            // What happens before the end of the grant comes before what the host has to say at its end.
            release_alarms(state.until.saturating_sub(1));
            exchange(Reason::Reached, state.until, state.now, false);
            continue;
        }
        release_alarms(state.now);
        break;
    }
    set_horizon();
    preempt_if_due();
    signals::handle_pending();
    set_horizon();
}

/// Looks again when the clock must be compared.
pub fn set_horizon() {
    let state = state();
    state.horizon = if signals::any_for(state.current) {
        0
    } else {
        state.until.min(state.scheduler.next_alarm().unwrap_or(NEVER))
    };
}

fn release_alarms(until: u64) {
    while let Some((time, alarm)) = state().scheduler.release(until) {
        if let Alarm::Timer(timer) = alarm {
            timers::fire(timer, time);
        }
    }
}

/// Somebody may have become ready: if with a higher priority, it runs now.
pub fn preempt_if_due() {
    let state = state();
    let me = state.current;
    if state.scheduler.preempts(me) && !children::in_copy() {
        state.scheduler.preempt(me);
        hand_over(me);
    }
}

/// The running thread goes to the end of the queue of its priority.
pub fn yield_to_equals() {
    let state = state();
    let me = state.current;
    state.scheduler.yield_to_equals(me);
    hand_over(me);
}

/// The running thread waits, others run; it goes on when it is woken.
pub fn block(on: Wait, deadline: Option<u64>) -> Wake {
    let state = state();
    let me = state.current;
    // On Linux the timer of a real-time thread rings before it has gone to sleep: nobody else runs. Other threads are
    // woken later, by their slack.
    let is_over = deadline.is_some_and(|deadline| deadline <= state.now);
    if is_over && state.scheduler.priority(me) > 0 {
        return Wake::TimedOut;
    }
    state.scheduler.block(me, on, deadline);
    hand_over(me);
    // Before its call goes on: a handler may make calls of its own.
    let woken = self::state().scheduler.woken(me);
    if woken == Wake::Interrupted || signals::any_for(me) {
        signals::handle_pending();
        set_horizon();
    }
    woken
}

/// Sleeps if nothing can happen before: nobody else is ready, no deadline comes first or at the same instant, the grant
/// reaches beyond it, and no signal waits. Then there is nobody to hand over to, and it is enough that the clock moves.
pub fn sleep_alone(deadline: u64) -> bool {
    let state = state();
    let first = state.until.min(state.scheduler.next_alarm().unwrap_or(NEVER));
    let alone = deadline.max(state.now) < first
        && !state.scheduler.anyone_ready()
        && !signals::any_for(state.current)
        && !children::in_copy();
    if alone && deadline > state.now {
        state.now = deadline;
        state.counters.advances += 1;
    }
    alone
}

fn hand_over(me: ThreadId) {
    if children::in_copy() {
        super::give_up("a copy that `fork` made waits: it may only become another program or end");
    }
    let next = next_thread();
    set_current(next);
    if next != me {
        let state = state();
        let from = &raw mut state.threads[me].context;
        let to = &raw const state.threads[next].context;
        // SAFETY: both threads are alive and `next` does not run.
        unsafe { switch::switch(state.coroutines, from, to) };
    }
    set_horizon();
}

/// The running thread is over: the next one runs, and nobody comes back.
pub fn leave() {
    let next = next_thread();
    let me = state().current;
    set_current(next);
    let state = state();
    let to = &raw const state.threads[next].context;
    // SAFETY: `next` is alive; a finished coroutine is never switched to again.
    unsafe {
        if state.coroutines {
            let from = &raw mut state.threads[me].context;
            switch::switch(true, from, to);
        } else {
            switch::give_token(to);
        }
    }
}

fn set_current(next: ThreadId) {
    let state = state();
    if state.current != next {
        state.counters.switches += 1;
        state.current = next;
        note();
    }
}

/// For a watchdog: who runs, and how many calls there were.
fn note() {
    let State { board, scheduler, counters, current, .. } = state();
    board.note(scheduler.name(*current), counters.calls + counters.clock_reads);
}

/// Who runs next. While nobody can, the clock moves, or the host has its turn.
fn next_thread() -> ThreadId {
    loop {
        let state = state();
        if state.now >= state.until {
            release_alarms(state.until.saturating_sub(1));
            let idle = !state.scheduler.anyone_ready();
            let wake = if idle { state.scheduler.next_alarm().unwrap_or(NEVER) } else { state.now };
            exchange(Reason::Reached, state.until, wake, idle);
            continue;
        }
        release_alarms(state.now);
        if let Some(next) = state.scheduler.pick() {
            return next;
        }
        match state.scheduler.next_alarm() {
            Some(time) if time < state.until => {
                state.now = state.now.max(time);
                state.counters.advances += 1;
                release_alarms(state.now);
            }
            Some(time) => exchange(Reason::Reached, state.until, time, true),
            None if report::input_can_help() => exchange(Reason::Idle, state.now, NEVER, true),
            None => report::deadlock(),
        }
    }
}

/// Something happens that the host must know at this instant.
pub fn emit(event: Output) {
    let state = state();
    if state.ended {
        return;
    }
    state.outputs.push(event);
    exchange(Reason::Output, state.now, state.now, false);
    set_horizon();
}

/// The first grant.
pub fn first_resume() {
    note();
    receive(true);
    set_horizon();
}

/// Yields, and takes in what the host answers. Only an idle program's clock follows the host's.
fn exchange(reason: Reason, now: u64, next_wake: u64, idle: bool) {
    if state().ended {
        super::sys::end(0);
    }
    apart(|| {
        send(reason, now, next_wake);
        receive(idle);
    });
}

/// The last yield.
pub fn send_last() {
    children::end_all();
    let state = state();
    state.ended = true;
    state.outputs.push(Output::Counters(state.counters));
    send(Reason::Ended, state.now, NEVER);
    // What libc still does at the end, flushing files for one, goes on without the host.
    (state.until, state.horizon) = (NEVER, NEVER);
    (state.setup.clock_read_charge, state.setup.call_charge) = (0, 0);
}

fn send(reason: Reason, now: u64, next_wake: u64) {
    let state = state();
    note();
    let events = std::mem::take(&mut state.outputs);
    // Whoever goes on by itself at once hears of everything then.
    let listens = next_wake <= now || report::listens();
    let frame = ToHost::Yield(Yield { now, reason, next_wake, listens, events });
    if let Err(error) = state.transport.send(&frame, &mut state.buffer) {
        super::give_up(&error);
    }
}

/// Takes in what the host says next. Only an idle program's clock follows the host's.
pub fn receive(idle: bool) {
    let Resume { now, until, events } = match state().transport.receive() {
        Ok(ToProgram::Resume(resume)) => resume,
        Ok(ToProgram::Setup(_)) => super::give_up("the host sent a second setup"),
        Err(error) => super::give_up(&error),
    };
    let state = state();
    state.until = until;
    if idle {
        state.counters.advances +=
            u64::from(state.scheduler.next_alarm().is_some_and(|time| time <= now));
        state.now = state.now.max(now);
    }
    release_alarms(now);
    for event in events {
        take_in(event, idle);
    }
}

fn take_in(event: Input, idle: bool) {
    match event {
        Input::BusReply { transfer, acknowledged, read, ends } => {
            bus::answer(transfer, acknowledged, read, ends)
        }
        Input::BytesIn { port, bytes } => network::bytes_in(port, &bytes),
        Input::DatagramIn { port, from_port, bytes } => {
            network::datagram_in(port, from_port, bytes)
        }
        Input::Connected { port } => network::connected(port),
        Input::Disconnected { port } => network::disconnected(port),
        Input::Signal { number } => signals::send_to_process(i32::from(number)),
        Input::Snapshot { transport, folder, output } => {
            copies::make(&Quarters { transport, folder, output }, idle)
        }
        Input::AskCounters => {
            let counters = state().counters;
            state().outputs.push(Output::Counters(counters));
        }
        Input::Stop => {
            send_last();
            super::sys::end(0);
        }
    }
}
