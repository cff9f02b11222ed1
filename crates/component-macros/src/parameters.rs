//! `#[derive(Parameters)]`: reading, changing and saving fields that are parameters.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DeriveInput, Error, Expr, ExprLit, ExprUnary, Ident, Lit, LitFloat, UnOp};

use crate::fields::{ParameterAttribute, Part, Role, parts};

/// A struct that holds parameters and nothing else.
pub fn expand_group(input: &DeriveInput) -> syn::Result<TokenStream> {
    let parts = parts(input)?;
    for part in &parts {
        if !matches!(part.role, Role::Parameter(_) | Role::Group) {
            let text = "a field of a group is a `#[parameter]` or a `#[group]`";
            return Err(Error::new(part.ident.span(), text));
        }
    }
    Ok(expand(&input.ident, &parts))
}

/// `Parameters` for a struct; whatever is no parameter starts with its default.
pub fn expand(name: &Ident, parts: &[Part]) -> TokenStream {
    let descriptions = parts.iter().filter_map(description_function);
    let (mut describe, mut read, mut set, mut save, mut load) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        let Part { ident, ty, name, .. } = part;
        match &part.role {
            Role::Parameter(attribute) => {
                let description = description_name(part);
                describe.push(quote! { list.push(Self::#description()); });
                read.push(quote! { #ident: given.read(&Self::#description())? });
                set.push(quote! {
                    if let ::std::option::Option::Some(answer) = __derive::set_leaf(
                        &mut self.#ident, &Self::#description(), path, value,
                    ) {
                        return answer;
                    }
                });
                if !attribute.fixed {
                    save.push(quote! { __derive::save_value(&self.#ident, state)?; });
                    load.push(quote! { self.#ident = __derive::load_value(state)?; });
                }
            }
            Role::Group => {
                describe.push(quote! { __derive::group::<#ty>(#name, &mut list); });
                read.push(quote! { #ident: __component::Parameters::read(&given.group(#name))? });
                set.push(quote! {
                    if let ::std::option::Option::Some(answer) =
                        __derive::set_in_group(&mut self.#ident, #name, path, value)
                    {
                        return answer;
                    }
                });
                save.push(quote! { __component::Parameters::save(&self.#ident, state)?; });
                load.push(quote! { __component::Parameters::load(&mut self.#ident, state)?; });
            }
            _ => read.push(quote! { #ident: ::std::default::Default::default() }),
        }
    }
    quote! {
        impl #name {
            #(#descriptions)*
        }

        #[automatically_derived]
        impl __component::Parameters for #name {
            fn describe() -> ::std::vec::Vec<__component::ParameterDescription> {
                #[allow(unused_mut)]
                let mut list = ::std::vec::Vec::new();
                #(#describe)*
                list
            }
            fn read(
                given: &__component::Given<'_>,
            ) -> ::std::result::Result<Self, __component::InstantiateError> {
                let _ = given;
                ::std::result::Result::Ok(#name { #(#read),* })
            }
            fn set(
                &mut self,
                path: &str,
                value: &__derive::kernel::Parameter,
            ) -> ::std::result::Result<(), __derive::kernel::ParameterError> {
                let _ = value;
                #(#set)*
                ::std::result::Result::Err(__derive::kernel::ParameterError::Unknown {
                    name: ::std::string::String::from(path),
                })
            }
            fn save(
                &self,
                state: &mut __derive::kernel::StateWriter,
            ) -> ::std::result::Result<(), __derive::kernel::SaveError> {
                let _ = &state;
                #(#save)*
                ::std::result::Result::Ok(())
            }
            fn load(
                &mut self,
                state: &mut __derive::kernel::StateReader<'_>,
            ) -> ::std::result::Result<(), __derive::kernel::LoadError> {
                let _ = &state;
                #(#load)*
                ::std::result::Result::Ok(())
            }
        }
    }
}

fn description_name(part: &Part) -> Ident {
    format_ident!("__parameter_{}", part.ident)
}

/// A function that describes one parameter; `Self` may be used in what the attribute says.
fn description_function(part: &Part) -> Option<TokenStream> {
    let Role::Parameter(attribute) = &part.role else { return None };
    let Part { ty, name, doc, .. } = part;
    let function = description_name(part);
    let unit = attribute.unit.as_ref().map_or_else(String::new, syn::LitStr::value);
    let (low, high) = bounds(attribute);
    let default = match &attribute.default {
        None => quote! { ::std::option::Option::None },
        Some(default) => {
            let default = as_value(default);
            quote! { ::std::option::Option::Some({ let default: #ty = #default; default }) }
        }
    };
    let fixed = attribute.fixed.then(|| quote! { .fixed() });
    Some(quote! {
        #[doc(hidden)]
        fn #function() -> __component::ParameterDescription {
            let range = __component::Range { low: #low, high: #high };
            __derive::parameter::<#ty>(#name, __derive::unit(#unit), range, #default, #doc) #fixed
        }
    })
}

fn bounds(attribute: &ParameterAttribute) -> (TokenStream, TokenStream) {
    let bound = |inclusive: &Option<Expr>, exclusive: &Option<Expr>| match (inclusive, exclusive) {
        (Some(end), _) => {
            let end = as_real(end);
            quote! { __component::Bound::Inclusive(#end) }
        }
        (None, Some(end)) => {
            let end = as_real(end);
            quote! { __component::Bound::Exclusive(#end) }
        }
        (None, None) => quote! { __component::Bound::Unbounded },
    };
    (bound(&attribute.min, &attribute.above), bound(&attribute.max, &attribute.below))
}

/// A whole number as a real one: `min = 0` is as good as `min = 0.0`.
fn as_real(expression: &Expr) -> Expr {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), attrs }) => {
            let text = format!("{}.0", number.base10_digits());
            let lit = Lit::Float(LitFloat::new(&text, number.span()));
            Expr::Lit(ExprLit { attrs: attrs.clone(), lit })
        }
        Expr::Unary(unary @ ExprUnary { op: UnOp::Neg(_), .. }) => {
            Expr::Unary(ExprUnary { expr: Box::new(as_real(&unary.expr)), ..unary.clone() })
        }
        other => other.clone(),
    }
}

/// A text becomes what it is needed as: a `String`, a `PathBuf`.
pub fn as_value(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => {
            quote! { ::std::convert::Into::into(#expression) }
        }
        other => quote! { #other },
    }
}
