//! Fields that are ports, services and queries: how they are described and declared.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, LitStr};

use crate::fields::{Part, Role};
use crate::parameters::as_value;

/// The statements that fill `interface`.
pub fn describe(parts: &[Part], continuous: bool) -> Vec<TokenStream> {
    parts.iter().filter_map(|part| describe_one(part, continuous)).collect()
}

fn describe_one(part: &Part, continuous: bool) -> Option<TokenStream> {
    let Part { ty, name, doc, .. } = part;
    let span = ty.span();
    let units = |units: &Option<LitStr>| {
        units.as_ref().map(|units| quote! { .units(__derive::units(#units)) })
    };
    let frame = |frame: &Option<LitStr>| frame.as_ref().map(|frame| quote! { .frame(#frame) });
    Some(match &part.role {
        Role::Input(input) => {
            let handle = if continuous {
                quote_spanned! { span => __component::block::BlockInput }
            } else {
                quote_spanned! { span => __derive::InputHandle }
            };
            let (units, frame) = (units(&input.units), frame(&input.frame));
            let optional = input.default.is_some().then(|| quote! { .optional() });
            let waking = input.waking.then(|| quote! { .waking() });
            quote! {
                let port = <#ty as #handle>::describe(#name);
                interface.ports.push(port.doc(#doc) #units #frame #optional #waking);
            }
        }
        Role::Output(output) => {
            let handle = match (continuous, output.state.is_some(), output.initial.is_some()) {
                (true, true, _) => quote_spanned! { span => __component::block::StateOutput },
                (true, false, _) => quote_spanned! { span => __component::block::EventsOutput },
                (false, _, true) => quote_spanned! { span => __derive::SignalOutput },
                (false, _, false) => quote_spanned! { span => __derive::OutputHandle },
            };
            let (units, frame) = (units(&output.units), frame(&output.frame));
            quote! {
                let port = <#ty as #handle>::describe(#name);
                interface.ports.push(port.doc(#doc) #units #frame);
            }
        }
        Role::Service { units: given, positive } => {
            let units = units(given);
            let positive = positive.as_ref().map(|paths| quote! { .positive(#paths) });
            let handle = quote_spanned! { span => __derive::ServiceHandle };
            quote! {
                let service = __component::ServiceDescription::new(
                    #name, <#ty as #handle>::service_type(),
                );
                interface.services.push(service.doc(#doc) #units #positive);
            }
        }
        Role::Requires { units: given, optional } => {
            let units = units(given);
            let optional = optional.then(|| quote! { .optional() });
            let handle = quote_spanned! { span => __derive::RequirementHandle };
            quote! {
                let service = __component::ServiceDescription::new(
                    #name, <#ty as #handle>::service_type(),
                );
                interface.requires.push(service.doc(#doc) #units #optional);
            }
        }
        Role::Query => {
            let handle = quote_spanned! { span => __derive::QueryHandle };
            quote! {
                interface.queries.push(__component::QueryDescription {
                    name: ::std::string::String::from(#name),
                    signature: <#ty as #handle>::signature(),
                    doc: ::std::string::String::from(#doc),
                });
            }
        }
        _ => return None,
    })
}

/// The statements of `Model::ports`.
pub fn declare(parts: &[Part]) -> syn::Result<Vec<TokenStream>> {
    let declared = parts.iter().map(declare_one).collect::<syn::Result<Vec<_>>>()?;
    Ok(declared.into_iter().flatten().collect())
}

fn declare_one(part: &Part) -> syn::Result<Option<TokenStream>> {
    let Part { ident, ty, name, .. } = part;
    let span = ty.span();
    let handle = match &part.role {
        Role::Input(input) => {
            if let Some(index) = &input.index {
                let text = "only an input of a continuous component has an index";
                return Err(Error::new_spanned(index, text));
            }
            let waking = input.waking;
            return Ok(Some(match &input.default {
                Some(default) => {
                    let default = as_value(default);
                    let handle = quote_spanned! { span => __derive::SignalInput };
                    quote! {
                        let default: <#ty as #handle>::Value = #default;
                        self.#ident = <#ty as #handle>::declare_or(ports, #name, #waking, default);
                    }
                }
                None => {
                    let handle = quote_spanned! { span => __derive::InputHandle };
                    quote! { self.#ident = <#ty as #handle>::declare(ports, #name, #waking); }
                }
            }));
        }
        Role::Output(output) => {
            if let Some(state) = &output.state {
                let text = "only an output of a continuous component shows a state";
                return Err(Error::new_spanned(state, text));
            }
            if let Some(event) = &output.event {
                let text = "only an output of a continuous component sends events of the block";
                return Err(Error::new_spanned(event, text));
            }
            match &output.initial {
                Some(initial) => {
                    let initial = as_value(initial);
                    let handle = quote_spanned! { span => __derive::SignalOutput };
                    return Ok(Some(quote! {
                        let initial: <#ty as #handle>::Value = #initial;
                        self.#ident = <#ty as #handle>::declare_with(ports, #name, initial);
                    }));
                }
                None => quote_spanned! { span => __derive::OutputHandle },
            }
        }
        Role::Random => quote_spanned! { span => __derive::RandomHandle },
        Role::Service { .. } => quote_spanned! { span => __derive::ServiceHandle },
        Role::Requires { .. } => quote_spanned! { span => __derive::RequirementHandle },
        Role::Query => quote_spanned! { span => __derive::QueryHandle },
        _ => return Ok(None),
    };
    Ok(Some(quote! { self.#ident = <#ty as #handle>::declare(ports, #name); }))
}

/// The calls that give a continuous model its ports.
pub fn attach(parts: &[Part]) -> syn::Result<Vec<TokenStream>> {
    let attached = parts.iter().map(attach_one).collect::<syn::Result<Vec<_>>>()?;
    Ok(attached.into_iter().flatten().collect())
}

fn attach_one(part: &Part) -> syn::Result<Option<TokenStream>> {
    let Part { ident, ty, name, .. } = part;
    match &part.role {
        Role::Input(input) => {
            let Some(index) = &input.index else {
                let text = "say which input of the block this is: `#[input(index = 0)]`";
                return Err(Error::new(ident.span(), text));
            };
            let default = input.default.as_ref().map(|default| {
                quote! {
                    let model = model.default_input(#index, #default)?;
                }
            });
            Ok(Some(quote! {
                let model = <#ty as __component::block::BlockInput>::attach(model, #name, #index)?;
                #default
            }))
        }
        Role::Output(output) => {
            if let Some(initial) = &output.initial {
                let text = "the block says what its states are at first";
                return Err(Error::new_spanned(initial, text));
            }
            Ok(Some(match (&output.state, &output.event) {
                (Some(_), Some(event)) => {
                    let text = "an output shows a state or sends an event, not both";
                    return Err(Error::new_spanned(event, text));
                }
                (Some(state), None) => quote! { let model = model.output(#name, #state)?; },
                (None, Some(event)) => quote! { let model = model.event(#name, #event); },
                (None, None) => quote! { let model = model.events(#name); },
            }))
        }
        Role::Random | Role::Service { .. } | Role::Requires { .. } | Role::Query => {
            Err(Error::new(
                ident.span(),
                "a continuous component has parameters, inputs, outputs and state only",
            ))
        }
        _ => Ok(None),
    }
}
