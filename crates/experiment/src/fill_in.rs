//! The parameters of a template, put where it names them.

use ironbird_kernel::path::nearest;

use ironbird_document::Problem;
use ironbird_document::{Data, Entry, Item, Table};

/// Puts the values of a template's parameters where `{ parameter = "…" }` stands.
pub fn fill_in(item: &mut Item, parameters: &Table) -> Result<(), Problem> {
    match &mut item.data {
        Data::Table(table) => {
            if let [Entry { key, item: named, .. }] = &table.0[..]
                && key == "parameter"
            {
                let name = named.text()?;
                let Some(value) = parameters.get(name) else {
                    let near = nearest(name, parameters.0.iter().map(|e| e.key.as_str()));
                    let message = format!("the template has no parameter \"{name}\"");
                    return Err(Problem::new(message, &named.place, "not declared")
                        .help("declare it in [template.<name>.parameters]")
                        .did_you_mean(near));
                };
                *item = value.clone();
                return Ok(());
            }
            table.0.iter_mut().try_for_each(|entry| fill_in(&mut entry.item, parameters))
        }
        Data::Array(items) => items.iter_mut().try_for_each(|item| fill_in(item, parameters)),
        _ => Ok(()),
    }
}
