//! `#[derive(Component)]`, `#[derive(Parameters)]` and `#[derive(Choice)]`: one struct is one component
//! type. What may be written is told by the documentation of `ironbird-component`.

mod attributes;
mod choice;
mod component;
mod configures;
mod fields;
mod parameters;
mod ports;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, parse_macro_input};

/// Makes a struct a component type: its fields are its parameters, ports, services and state.
#[proc_macro_derive(
    Component,
    attributes(
        component, configures, parameter, group, input, output, random, service, requires, query,
        skip
    )
)]
pub fn derive_component(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input, component::expand)
}

/// Makes a struct a group of parameters.
#[proc_macro_derive(Parameters, attributes(parameter, group))]
pub fn derive_parameters(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input, parameters::expand_group)
}

/// Lets a parameter be one of the variants of an enum, by name.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn derive_choice(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input, choice::expand)
}

fn expand(
    input: proc_macro::TokenStream,
    by: fn(&DeriveInput) -> syn::Result<TokenStream>,
) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let expanded = by(&input).map(|expanded| {
        quote! {
            const _: () = {
                use ::ironbird_component as __component;
                use ::ironbird_component::derive as __derive;
                #expanded
            };
        }
    });
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

#[cfg(test)]
mod tests;
