//! Numbers of a file with other values, as fits and studies want them: `mass.mass = 27, command.curve[1] = 480`.
//!
//! A path is made of the keys of the file; the number is in the unit that the file has there.

use ironbird_document::{Data, Item, Problem};

/// Changes all that `adjust` names.
pub(super) fn adjust_all(document: &mut Item, adjust: &str) -> Result<(), Problem> {
    for part in adjust.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let wrong = |what: String| Problem::somewhere(format!("\"adjust\": {what}"));
        let (path, value) = part
            .split_once('=')
            .ok_or_else(|| wrong(format!("\"{part}\" is not like \"mass.mass = 27\"")))?;
        let (path, value) = (path.trim(), value.trim());
        let number: f64 = value
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| wrong(format!("\"{value}\" is not a number")))?;
        let item = find(document, path)
            .ok_or_else(|| wrong(format!("the file has no number at \"{path}\"")))?;
        let data = match &item.data {
            Data::Integer(_) | Data::Real(_) => Data::Real(number),
            Data::Text(text) => {
                let unit = text.split_once(' ').map(|(_, unit)| unit).ok_or_else(|| {
                    wrong(format!("\"{text}\" at \"{path}\" is no number with a unit"))
                })?;
                Data::Text(format!("{number} {unit}"))
            }
            _ => return Err(wrong(format!("{} stands at \"{path}\", no number", item.kind()))),
        };
        item.data = data;
    }
    Ok(())
}

/// The item at `rotors.thrust` or `command.curve[1]`.
fn find<'a>(document: &'a mut Item, path: &str) -> Option<&'a mut Item> {
    let mut item = document;
    for step in path.split('.') {
        let (key, places) = step.split_once('[').unwrap_or((step, ""));
        let Data::Table(table) = &mut item.data else { return None };
        item = table.get_mut(key)?;
        for place in places.split('[').filter(|place| !place.is_empty()) {
            let place: usize = place.strip_suffix(']')?.parse().ok()?;
            let Data::Array(items) = &mut item.data else { return None };
            item = items.get_mut(place)?;
        }
    }
    Some(item)
}
