//! Products and quotients of units that users name.

use ironbird_component::Unit;
use ironbird_units::UnitError;

/// The unit of a product.
pub(crate) fn times(a: &Unit, b: &Unit) -> Result<Unit, UnitError> {
    match (a.is_none(), b.is_none()) {
        (_, true) => Ok(a.clone()),
        (true, false) => Ok(b.clone()),
        (false, false) => short(format!("{a}*{b}").parse()?),
    }
}

/// The unit of a quotient.
pub(crate) fn per(a: &Unit, b: &Unit) -> Result<Unit, UnitError> {
    if b.is_none() {
        return Ok(a.clone());
    }
    // 1/(kg*m/s) is 1/kg/m*s.
    let turn = |c| match c {
        '*' => '/',
        '/' => '*',
        other => other,
    };
    let below: String = b.to_string().chars().map(turn).collect();
    let above = if a.is_none() { "1".into() } else { a.to_string() };
    short(format!("{above}/{below}").parse()?)
}

/// The same unit by a shorter name, if it is that of its dimension.
fn short(unit: Unit) -> Result<Unit, UnitError> {
    let base = Unit::base(unit.dimension());
    Ok(if unit.scale() == base.scale() && !unit.has_offset() { base } else { unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(text: &str) -> Unit {
        text.parse().unwrap()
    }

    #[test]
    fn products_and_quotients_have_short_names() {
        assert_eq!(times(&unit("rad/m"), &unit("m")).unwrap().to_string(), "rad");
        assert_eq!(per(&unit("m"), &unit("m/s")).unwrap().to_string(), "s");
        assert_eq!(per(&unit(""), &unit("kg*m/s")).unwrap().to_string(), "s/kg/m");
        assert_eq!(times(&unit("deg"), &unit("s")).unwrap().to_string(), "deg*s");
        assert_eq!(times(&unit("deg/m"), &unit("m")).unwrap().scale(), unit("deg").scale());
    }

    #[test]
    fn a_temperature_with_an_offset_has_no_product() {
        let error = times(&unit("degC"), &unit("s")).unwrap_err().to_string();
        assert!(error.contains("write K for a temperature difference"), "{error}");
    }
}
