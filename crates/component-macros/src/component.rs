//! `#[derive(Component)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Expr, LitStr, Type};

use crate::attributes::{Entries, doc};
use crate::fields::{Part, Role, parts};
use crate::{configures, parameters, ports};

/// What `#[component(…)]` says.
struct Attribute {
    name: LitStr,
    kind: Kind,
    rate: Option<LitStr>,
    foreign: bool,
    adapter: bool,
    switch: Option<LitStr>,
    cannot_save: bool,
    start: Option<Expr>,
    changed: Option<Expr>,
    check: Option<Expr>,
    scenery: Option<Expr>,
}

enum Kind {
    Periodic,
    EventDriven,
    RunAhead,
    Continuous,
    Provider(Box<Type>, Box<Type>),
}

const KNOWN: &str = "`type`, `periodic`, `event_driven`, `run_ahead`, `continuous`, `provider`, \
                     `provides`, `rate`, `foreign`, `adapter`, `switch`, `cannot_save`, `start`, `changed`, \
                     `check` and `scenery`";

const EXAMPLE: &str = "say what this is: `#[component(type = \"sensor.thermometer\", periodic)]`";

impl Attribute {
    fn read(input: &DeriveInput) -> syn::Result<Self> {
        let mut found = input.attrs.iter().filter(|a| a.path().is_ident("component"));
        let Some(attribute) = found.next() else {
            return Err(Error::new_spanned(&input.ident, EXAMPLE));
        };
        if let Some(second) = found.next() {
            return Err(Error::new_spanned(second, "say everything in one `#[component(…)]`"));
        }
        let mut entries = Entries::of(attribute)?;
        let span = entries.span();
        let Some(name) = entries.text("type")? else { return Err(Error::new(span, EXAMPLE)) };
        check_name(&name)?;
        let mut kinds = Vec::new();
        for (word, kind) in [
            ("periodic", Kind::Periodic),
            ("event_driven", Kind::EventDriven),
            ("run_ahead", Kind::RunAhead),
            ("continuous", Kind::Continuous),
        ] {
            if entries.flag(word)? {
                kinds.push(kind);
            }
        }
        let provider = entries.flag("provider")?;
        match (provider, entries.function("provides")?) {
            (false, None) => {}
            (_, Some((argument, answer))) => {
                kinds.push(Kind::Provider(Box::new(argument), Box::new(answer)));
            }
            (true, None) => {
                let text = "say what it answers: `provider, provides = fn(Argument) -> Answer`";
                return Err(Error::new(span, text));
            }
        }
        let one_kind = "a component is one of `periodic`, `event_driven`, `run_ahead`, `continuous` \
                        and `provider`";
        let Some(kind) = kinds.pop().filter(|_| kinds.is_empty()) else {
            return Err(Error::new(span, one_kind));
        };
        let rate = entries.rate()?;
        if let (Some(rate), false) = (&rate, matches!(kind, Kind::Periodic)) {
            return Err(Error::new(rate.span(), "only a periodic component has a rate"));
        }
        let attribute = Attribute {
            name,
            kind,
            rate,
            foreign: entries.flag("foreign")?,
            adapter: entries.flag("adapter")?,
            switch: entries.text("switch")?,
            cannot_save: entries.flag("cannot_save")?,
            start: entries.expression("start")?,
            changed: entries.expression("changed")?,
            check: entries.expression("check")?,
            scenery: entries.expression("scenery")?,
        };
        entries.finish(KNOWN)?;
        attribute.refuse_what_the_kind_lacks()?;
        Ok(attribute)
    }

    fn refuse_what_the_kind_lacks(&self) -> syn::Result<()> {
        let is_model = !matches!(self.kind, Kind::Continuous | Kind::Provider(..));
        match &self.start {
            Some(start) if !is_model => {
                Err(Error::new_spanned(start, "this kind of component does nothing at the start"))
            }
            _ if self.cannot_save && !is_model => {
                Err(Error::new(self.name.span(), "this kind of component is always saved"))
            }
            _ => Ok(()),
        }
    }
}

fn check_name(name: &LitStr) -> syn::Result<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let word = |word: &str| !word.is_empty() && word.chars().all(plain);
    if name.value().split('.').all(word) {
        return Ok(());
    }
    let text = "the name of a type is words of small letters, digits and `-`, joined by dots: \
                \"sensor.thermometer\"";
    Err(Error::new(name.span(), text))
}

pub fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let attribute = Attribute::read(input)?;
    let parts = parts(input)?;
    let name = &input.ident;
    let parameters = parameters::expand(name, &parts);
    let hooks = hooks(input, &attribute);
    let (model, make) = match &attribute.kind {
        Kind::Continuous => (TokenStream::new(), make_continuous(&parts)?),
        Kind::Provider(argument, answer) => (
            provider(input, &parts, argument, answer)?,
            quote! {
                let model = __derive::create::<Self>(settings, place)?;
                let scenery = __derive::Hooks::scenery(&model);
                Ok(__component::Made::provider::<#argument, #answer>(model).with_scenery(scenery))
            },
        ),
        Kind::Periodic => {
            let rate = match &attribute.rate {
                Some(rate) => quote! { __derive::rate(#rate) },
                None => quote! { ::std::option::Option::None },
            };
            let make = quote! {
                let model = __derive::create::<Self>(settings, place)?;
                let scenery = __derive::Hooks::scenery(&model);
                Ok(__component::Made::periodic(model, #rate).with_scenery(scenery))
            };
            (model(input, &attribute, &parts)?, make)
        }
        Kind::EventDriven => (
            model(input, &attribute, &parts)?,
            quote! {
                let model = __derive::create::<Self>(settings, place)?;
                let scenery = __derive::Hooks::scenery(&model);
                Ok(__component::Made::event_driven(model).with_scenery(scenery))
            },
        ),
        Kind::RunAhead => (
            model(input, &attribute, &parts)?,
            quote! {
                let model = __derive::create::<Self>(settings, place)?;
                let scenery = __derive::Hooks::scenery(&model);
                Ok(__component::Made::run_ahead(model).with_scenery(scenery))
            },
        ),
    };
    let description = description(input, &attribute, &parts)?;
    Ok(quote! {
            #parameters
            #hooks
            #model

            #[automatically_derived]
            impl __component::Component for #name {
                fn description() -> __component::Description {
                    #description
                }
                fn make(
                    settings: &__component::Settings,
                    place: &__component::Place<'_>,
                ) -> ::std::result::Result<__component::Made, __component::InstantiateError> {
                    use ::std::result::Result::Ok;
                    #make
                }
            }
    })
}

fn hooks(input: &DeriveInput, attribute: &Attribute) -> TokenStream {
    let name = &input.ident;
    let check = attribute.check.as_ref().map(|check| {
        quote! {
            fn check(&self) -> ::std::result::Result<(), ::std::string::String> {
                (#check)(self)
            }
        }
    });
    let changed = attribute
        .changed
        .as_ref()
        .map(|changed| quote! { fn changed(&mut self) { (#changed)(self); } });
    let scenery = attribute.scenery.as_ref().map(|scenery| {
        quote! {
            fn scenery(&self) -> ::std::option::Option<__component::scenery::Scenery> {
                (#scenery)(self)
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl __derive::Hooks for #name {
            #check
            #changed
            #scenery
        }
    }
}

fn description(
    input: &DeriveInput,
    attribute: &Attribute,
    parts: &[Part],
) -> syn::Result<TokenStream> {
    let configurations = configures::expand(input, parts)?;
    let (name, doc) = (&attribute.name, doc(&input.attrs));
    let kind = match &attribute.kind {
        Kind::Periodic => quote! { Periodic },
        Kind::EventDriven => quote! { EventDriven },
        Kind::RunAhead => quote! { RunAhead },
        Kind::Continuous => quote! { Continuous },
        Kind::Provider(..) => quote! { Provider },
    };
    let rate = attribute.rate.as_ref().map(|rate| {
        quote! {
            description.rate = __derive::rate(#rate);
        }
    });
    let (foreign, adapter) = (attribute.foreign, attribute.adapter);
    let switch = attribute.switch.as_ref().map(|parameter| {
        quote! {
            description.switch = ::std::option::Option::Some(#parameter.into());
        }
    });
    let saves_state = !attribute.cannot_save;
    let continuous = matches!(attribute.kind, Kind::Continuous);
    let solver = continuous.then(|| {
        quote! {
            description.parameters.extend(__component::block::solver_parameters());
        }
    });
    let describe = ports::describe(parts, continuous);
    let answers = match &attribute.kind {
        Kind::Provider(argument, answer) => Some(quote! {
            interface.answers = ::std::option::Option::Some(
                __component::QuerySignature::of::<#argument, #answer>(),
            );
        }),
        _ => None,
    };
    Ok(quote! {
        #[allow(unused_mut)]
        let mut interface = __component::Interface::default();
        #(#describe)*
        #answers
        let mut description = __component::Description::new(#name, __component::Kind::#kind, #doc);
        #rate
        description.foreign = #foreign;
        description.adapter = #adapter;
        #switch
        description.saves_state = #saves_state;
        description.parameters = <Self as __component::Parameters>::describe();
        #solver
        #(#configurations)*
        description.interface =
            ::std::option::Option::Some(::std::sync::Arc::new(interface));
        description
    })
}

/// `Model` for what the kernel advances as it is.
fn model(input: &DeriveInput, attribute: &Attribute, parts: &[Part]) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let declare = ports::declare(parts)?;
    let start = attribute.start.as_ref().map(|start| {
        quote! {
            fn initialize(&mut self, start: &mut __derive::kernel::Start<'_>) {
                (#start)(self, start);
            }
        }
    });
    let save = (!attribute.cannot_save).then(|| save(parts));
    Ok(quote! {
        #[automatically_derived]
        impl __derive::kernel::Model for #name {
            fn ports(&mut self, ports: &mut __derive::kernel::Ports) {
                let _ = &ports;
                #(#declare)*
            }
            #start
            fn set_parameter(
                &mut self,
                name: &str,
                value: __derive::kernel::Parameter,
            ) -> ::std::result::Result<(), __derive::kernel::ParameterError> {
                __derive::change(self, name, &value)
            }
            #save
        }
    })
}

/// `save` and `load`: parameters that can change, then state.
fn save(parts: &[Part]) -> TokenStream {
    let of_role = |is: fn(&Role) -> bool| parts.iter().filter(move |p| is(&p.role));
    let state: Vec<_> = of_role(|r| matches!(r, Role::State)).map(|p| &p.ident).collect();
    let skipped = of_role(|r| matches!(r, Role::Skip)).map(|p| &p.ident);
    quote! {
        fn save(
            &self,
            state: &mut __derive::kernel::StateWriter,
        ) -> ::std::result::Result<(), __derive::kernel::SaveError> {
            __component::Parameters::save(self, state)?;
            #(state.put(&self.#state)?;)*
            ::std::result::Result::Ok(())
        }
        fn load(
            &mut self,
            state: &mut __derive::kernel::StateReader<'_>,
        ) -> ::std::result::Result<(), __derive::kernel::LoadError> {
            __component::Parameters::load(self, state)?;
            #(self.#state = state.get()?;)*
            #(self.#skipped = ::std::default::Default::default();)*
            __derive::Hooks::changed(self);
            ::std::result::Result::Ok(())
        }
    }
}

fn make_continuous(parts: &[Part]) -> syn::Result<TokenStream> {
    let attach = ports::attach(parts)?;
    Ok(quote! {
        let block = __derive::create::<Self>(settings, place)?;
        let scenery = __derive::Hooks::scenery(&block);
        let made = __component::block::make(block, &__component::Given::new(settings, place), |model| {
            #(#attach)*
            Ok(model)
        });
        Ok(made?.with_scenery(scenery))
    })
}

fn provider(
    input: &DeriveInput,
    parts: &[Part],
    argument: &Type,
    answer: &Type,
) -> syn::Result<TokenStream> {
    for part in parts {
        let text = match part.role {
            Role::Parameter(_) | Role::Group | Role::Skip => continue,
            Role::State => {
                "a provider has no state: mark what follows from its parameters with `#[skip]`"
            }
            _ => "a provider has parameters only",
        };
        return Err(Error::new(part.ident.span(), text));
    }
    let name = &input.ident;
    let save = save(parts);
    Ok(quote! {
        #[automatically_derived]
        impl __derive::kernel::Provider<#argument, #answer> for #name {
            fn answer(&self, now: __derive::kernel::Time, argument: &#argument) -> #answer {
                __component::Answers::answer(self, now, argument)
            }
            fn set_parameter(
                &mut self,
                name: &str,
                value: __derive::kernel::Parameter,
            ) -> ::std::result::Result<(), __derive::kernel::ParameterError> {
                __derive::change(self, name, &value)
            }
            #save
        }
    })
}
