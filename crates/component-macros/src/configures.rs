//! `#[configures(name = "set-speed", sets = "speed, direction", doc = "…")]` on a struct: a service that
//! sets several parameters at once.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error};

use crate::attributes::Entries;
use crate::fields::{Part, Role};

/// The services of a struct, as what fills `description.configurations`.
pub fn expand(input: &DeriveInput, parts: &[Part]) -> syn::Result<Vec<TokenStream>> {
    let found = input.attrs.iter().filter(|a| a.path().is_ident("configures"));
    found.map(|attribute| one(Entries::of(attribute)?, parts)).collect()
}

fn one(mut entries: Entries, parts: &[Part]) -> syn::Result<TokenStream> {
    let missing = || "say what it is called and what it sets: `name = \"set-speed\", sets = \"speed, direction\"`";
    let span = entries.span();
    let name = entries.text("name")?.ok_or_else(|| Error::new(span, missing()))?;
    let sets = entries.text("sets")?.ok_or_else(|| Error::new(span, missing()))?;
    let doc = entries.text("doc")?.map(|doc| doc.value()).unwrap_or_default();
    entries.finish("`name`, `sets` and `doc`")?;
    let value = sets.value();
    let parameters: Vec<&str> = value.split(',').map(str::trim).collect();
    for parameter in &parameters {
        let part = parts.iter().find(|part| part.name == *parameter);
        match part.map(|part| &part.role) {
            Some(Role::Parameter(found)) if found.fixed => {
                let text = format!("`{parameter}` cannot be changed while running");
                return Err(Error::new(sets.span(), text));
            }
            Some(Role::Parameter(_)) => {}
            _ => {
                let text = format!("there is no parameter `{parameter}`");
                return Err(Error::new(sets.span(), text));
            }
        }
    }
    Ok(quote! {
        description.configurations.push(__component::Configuration {
            name: ::std::string::String::from(#name),
            parameters: [#(#parameters),*].map(::std::string::String::from).to_vec(),
            doc: ::std::string::String::from(#doc),
        });
    })
}
