//! What can be wrong with a unit or a quantity.

/// Why a text is not a unit, a quantity, a duration or a rate, or not the expected kind of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum UnitError {
    /// No unit has this name.
    #[error("there is no unit \"{name}\"{}", suggestion(.nearest))]
    Unknown { name: String, nearest: Option<String> },
    /// A unit that is not written as names joined by `*` and `/`.
    #[error("\"{text}\" is not a unit: {why}")]
    Malformed { text: String, why: &'static str },
    /// `degC` or `degF` inside a product.
    #[error(
        "\"{name}\" has an offset and cannot be part of \"{text}\": write K for a temperature difference"
    )]
    Offset { name: String, text: String },
    /// Not a number with an optional unit.
    #[error("\"{text}\" is not a quantity: write a number and a unit, like \"2.5 m/s\"")]
    NotANumber { text: String },
    /// Beyond the range of floating-point numbers.
    #[error("\"{text}\" is too large")]
    TooLarge { text: String },
    /// Another dimension than the expected one.
    #[error("\"{text}\" is {found}, expected {expected}")]
    Dimension { text: String, found: String, expected: String },
    /// A duration or rate below zero.
    #[error("\"{text}\" is negative")]
    Negative { text: String },
    /// A rate of zero.
    #[error("\"{text}\" is not a rate: a rate is above zero")]
    ZeroRate { text: String },
    /// A duration that is no whole number of picoseconds.
    #[error("\"{text}\" is finer than 1 ps, the resolution of time")]
    TooFine { text: String },
    /// A duration or rate whose value cannot be kept exactly.
    #[error("\"{text}\" has no exact value: use fewer digits, or a plain unit like {example}")]
    NotExact { text: String, example: &'static str },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(", did you mean \"{name}\"?")).unwrap_or_default()
}
