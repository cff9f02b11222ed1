//! Names of a description as names in Rust.

/// Names that the generated file uses itself.
const TAKEN: [&str; 45] = [
    "Announced",
    "Answers",
    "Atomic",
    "Block",
    "Box",
    "CallIn",
    "CallOut",
    "Choice",
    "Clone",
    "Component",
    "Context",
    "Debug",
    "Default",
    "Deserialize",
    "Duration",
    "EventIn",
    "EventOut",
    "Followed",
    "Held",
    "Inputs",
    "Number",
    "Option",
    "Outputs",
    "PartialEq",
    "PathBuf",
    "Periodic",
    "Point",
    "QueryIn",
    "RandomIn",
    "Registry",
    "RegistryError",
    "Reply",
    "Request",
    "Result",
    "Self",
    "Serialize",
    "Shown",
    "SignalIn",
    "SignalOut",
    "Start",
    "Step",
    "String",
    "Time",
    "Value",
    "Vec",
];

const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// `very-fast` is `VeryFast`.
pub fn camel(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    let joined: String = words.map(capital).collect();
    let first = |c: char| c.is_ascii_alphabetic();
    match !joined.starts_with(first) || joined == "Self" {
        true => format!("Type{joined}"),
        false => joined,
    }
}

/// The name of a struct or enum of the file.
pub fn type_name(name: &str) -> String {
    let name = camel(name);
    if TAKEN.contains(&name.as_str()) { name + "Model" } else { name }
}

/// The struct of a component type: `thermal.radiator` is `Radiator`.
pub fn struct_name(type_name: &str) -> String {
    self::type_name(type_name.rsplit('.').next().unwrap_or(type_name))
}

/// A field or function: `flow-rate` is `flow_rate`, `in` is `in_`.
pub fn field(name: &str) -> String {
    let mut plain: String = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !plain.is_empty() && !plain.ends_with('_') {
            plain.push('_');
        }
        plain.push(if c == '-' { '_' } else { c.to_ascii_lowercase() });
    }
    if KEYWORDS.contains(&plain.as_str()) { plain + "_" } else { plain }
}
