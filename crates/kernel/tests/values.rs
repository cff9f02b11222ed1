//! What may cross a port: derived values, their schema and leaves, bytes and back; payloads are
//! shared, not copied, across links and partitions.

mod models;

use ironbird_kernel::{
    Atomic, Context, DecodeError, Duration, EventIn, EventOut, Graph, Inputs, LeafError, LeafKind,
    Link, Model, Outputs, Payload, Ports, Rate, SampleError, Scalar, Schema, Simulation, Time,
    Value, Wire, WireReader,
};
use models::{Log, Ticks, ms, run, spread_over};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Value)]
enum Mode {
    Off,
    Hover,
    Land,
}

#[derive(Clone, Debug, PartialEq, Value)]
struct Pose {
    position: [f64; 3],
    heading: f32,
}

#[derive(Clone, Debug, PartialEq, Value)]
struct Report {
    valid: bool,
    mode: Mode,
    poses: [Pose; 2],
    image: Payload,
    counts: [i16; 2],
    raw: Payload,
    at: Time,
    nothing: (),
}

fn report() -> Report {
    let pose = |x| Pose { position: [x, x + 0.5, -x], heading: 1.5 };
    Report {
        valid: true,
        mode: Mode::Land,
        poses: [pose(1.0), pose(2.0)],
        image: Payload::new(vec![1, 2, 3]),
        counts: [-7, 300],
        raw: Payload::new(vec![9; 5]),
        at: ms(3),
        nothing: (),
    }
}

#[test]
fn leaves_have_paths_kinds_and_offsets_in_wire_order() {
    let leaves: Vec<_> = Report::schema()
        .leaves()
        .into_iter()
        .map(|leaf| (leaf.path, leaf.index, leaf.offset, leaf.kind))
        .collect();
    let expected = [
        ("valid", 0, LeafKind::Bool),
        ("mode", 1, LeafKind::U32),
        ("poses[0].position[0]", 5, LeafKind::F64),
        ("poses[0].position[1]", 13, LeafKind::F64),
        ("poses[0].position[2]", 21, LeafKind::F64),
        ("poses[0].heading", 29, LeafKind::F32),
        ("poses[1].position[0]", 33, LeafKind::F64),
        ("poses[1].position[1]", 41, LeafKind::F64),
        ("poses[1].position[2]", 49, LeafKind::F64),
        ("poses[1].heading", 57, LeafKind::F32),
        ("image", 61, LeafKind::Payload),
        ("counts[0]", 69, LeafKind::I16),
        ("counts[1]", 71, LeafKind::I16),
        ("raw", 73, LeafKind::Payload),
        ("at", 81, LeafKind::U64),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .enumerate()
        .map(|(index, (path, offset, kind))| (path.to_owned(), index, offset, kind))
        .collect();
    assert_eq!(leaves, expected);
    assert_eq!(Report::schema().size(), 89);
    assert_eq!(Report::LEAVES, 15);
}

#[test]
fn a_schema_prints_the_name_a_user_would_use() {
    assert_eq!(Report::schema().to_string(), "Report");
    assert_eq!(<[[f64; 3]; 2]>::schema().to_string(), "[[f64; 3]; 2]");
    let variants = ["Off", "Hover", "Land"].map(String::from).to_vec();
    assert_eq!(Mode::schema(), Schema::Choice { name: "Mode".into(), variants });
}

#[test]
fn every_leaf_can_be_read_and_set_by_its_number() {
    let mut value = report();
    let leaf = |path: &str| Report::schema().leaf(path).unwrap().index;
    assert_eq!(value.leaf(leaf("valid")), Some(Scalar::Bool(true)));
    assert_eq!(value.leaf(leaf("mode")), Some(Scalar::Unsigned(2)));
    assert_eq!(value.leaf(leaf("poses[1].position[1]")), Some(Scalar::Float(2.5)));
    assert_eq!(value.leaf(leaf("counts[0]")), Some(Scalar::Signed(-7)));
    assert_eq!(value.leaf(leaf("at")), Some(Scalar::Unsigned(3_000_000_000)));
    assert_eq!(value.leaf(leaf("image")), None);
    assert_eq!(value.leaf(Report::LEAVES), None);
    value.set_leaf(leaf("poses[0].position[2]"), Scalar::Signed(4)).unwrap();
    value.set_leaf(leaf("mode"), Scalar::Float(1.0)).unwrap();
    value.set_leaf(leaf("valid"), Scalar::Unsigned(0)).unwrap();
    assert_eq!(value.poses[0].position[2], 4.0);
    assert_eq!((value.mode, value.valid), (Mode::Hover, false));
    assert_eq!(Report::schema().leaf("poses[2].heading"), None);
}

#[test]
fn a_leaf_refuses_what_it_cannot_hold_and_stays_as_it_was() {
    let mut value = report();
    let leaf = |path: &str| Report::schema().leaf(path).unwrap().index;
    for (path, wrong) in [
        ("mode", Scalar::Unsigned(3)),
        ("mode", Scalar::Float(0.5)),
        ("counts[1]", Scalar::Signed(32_768)),
        ("counts[1]", Scalar::Float(f64::NAN)),
        ("valid", Scalar::Float(2.0)),
        ("at", Scalar::Signed(-1)),
    ] {
        let refused = value.set_leaf(leaf(path), wrong);
        assert!(
            matches!(refused, Err(LeafError::OutOfRange { .. })),
            "{path} {wrong}: {refused:?}"
        );
    }
    let none = Err(LeafError::NoSuchLeaf);
    assert_eq!(value.set_leaf(leaf("image"), Scalar::Bool(true)), none);
    assert_eq!(value.set_leaf(Report::LEAVES, Scalar::Bool(true)), none);
    assert_eq!(value, report());
}

#[test]
fn a_real_number_just_past_the_range_does_not_fit_a_whole_number() {
    // 2^63 and 2^64 are exact in f64 and one more than the greatest i64 and u64.
    let (two_63, two_64) = (9_223_372_036_854_775_808.0, 18_446_744_073_709_551_616.0);
    let mut signed = 1i64;
    assert!(signed.set_leaf(0, Scalar::Float(two_63)).is_err(), "stored {signed}");
    let mut unsigned = 1u64;
    assert!(unsigned.set_leaf(0, Scalar::Float(two_64)).is_err(), "stored {unsigned}");
    assert!(unsigned.set_leaf(0, Scalar::Float(-1.0)).is_err());
    assert_eq!((signed, unsigned), (1, 1));
    signed.set_leaf(0, Scalar::Float(-two_63)).unwrap();
    assert_eq!(signed, i64::MIN);
}

fn flat(value: &impl Value) -> Vec<u8> {
    let mut wire = Wire::default();
    value.encode(&mut wire);
    let mut bytes = Vec::new();
    wire.flatten(&mut bytes);
    bytes
}

fn decode<T: Value>(bytes: &[u8]) -> Result<T, DecodeError> {
    T::decode(&mut WireReader::flat(bytes)?)
}

fn any_report() -> impl Strategy<Value = Report> {
    let pose = || {
        (any::<[f64; 3]>(), any::<f32>()).prop_map(|(position, heading)| Pose { position, heading })
    };
    let bytes = || prop::collection::vec(any::<u8>(), 0..40).prop_map(Payload::new);
    let mode = prop_oneof![Just(Mode::Off), Just(Mode::Hover), Just(Mode::Land)];
    (any::<bool>(), mode, [pose(), pose()], bytes(), any::<[i16; 2]>(), bytes(), any::<u64>())
        .prop_map(|(valid, mode, poses, image, counts, raw, at)| {
            let at = Time::from_ps(at);
            Report { valid, mode, poses, image, counts, raw, at, nothing: () }
        })
}

proptest! {
    #[test]
    fn bytes_and_back_is_the_same_value(value in any_report()) {
        let mut wire = Wire::default();
        value.encode(&mut wire);
        prop_assert_eq!(wire.fixed().len(), Report::schema().size());
        // Compared as bytes: NaNs keep their bits.
        let shared = Report::decode(&mut WireReader::new(&wire)).unwrap();
        prop_assert!(shared.image.is_shared_with(&value.image));
        prop_assert_eq!(flat(&shared), flat(&value));
        let back: Report = decode(&flat(&value)).unwrap();
        prop_assert_eq!(flat(&back), flat(&value));
        prop_assert_eq!(back.image.len(), value.image.len());
    }

    #[test]
    fn bytes_cut_short_are_refused(value in any_report(), cut in any::<prop::sample::Index>()) {
        let bytes = flat(&value);
        let short = &bytes[..cut.index(bytes.len())];
        prop_assert_eq!(decode::<Report>(short), Err(DecodeError::Truncated));
    }

    #[test]
    fn any_bytes_are_read_or_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode::<Report>(&bytes);
    }
}

#[test]
fn bytes_that_are_no_truth_value_or_variant_are_refused() {
    let bytes = flat(&report());
    // Behind 8 bytes of length: the truth value, then the variant.
    for (place, kind) in [(8, "bool"), (9, "Mode")] {
        let mut wrong = bytes.clone();
        wrong[place] = 7;
        assert_eq!(decode::<Report>(&wrong), Err(DecodeError::Invalid { kind }));
    }
    let mut endless = bytes.clone();
    endless[8 + 61..8 + 69].copy_from_slice(&u64::MAX.to_le_bytes());
    assert_eq!(decode::<Report>(&endless), Err(DecodeError::Truncated));
}

#[test]
fn all_nans_are_one_on_a_canonical_wire() {
    let bytes = |x: f64, mut wire: Wire| {
        x.encode(&mut wire);
        wire.fixed().to_vec()
    };
    let other = f64::from_bits(0xFFF8_0000_0000_0001);
    assert_ne!(bytes(other, Wire::default()), bytes(f64::NAN, Wire::default()));
    assert_eq!(bytes(other, Wire::canonical()), bytes(f64::NAN, Wire::canonical()));
}

/// Sends one payload, or keeps those it gets.
#[derive(Default)]
struct Images {
    input: EventIn<Payload>,
    out: EventOut<Payload>,
    image: Option<Payload>,
    kept: Log<Payload>,
}

impl Model for Images {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
        self.out = ports.event_out("out");
    }
}

impl Atomic for Images {
    fn time_advance(&self) -> Duration {
        if self.image.is_some() { Duration::from_ms(1) } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.out, self.image.clone().unwrap());
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.image = None;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        inputs.events(self.input).for_each(|image| self.kept.push(image.clone()));
    }
}

#[test]
fn a_payload_is_shared_and_not_copied_across_links_and_partitions() {
    for (partitions, latency) in [(1, 0), (1, 1), (3, 1)] {
        let image = Payload::new(vec![7u8; 1_000_000]);
        let kept = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let sender = Images { image: Some(image.clone()), ..Images::default() };
        let sender = graph.add(root, "sender", sender).unwrap();
        for name in ["a", "b"] {
            let keeper = Images { kept: kept.clone(), ..Images::default() };
            let keeper = graph.add(root, name, keeper).unwrap();
            let link = Link::direct().latency(Duration::from_us(latency));
            graph.link(sender.port("out"), keeper.port("in"), link).unwrap();
        }
        let simulation = run(graph, spread_over(partitions), ms(5));
        assert_eq!(simulation.statistics().placement.partitions, partitions);
        let kept = kept.entries();
        assert_eq!(kept.len(), 2);
        assert!(kept.iter().all(|k| k.is_shared_with(&image)), "{partitions} partitions");
    }
}

#[test]
fn recorded_values_are_given_back_as_their_own_type_only() {
    let mut graph = Graph::new();
    graph.add_periodic(graph.root(), "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    simulation.record("ticks", "count").unwrap();
    simulation.run_until(ms(2)).unwrap();
    assert_eq!(simulation.samples::<u64>("ticks", "count"), Ok(vec![(ms(0), 0), (ms(1), 1)]));
    let missing = simulation.samples::<f64>("ticks", "out");
    let (path, port) = ("ticks".into(), "out".into());
    assert_eq!(missing, Err(SampleError::NotRecorded { path, port }));
    let pose = simulation.samples::<Pose>("ticks", "count");
    assert!(matches!(pose, Err(SampleError::OtherType { .. })));
    let real = simulation.samples::<f64>("ticks", "count");
    assert!(matches!(real, Err(SampleError::OtherType { .. })), "u64 as f64: {real:?}");
    let short = simulation.samples::<u32>("ticks", "count");
    assert!(matches!(short, Err(SampleError::OtherType { .. })), "u64 as u32: {short:?}");
}
