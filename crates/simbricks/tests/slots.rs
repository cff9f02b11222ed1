//! Announced queues against a plain calculation with numbers that cannot overflow.
#![cfg(not(loom))]

use std::sync::Arc;

use ironbird_simbricks::Place;
use ironbird_simbricks::layout::QueuePlace;
use ironbird_simbricks::pool::Pool;
use ironbird_simbricks::queue::Slots;
use ironbird_simbricks::slots::{PlaceError, PoolSlots};
use proptest::prelude::*;
use std::sync::atomic::Ordering;

const LENGTH: u64 = 8192;

/// Numbers around where something changes.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        0..200_u64,
        (0..1100_u64).prop_map(|eighth| eighth * 8),
        LENGTH - 70..LENGTH + 70,
        (0..8_u64).prop_map(|below| u64::MAX - below),
        (0..64_u32).prop_map(|bit| 1 << bit),
        any::<u64>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_queue_is_taken_exactly_if_it_lies_inside(offset in number(), elen in number(), nentries in number()) {
        let pool = Arc::new(Pool::create(&Place::Memory, LENGTH as usize, LENGTH as usize).unwrap());
        let end = u128::from(offset) + u128::from(elen) * u128::from(nentries);
        let fits = elen >= 64
            && nentries >= 1
            && offset % 8 == 0
            && elen % 8 == 0
            && end <= u128::from(LENGTH);
        let slots = PoolSlots::new(pool, QueuePlace { offset, elen, nentries });
        prop_assert_eq!(slots.is_ok(), fits, "{:?}", slots);
        let Ok(slots) = slots else { return Ok(()) };
        // Its last byte can be reached, and the first one behind it cannot.
        let last = slots.count() - 1;
        slots.own_type(last).store(0x80, Ordering::Relaxed);
        slots.set_timestamp(last, u64::MAX);
        let mut payload = vec![0; slots.capacity()];
        prop_assert!(slots.set_payload(last, &payload) && slots.payload(last, &mut payload));
        payload.push(0);
        prop_assert!(!slots.set_payload(last, &payload) && !slots.payload(last, &mut payload));
    }
}

#[test]
fn each_wrong_queue_has_its_own_error() {
    let pool = Arc::new(Pool::create(&Place::Memory, LENGTH as usize, LENGTH as usize).unwrap());
    let error = |offset, elen, nentries| {
        PoolSlots::new(pool.clone(), QueuePlace { offset, elen, nentries }).unwrap_err()
    };
    assert_eq!(error(0, 56, 1), PlaceError::ShortSlots(56));
    assert_eq!(error(0, 64, 0), PlaceError::NoSlots);
    assert_eq!(error(4, 64, 1), PlaceError::Unaligned { offset: 4, elen: 64 });
    let outside = PlaceError::Outside { offset: 8, elen: 64, nentries: 128, length: 8192 };
    assert_eq!(error(8, 64, 128), outside);
}
