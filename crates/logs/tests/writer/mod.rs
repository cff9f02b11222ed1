//! Writes small logs.

#![allow(dead_code, missing_docs, reason = "each test file uses a part")]

pub struct ULog(Vec<u8>);

impl ULog {
    pub fn new() -> Self {
        let mut bytes = vec![0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, 1];
        bytes.extend_from_slice(&0u64.to_le_bytes());
        ULog(bytes)
    }

    pub fn message(&mut self, kind: u8, contents: &[u8]) {
        self.0.extend_from_slice(&(contents.len() as u16).to_le_bytes());
        self.0.push(kind);
        self.0.extend_from_slice(contents);
    }

    pub fn format(&mut self, text: &str) {
        self.message(b'F', text.as_bytes());
    }

    pub fn subscribe(&mut self, instance: u8, id: u16, name: &str) {
        let mut contents = vec![instance];
        contents.extend_from_slice(&id.to_le_bytes());
        contents.extend_from_slice(name.as_bytes());
        self.message(b'A', &contents);
    }

    /// A message of "pose" as the tests define it: points (x, x + 1) and (x + 2, x + 3).
    pub fn pose(&mut self, id: u16, us: u64, x: f32) {
        let mut contents = id.to_le_bytes().to_vec();
        contents.extend_from_slice(&us.to_le_bytes());
        for (x, y) in [(x, x + 1.0), (x + 2.0, x + 3.0)] {
            contents.extend_from_slice(&x.to_le_bytes());
            contents.extend_from_slice(&y.to_le_bytes());
            contents.extend_from_slice(&[0, 0, 0, 9]);
        }
        contents.extend_from_slice(&(-7i16).to_le_bytes());
        contents.extend_from_slice(b"name\x01");
        self.message(b'D', &contents);
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.0.clone()
    }
}

pub struct DataFlash(Vec<u8>);

impl DataFlash {
    /// A file that defines the formats of formats, units and multipliers.
    pub fn new() -> Self {
        let mut log = DataFlash(Vec::new());
        log.format(128, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns");
        log.format(64, "UNIT", "QbZ", "TimeUS,Id,Label");
        log.format(65, "MULT", "Qbd", "TimeUS,Id,Mult");
        log.format(66, "FMTU", "QBNN", "TimeUS,FmtType,UnitIds,MultIds");
        log
    }

    fn format(&mut self, kind: u8, name: &str, formats: &str, labels: &str) {
        let size = |format| match format {
            'a' | 'Z' => 64,
            'N' => 16,
            'Q' | 'q' | 'd' => 8,
            'i' | 'I' | 'f' | 'e' | 'E' | 'L' | 'n' => 4,
            'h' | 'H' | 'c' | 'C' | 'g' => 2,
            _ => 1,
        };
        let length = 3 + formats.chars().map(size).sum::<usize>();
        let mut body = vec![kind, length as u8];
        body.extend(padded(name, 4));
        body.extend(padded(formats, 16));
        body.extend(padded(labels, 64));
        self.message(128, &body);
    }

    pub fn units(&mut self) {
        for (id, label) in [
            ('s', "s"),
            ('d', "deg"),
            ('h', "degheading"),
            ('D', "deglatitude"),
            ('E', "rad/s"),
            ('#', "instance"),
            ('-', ""),
        ] {
            let mut body = 0u64.to_le_bytes().to_vec();
            body.push(id as u8);
            body.extend(padded(label, 64));
            self.message(64, &body);
        }
        for (id, factor) in [('-', 0.0f32), ('A', 1e-1), ('B', 1e-2), ('F', 1e-6), ('G', 1e-7)] {
            let mut body = 0u64.to_le_bytes().to_vec();
            body.push(id as u8);
            body.extend_from_slice(&f64::from(factor).to_le_bytes());
            self.message(65, &body);
        }
    }

    /// A type with its units and multipliers.
    pub fn define(
        &mut self,
        kind: u8,
        name: &str,
        formats: &str,
        labels: &str,
        units: &str,
        multipliers: &str,
    ) {
        self.format(kind, name, formats, labels);
        let mut body = 0u64.to_le_bytes().to_vec();
        body.push(kind);
        body.extend(padded(units, 16));
        body.extend(padded(multipliers, 16));
        self.message(66, &body);
    }

    pub fn message(&mut self, kind: u8, body: &[u8]) {
        self.0.extend_from_slice(&[0xa3, 0x95, kind]);
        self.0.extend_from_slice(body);
    }

    pub fn garbage(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.0.clone()
    }
}

fn padded(text: &str, length: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(length, 0);
    bytes
}
