//! One file over another: tables by key, entries of lists by name.

use crate::load::name_of;
use ironbird_document::{Data, Item};

/// Puts `over` on top of `base`.
pub fn merge(base: &mut Item, over: Item) {
    match (&mut base.data, over.data) {
        (Data::Table(base), Data::Table(over)) => {
            for entry in over.0 {
                match base.0.iter_mut().find(|other| other.key == entry.key) {
                    Some(old) => {
                        old.place = entry.place;
                        merge(&mut old.item, entry.item);
                    }
                    None => base.0.push(entry),
                }
            }
        }
        (Data::Array(base), Data::Array(over)) if is_list_of_tables(base, &over) => {
            for item in over {
                let same =
                    |other: &&mut Item| name_of(other).is_some_and(|n| Some(n) == name_of(&item));
                match base.iter_mut().find(same) {
                    Some(old) => merge(old, item),
                    None => base.push(item),
                }
            }
        }
        (data, over_data) => {
            *data = over_data;
            base.place = over.place;
        }
    }
}

fn is_list_of_tables(base: &[Item], over: &[Item]) -> bool {
    base.iter().chain(over).all(|item| matches!(item.data, Data::Table(_)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::load::load_text;
    use ironbird_document::{Data, Item};

    fn tree(text: &str) -> Item {
        load_text("test.toml", Path::new(""), text, &[]).unwrap()
    }

    #[test]
    fn tables_merge_by_key_and_entries_by_name() {
        let mut base =
            tree("[system.a]\ngain = 1\nmode = 2\n[[at]]\nname = \"x\"\ntime = \"1 s\"\n");
        super::merge(
            &mut base,
            tree(
                "[system.a]\ngain = 3\n[[at]]\nname = \"x\"\ntime = \"2 s\"\n[[at]]\nname = \"y\"\n",
            ),
        );
        let root = base.table().unwrap();
        let a = root.get("system").unwrap().table().unwrap().get("a").unwrap().table().unwrap();
        assert_eq!(a.get("gain").unwrap().data, Data::Integer(3));
        assert_eq!(a.get("mode").unwrap().data, Data::Integer(2));
        let at = root.get("at").unwrap().tables().unwrap();
        assert_eq!(at.len(), 2);
        assert_eq!(at[0].1.get("time").unwrap().data, Data::Text("2 s".into()));
    }
}
