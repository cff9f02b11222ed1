//! What ends a reservation of `lr.w`, and what does not (unprivileged, 8.2).

use crate::computer::Computer;
use crate::elf::BASE;

const WORD: u32 = BASE + 0x400;

/// Executes `lr.w` of [`WORD`], lines in between, `sc.w` to it; gives what `sc.w` says: 0 for success.
fn store_conditional_after(between: &[&str], outside: impl Fn(&mut Computer)) -> u32 {
    let lines = [&["lr.w x1, (x5)"], between, &["sc.w x2, x6, (x5)"]].concat();
    let (mut computer, _) = Computer::with_program(&lines);
    for (register, value) in [(5, WORD), (6, 42), (7, WORD + 64), (8, WORD + 4)] {
        computer.processor.set_x(register, value);
    }
    computer.step();
    outside(&mut computer);
    computer.steps(lines.len() - 1);
    let stored = computer.word(WORD) == 42;
    let result = computer.processor.x(2);
    assert_eq!(
        stored,
        result == 0,
        "it says {result} and has {}stored",
        if stored { "" } else { "not " }
    );
    result
}

#[test]
fn it_succeeds_when_nothing_came_between() {
    assert_eq!(store_conditional_after(&[], |_| {}), 0);
    assert_eq!(store_conditional_after(&["addi x9, x9, 1", "c.nop", "beq x0, x9, 8"], |_| {}), 0);
}

#[test]
fn a_second_store_conditional_fails() {
    assert_eq!(
        store_conditional_after(&["sc.w x3, x0, (x5)"], |_| {}),
        1,
        "the first one has used it up"
    );
    assert_eq!(store_conditional_after(&["sc.w x3, x0, (x7)"], |_| {}), 1, "even if that failed");
}

#[test]
fn only_the_last_reservation_counts() {
    assert_eq!(store_conditional_after(&["lr.w x3, (x7)"], |_| {}), 1);
    assert_eq!(store_conditional_after(&["lr.w x3, (x7)", "lr.w x3, (x5)"], |_| {}), 0);
}

#[test]
fn a_write_from_outside_ends_it() {
    for offset in [0, 3] {
        let result = store_conditional_after(&[], |computer| computer.write(WORD + offset, &[9]));
        assert_eq!(result, 1, "a byte was written at {offset}");
    }
    assert_eq!(
        store_conditional_after(&[], |computer| computer.write(WORD - 8, &[0; 11])),
        1,
        "it reaches into it"
    );
    for (address, bytes) in [(WORD - 4, 4), (WORD + 4, 4), (WORD + 64, 100)] {
        let result =
            store_conditional_after(&[], |computer| computer.write(address, &vec![9; bytes]));
        assert_eq!(result, 0, "{bytes} bytes at {address:08x} are beside it");
    }
    let flipped = store_conditional_after(&[], |computer| {
        computer.memory.flip_bit(WORD + 1, 3).unwrap_or_else(|error| panic!("{error}"));
    });
    assert_eq!(flipped, 1);
}
