//! `#[derive(Choice)]`: the variants of an enum by name.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, LitStr, Variant};

use crate::attributes::Entries;

pub fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a choice is an enum"));
    };
    if data.variants.is_empty() {
        return Err(Error::new_spanned(&input.ident, "a choice needs a variant"));
    }
    let mut names = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            let text = "a choice is a name: its variants cannot carry fields";
            return Err(Error::new_spanned(variant, text));
        }
        names.push(name(variant)?);
    }
    let ident = &input.ident;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let numbers: Vec<_> = (0..variants.len()).collect();
    Ok(quote! {
            #[automatically_derived]
            impl __component::Choice for #ident {
                const NAMES: &'static [&'static str] = &[#(#names),*];
                fn number(&self) -> usize {
                    match self { #(#ident::#variants => #numbers),* }
                }
                fn from_number(number: usize) -> ::std::option::Option<Self> {
                    match number {
                        #(#numbers => ::std::option::Option::Some(#ident::#variants),)*
                        _ => ::std::option::Option::None,
                    }
                }
            }

            #[automatically_derived]
            impl __component::ParameterValue for #ident {
                fn kind(_: __component::Unit, _: __component::Range) -> __component::ParameterKind {
                    __derive::choice_kind::<Self>()
                }
                fn write(&self, leaves: &mut ::std::vec::Vec<__derive::kernel::Parameter>) {
                    __derive::write_choice(self, leaves);
                }
                fn read(
                    leaves: &mut dyn ::std::iter::Iterator<Item = __derive::kernel::Parameter>,
                ) -> ::std::option::Option<Self> {
                    __derive::read_choice(leaves)
                }
            }
    })
}

/// `#[choice(name = "…")]`, or the variant in small letters with dashes: `VeryFast` is `very-fast`.
fn name(variant: &Variant) -> syn::Result<LitStr> {
    if let Some(attribute) = variant.attrs.iter().find(|a| a.path().is_ident("choice")) {
        let mut entries = Entries::of(attribute)?;
        let given = entries.text("name")?;
        let span = entries.span();
        entries.finish("`name`")?;
        return given.ok_or_else(|| Error::new(span, "say `#[choice(name = \"…\")]`"));
    }
    let mut name = String::new();
    for (index, letter) in variant.ident.to_string().chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    Ok(LitStr::new(&name, variant.ident.span()))
}
