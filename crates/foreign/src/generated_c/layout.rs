//! Where the fields of a struct lie: by the rules of C, in the order of their declaration.
//!
//! A field begins at the next multiple of the size of its type (its alignment on all machines that
//! Ironbird runs on); a struct ends at the next multiple of the largest alignment in it.

use ironbird_document::{Item, Place, Problem, Table};
use ironbird_kernel::path::{is_valid_port_name, nearest};

use super::c_type::CType;
use crate::ports::{Kind, Port};
use ironbird_component::Unit;

/// A global struct.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Struct {
    /// The name of the variable.
    pub symbol: String,
    /// Its size in bytes.
    pub size: usize,
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub name: String,
    pub kind: CType,
    /// How many elements; 1 of what is no array.
    pub length: usize,
    /// Where it begins.
    pub offset: usize,
    /// What others see of it: several ports, if it is an array that is no vector.
    pub ports: Vec<Port>,
}

impl Field {
    fn end(&self) -> usize {
        self.offset + self.length * self.kind.size()
    }

    /// The bytes of an element in those of the struct.
    pub fn element(&self, index: usize) -> std::ops::Range<usize> {
        let start = self.offset + index * self.kind.size();
        start..start + self.kind.size()
    }
}

/// A larger struct is a mistake.
pub(super) const LARGEST: u64 = 1 << 26;

impl Struct {
    /// Reads `struct`, `fields` and `size`; with ports, if others are to see its fields.
    pub fn read(item: &Item, with_ports: bool) -> Result<Self, Problem> {
        let table = item.table()?;
        table.only(&["struct", "size", "fields"], "a struct")?;
        let symbol = symbol(table.need("struct", &item.place)?)?;
        let mut read = Struct { symbol, ..Struct::default() };
        let mut alignment = 1;
        let fields = table.need("fields", &item.place)?;
        for (field, about) in fields.tables()? {
            let place = field_place(about, field);
            let field = read.field(about, field, with_ports)?;
            alignment = alignment.max(field.kind.size());
            if read.fields.iter().any(|other| other.name == field.name) {
                let message = format!("there are two fields \"{}\"", field.name);
                return Err(Problem::new(message, place, "the second one"));
            }
            let taken = |port: &&Port| read.ports().any(|other| other.name == port.name);
            if let Some(port) = field.ports.iter().find(taken) {
                let problem =
                    Problem::new(format!("there are two ports \"{}\"", port.name), place, "here");
                return Err(problem.help("give one of the fields another name by `port`"));
            }
            let overlaps =
                |other: &&Field| other.offset < field.end() && field.offset < other.end();
            if let Some(other) = read.fields.iter().find(overlaps) {
                let message = format!(
                    "\"{}\" (bytes {} to {}) overlaps \"{}\" (bytes {} to {})",
                    field.name,
                    field.offset,
                    field.end() - 1,
                    other.name,
                    other.offset,
                    other.end() - 1
                );
                return Err(Problem::new(message, place, "lies on it"));
            }
            read.size = read.size.max(field.end());
            read.fields.push(field);
        }
        if read.fields.is_empty() {
            let problem = Problem::new("a struct has fields", &fields.place, "none");
            return Err(problem.help("leave it out if the model has none"));
        }
        read.size = read.size.next_multiple_of(alignment);
        if let Some(item) = table.get("size") {
            let size = size(item)?;
            if size != read.size {
                let message = format!(
                    "the fields of \"{}\" make {} bytes, but its size is {size}",
                    read.symbol, read.size
                );
                let problem = Problem::new(message, &item.place, "not the same");
                return Err(problem.help("compare types and order with the header of the model"));
            }
        }
        Ok(read)
    }

    fn field(&self, table: &Table, item: &Item, with_ports: bool) -> Result<Field, Problem> {
        let keys = ["name", "type", "offset", "unit", "frame", "port", "as"];
        let keys = if with_ports { &keys[..] } else { &keys[..3] };
        table.only(keys, "a field")?;
        let named = table.need("name", &item.place)?;
        let name = symbol(named)?;
        let typed = table.need("type", &item.place)?;
        let (kind, length) = CType::read(typed)?;
        let here = self.fields.last().map_or(0, Field::end);
        let offset = match table.get("offset") {
            Some(item) => match item.count()? {
                offset if offset <= LARGEST => offset as usize,
                _ => return Err(Problem::new("no struct is that large", &item.place, "here")),
            },
            None => here.next_multiple_of(kind.size()),
        };
        let mut field =
            Field { name, kind, length: length.unwrap_or(1), offset, ports: Vec::new() };
        if with_ports {
            field.ports = ports(&field, length, table, typed, &named.place)?;
        }
        if field.end() as u64 > LARGEST {
            return Err(Problem::new("no struct is that large", &typed.place, "too large"));
        }
        Ok(field)
    }

    /// A field by name.
    pub fn find(&self, name: &str) -> Result<&Field, String> {
        self.fields.iter().find(|field| field.name == name).ok_or_else(|| {
            let names = || self.fields.iter().map(|field| field.name.as_str());
            match nearest(name, names()) {
                Some(near) => {
                    format!("{} has no field \"{name}\": did you mean \"{near}\"?", self.symbol)
                }
                None => {
                    let all: Vec<&str> = names().collect();
                    format!("{} has no field \"{name}\"; it has {}", self.symbol, all.join(", "))
                }
            }
        })
    }

    /// All ports in their order.
    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        self.fields.iter().flat_map(|field| &field.ports)
    }
}

fn field_place<'a>(table: &'a Table, item: &'a Item) -> &'a Place {
    table.get("name").map_or(&item.place, |name| &name.place)
}

/// What others see of a field.
fn ports(
    field: &Field,
    length: Option<usize>,
    table: &Table,
    typed: &Item,
    named: &Place,
) -> Result<Vec<Port>, Problem> {
    let (name, place) = match table.get("port") {
        Some(item) if item.truth().is_ok_and(|wanted| !wanted) => return Ok(Vec::new()),
        Some(item) => (item.text()?, &item.place),
        None => (field.name.as_str(), named),
    };
    if !is_valid_port_name(name) {
        let problem = Problem::new(format!("\"{name}\" cannot name a port"), place, "not a name");
        return Err(problem.help("use letters, digits, - and _; `port = false` for no port"));
    }
    let unit = match table.get("unit") {
        None => Unit::none(),
        Some(item) => item.text()?.parse().map_err(|error| {
            Problem::new(format!("\"{}\": {error}", field.name), &item.place, "not a unit")
        })?,
    };
    let attitude = match table.get("as").map(|item| (item, item.text())) {
        None => false,
        Some((_, Ok("attitude"))) => true,
        Some((_, Err(problem))) => return Err(problem),
        Some((item, Ok(other))) => {
            let problem = Problem::new(format!("there is no \"{other}\""), &item.place, "as what?");
            return Err(problem.help("as = \"attitude\" makes four numbers (w, x, y, z) one port"));
        }
    };
    let is_truth = field.kind == CType::Bool;
    if attitude && (length != Some(4) || !matches!(field.kind, CType::Double | CType::Float)) {
        let message = "an attitude is an array of four real numbers: w, x, y, z";
        return Err(Problem::new(message, &typed.place, "not four of them"));
    }
    if let Some(item) = table.get("unit").filter(|_| attitude || is_truth) {
        let message = "an attitude or truth value has no unit";
        return Err(Problem::new(message, &item.place, "leave it out"));
    }
    let (kind, one) = match length {
        _ if attitude => (Kind::Attitude, true),
        Some(3) if !is_truth => (Kind::Vector, true),
        _ => (if is_truth { Kind::Truth } else { Kind::Number }, length.is_none()),
    };
    let frame = table.get("frame").map(|item| Ok((item, item.text()?))).transpose()?;
    if let Some((item, _)) = frame.filter(|_| !matches!(kind, Kind::Vector | Kind::Attitude)) {
        let message = "only a vector of three or an attitude has a frame";
        return Err(Problem::new(message, &item.place, "leave it out"));
    }
    let frame = frame.map(|(_, frame)| frame.to_owned());
    let port = |name: String| Port { name, kind, unit: unit.clone(), frame: frame.clone() };
    Ok(match one {
        true => vec![port(name.into())],
        // An array is a port for each element.
        false => (0..field.length).map(|index| port(format!("{name}[{index}]"))).collect(),
    })
}

/// The name of something in the library.
pub(super) fn symbol(item: &Item) -> Result<String, Problem> {
    let name = item.text()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(plain) {
        return Ok(name.into());
    }
    let problem = Problem::new(format!("\"{name}\" is no name of C"), &item.place, "not a name");
    Err(problem.help("write it as in the header of the model"))
}

/// The size of a struct.
pub(super) fn size(item: &Item) -> Result<usize, Problem> {
    match item.count()? {
        size @ 1..=LARGEST => Ok(size as usize),
        _ => {
            let message = format!("a struct has 1 to {LARGEST} bytes");
            Err(Problem::new(message, &item.place, "not possible"))
        }
    }
}
