//! `#[derive(Value)]`: lets a struct of values, or an enumeration without fields, cross a port.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Ident, parse_macro_input};

/// Implements `ironbird_kernel::Value` for a struct whose fields are values, or for an enum whose
/// variants carry nothing (it crosses the wire as the number of the variant).
#[proc_macro_derive(Value)]
pub fn derive_value(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "a value has one layout: no generics"));
    }
    match &input.data {
        Data::Struct(data) => expand_struct(&input.ident, &data.fields),
        Data::Enum(data) => {
            let variants = data
                .variants
                .iter()
                .map(|variant| match variant.fields {
                    Fields::Unit => Ok(&variant.ident),
                    _ => Err(Error::new_spanned(
                        variant,
                        "a value has one fixed layout: variants cannot carry fields",
                    )),
                })
                .collect::<syn::Result<Vec<_>>>()?;
            if variants.is_empty() {
                return Err(Error::new_spanned(&input.ident, "an enum value needs a variant"));
            }
            Ok(expand_enum(&input.ident, &variants))
        }
        Data::Union(_) => Err(Error::new_spanned(&input.ident, "a union cannot be a value")),
    }
}

fn expand_struct(name: &Ident, fields: &Fields) -> syn::Result<TokenStream> {
    let Fields::Named(fields) = fields else {
        return Err(Error::new_spanned(name, "name the fields: leaves are addressed by name"));
    };
    let idents: Vec<_> = fields.named.iter().filter_map(|f| f.ident.as_ref()).collect();
    let types: Vec<_> = fields.named.iter().map(|f| &f.ty).collect();
    let names: Vec<_> = idents.iter().map(|i| i.to_string()).collect();
    let title = name.to_string();
    Ok(quote! {
        impl ::ironbird_kernel::Value for #name {
            const LEAVES: usize = 0 #(+ <#types as ::ironbird_kernel::Value>::LEAVES)*;
            fn schema() -> ::ironbird_kernel::Schema {
                ::ironbird_kernel::Schema::Struct {
                    name: ::std::string::String::from(#title),
                    fields: ::std::vec![
                        #((::std::string::String::from(#names),
                           <#types as ::ironbird_kernel::Value>::schema())),*
                    ],
                }
            }
            fn encode(&self, wire: &mut ::ironbird_kernel::Wire) {
                #(::ironbird_kernel::Value::encode(&self.#idents, wire);)*
            }
            fn decode(
                wire: &mut ::ironbird_kernel::WireReader<'_>,
            ) -> ::std::result::Result<Self, ::ironbird_kernel::DecodeError> {
                ::std::result::Result::Ok(#name {
                    #(#idents: ::ironbird_kernel::Value::decode(wire)?),*
                })
            }
            fn leaf(&self, leaf: usize) -> ::std::option::Option<::ironbird_kernel::Scalar> {
                let mut _leaf = leaf;
                #(
                    let count = <#types as ::ironbird_kernel::Value>::LEAVES;
                    if _leaf < count {
                        return ::ironbird_kernel::Value::leaf(&self.#idents, _leaf);
                    }
                    _leaf -= count;
                )*
                ::std::option::Option::None
            }
            fn set_leaf(
                &mut self,
                leaf: usize,
                value: ::ironbird_kernel::Scalar,
            ) -> ::std::result::Result<(), ::ironbird_kernel::LeafError> {
                let mut _leaf = leaf;
                #(
                    let count = <#types as ::ironbird_kernel::Value>::LEAVES;
                    if _leaf < count {
                        return ::ironbird_kernel::Value::set_leaf(&mut self.#idents, _leaf, value);
                    }
                    _leaf -= count;
                )*
                ::std::result::Result::Err(::ironbird_kernel::LeafError::NoSuchLeaf)
            }
        }
    })
}

fn expand_enum(name: &Ident, variants: &[&Ident]) -> TokenStream {
    let title = name.to_string();
    let names: Vec<_> = variants.iter().map(|v| v.to_string()).collect();
    let numbers: Vec<_> = (0..variants.len() as u32).collect();
    quote! {
        impl #name {
            fn __number(&self) -> u32 {
                match self { #(#name::#variants => #numbers),* }
            }
            fn __from_number(number: u32) -> ::std::option::Option<Self> {
                match number {
                    #(#numbers => ::std::option::Option::Some(#name::#variants),)*
                    _ => ::std::option::Option::None,
                }
            }
        }
        impl ::ironbird_kernel::Value for #name {
            const LEAVES: usize = 1;
            fn schema() -> ::ironbird_kernel::Schema {
                ::ironbird_kernel::Schema::Choice {
                    name: ::std::string::String::from(#title),
                    variants: ::std::vec![#(::std::string::String::from(#names)),*],
                }
            }
            fn encode(&self, wire: &mut ::ironbird_kernel::Wire) {
                ::ironbird_kernel::Value::encode(&self.__number(), wire);
            }
            fn decode(
                wire: &mut ::ironbird_kernel::WireReader<'_>,
            ) -> ::std::result::Result<Self, ::ironbird_kernel::DecodeError> {
                let number = <u32 as ::ironbird_kernel::Value>::decode(wire)?;
                Self::__from_number(number)
                    .ok_or(::ironbird_kernel::DecodeError::Invalid { kind: #title })
            }
            fn leaf(&self, leaf: usize) -> ::std::option::Option<::ironbird_kernel::Scalar> {
                (leaf == 0).then(|| ::ironbird_kernel::Scalar::Unsigned(self.__number() as u64))
            }
            fn set_leaf(
                &mut self,
                leaf: usize,
                value: ::ironbird_kernel::Scalar,
            ) -> ::std::result::Result<(), ::ironbird_kernel::LeafError> {
                if leaf != 0 {
                    return ::std::result::Result::Err(::ironbird_kernel::LeafError::NoSuchLeaf);
                }
                let mut number = 0u32;
                ::ironbird_kernel::Value::set_leaf(&mut number, 0, value)?;
                *self = Self::__from_number(number)
                    .ok_or(::ironbird_kernel::LeafError::OutOfRange { value })?;
                ::std::result::Result::Ok(())
            }
        }
    }
}
