//! What a component does: functions with the user's code in them.

use crate::skeleton::description::{Description, Kind, Service};
use crate::skeleton::generate::{argument_type, doc};
use crate::skeleton::names::{field, struct_name};
use crate::skeleton::regions::Regions;
use crate::skeleton::value::RustType;

/// rustfmt breaks lines that are longer.
pub const WIDEST: usize = 100;

/// Writes the functions of a component.
pub fn write(description: &Description, regions: &mut Regions, out: &mut String) {
    let mut writer = Writer { description, regions, out };
    writer.own_functions();
    match &description.kind {
        Kind::Periodic => writer.periodic(),
        Kind::EventDriven => writer.event_driven(),
        Kind::Continuous => writer.continuous(),
        Kind::Provider(argument, answer) => writer.provider(argument, answer),
    }
}

struct Writer<'a> {
    description: &'a Description,
    regions: &'a mut Regions,
    out: &'a mut String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Opens a function in an `impl`.
    fn function(&mut self, head: &str, arguments: &[&str], end: &str) {
        let line = format!("    {head}({}){end} {{", arguments.join(", "));
        if line.chars().count() <= WIDEST {
            return self.line(&line);
        }
        self.line(&format!("    {head}("));
        for argument in arguments {
            self.line(&format!("        {argument},"));
        }
        self.line(&format!("    ){end} {{"));
    }

    fn region(&mut self, name: &str, first: &str) {
        self.regions.write(name, "        ", first, self.out);
    }

    fn implement(&mut self, what: &str) {
        let name = struct_name(&self.description.type_name);
        let what = if what.is_empty() { String::new() } else { format!("{what} for ") };
        self.line(&format!("\nimpl {what}{name} {{"));
    }

    /// `start`, `changed` and what the services do.
    fn own_functions(&mut self) {
        self.implement("");
        if matches!(self.description.kind, Kind::Periodic | Kind::EventDriven) {
            self.line("    /// Before the first instant: inputs can be read, outputs written.");
            self.function("fn start", &["&mut self", "start: &mut Start<'_>"], "");
            self.region("start", "let _ = start;");
            self.line("    }\n");
        }
        self.line("    /// Works out what follows from the parameters, whenever they were set.");
        self.function("fn changed", &["&mut self"], "");
        self.region("changed", "");
        self.line("    }");
        for service in &self.description.services {
            self.service(service);
        }
        if self.replies() {
            self.line("\n    /// Whether answers to calls are on their way.");
            self.line("    fn is_replying(&self) -> bool {");
            self.line("        let mut waiting = 0;");
            for service in &self.description.services {
                self.line(&format!(
                    "        waiting += self.{}_replies.len();",
                    field(&service.name)
                ));
            }
            self.line("        waiting > 0\n    }");
        }
        self.line("}");
    }

    /// Whether it must keep answers until its next output.
    fn replies(&self) -> bool {
        self.description.kind == Kind::EventDriven && !self.description.services.is_empty()
    }

    fn service(&mut self, service: &Service) {
        self.line("");
        doc(&service.doc, &format!("Answers `{}`.", service.name), "    ", self.out);
        let argument = match &service.arguments[..] {
            [] => None,
            [(name, ..)] if name != "now" => Some(field(name)),
            _ => Some("argument".to_owned()),
        };
        let typed = argument.as_ref().map(|name| format!("{name}: &{}", argument_type(service)));
        let mut arguments = vec!["&mut self", "now: Time"];
        arguments.extend(typed.as_deref());
        let nothing = service.reply == RustType::Nothing;
        let end = if nothing { String::new() } else { format!(" -> {}", service.reply.rust()) };
        self.function(&format!("fn answer_{}", field(&service.name)), &arguments, &end);
        let unused = match argument {
            Some(name) => format!("let _ = (now, {name});"),
            None => "let _ = now;".into(),
        };
        let value =
            if nothing { String::new() } else { format!("\n{}", service.reply.some_value()) };
        self.region(&format!("service {}", service.name), &format!("{unused}{value}"));
        self.line("    }");
    }

    /// Calls the function of a service, and says what holds its answer.
    fn call(&mut self, service: &Service, now: &str) -> &'static str {
        let argument = if service.arguments.is_empty() { "" } else { ", &request.content" };
        let call = format!("self.answer_{}({now}{argument});", field(&service.name));
        if service.reply == RustType::Nothing {
            self.line(&format!("            {call}"));
            return "()";
        }
        self.line(&format!("            let answer = {call}"));
        "answer"
    }

    fn periodic(&mut self) {
        self.implement("Periodic");
        self.function("fn step", &["&mut self", "step: &mut Step<'_>"], "");
        for service in &self.description.services {
            self.line(&format!("        let service = self.{};", field(&service.name)));
            self.line(
                "        let requests: Vec<_> = step.events(service.request).cloned().collect();",
            );
            self.line("        for request in requests {");
            let answer = self.call(service, "step.now()");
            self.line(&format!("            step.send(service.reply, request.reply({answer}));"));
            self.line("        }");
        }
        let mut first = String::from("let _ = step;\n");
        for input in &self.description.inputs {
            let verb = if input.event { "events" } else { "signal" };
            let name = field(&input.name);
            first.push_str(&format!("// let {name} = step.{verb}(self.{name});\n"));
        }
        for output in &self.description.outputs {
            let verb = if output.event { "send" } else { "write" };
            let (name, value) = (field(&output.name), output.of.some_value());
            first.push_str(&format!("// step.{verb}(self.{name}, {value});\n"));
        }
        self.region("step", &first);
        self.line("    }\n}");
    }

    fn event_driven(&mut self) {
        let replies = self.replies();
        self.implement("Atomic");
        self.line("    /// How long it stays as it is if nothing arrives.");
        self.function("fn time_advance", &["&self"], " -> Duration");
        if replies {
            self.line("        if self.is_replying() {");
            self.line("            return Duration::ZERO;\n        }");
        }
        self.region("time advance", "Duration::FOREVER");
        self.line("    }\n\n    /// What it sends when that time is over.");
        self.function("fn output", &["&mut self", "out: &mut Outputs<'_>"], "");
        if replies {
            self.line("        if self.is_replying() {");
            for service in &self.description.services {
                let name = field(&service.name);
                let list = format!("self.{name}_replies.clone()");
                self.line(&format!("            for (caller, number, content) in {list} {{"));
                self.line("                let reply = Reply {\n                    caller,");
                self.line("                    number,\n                    content,");
                self.line("                };");
                self.line(&format!("                out.send(self.{name}.reply, reply);"));
                self.line("            }");
            }
            self.line("            return;\n        }");
        }
        self.region("output", "let _ = out;");
        self.line("    }\n\n    /// How it changes after that.");
        self.function("fn internal", &["&mut self", "context: &mut Context<'_>"], "");
        if replies {
            self.line("        if self.is_replying() {");
            for service in &self.description.services {
                self.line(&format!("            self.{}_replies.clear();", field(&service.name)));
            }
            self.line("            return;\n        }");
        }
        self.region("internal", "let _ = context;");
        self.line("    }\n\n    /// How it changes when something arrives, so long after its last change.");
        let arguments =
            ["&mut self", "context: &mut Context<'_>", "elapsed: Duration", "inputs: &Inputs<'_>"];
        self.function("fn external", &arguments, "");
        if replies {
            self.line("        let now = context.now();");
        }
        for service in &self.description.services {
            let name = field(&service.name);
            self.line(&format!("        for request in inputs.events(self.{name}.request) {{"));
            let answer = self.call(service, "now");
            self.line(&format!(
                "            let reply = (request.caller, request.number, {answer});"
            ));
            self.line(&format!("            self.{name}_replies.push(reply);"));
            self.line("        }");
        }
        self.region("external", "let _ = (context, elapsed, inputs);");
        self.line("    }\n}");
    }

    fn continuous(&mut self) {
        let description = self.description;
        let shown: Vec<_> = description.outputs.iter().filter(|output| !output.event).collect();
        self.implement("Block");
        self.line("    fn states(&self) -> usize {");
        self.line(&format!("        {}\n    }}\n", shown.len()));
        self.line("    fn inputs(&self) -> usize {");
        self.line(&format!("        {}\n    }}\n", description.inputs.len()));
        self.line("    fn initial(&self, state: usize) -> f64 {\n        match state {");
        for (state, output) in shown.iter().enumerate() {
            let value = output.initial.as_ref().map_or("0.0", |value| value.0.as_str());
            self.line(&format!("            {state} => {value},"));
        }
        self.line("            _ => 0.0,\n        }\n    }\n");
        self.line("    /// The derivative of a state in time, per second.");
        let arguments = ["&self", "state: usize", "at: &impl Point<N>"];
        self.function("fn derivative<N: Number>", &arguments, " -> N");
        let mut first = String::from("let _ = (state, at);\n");
        for (state, output) in shown.iter().enumerate() {
            first.push_str(&format!("// at.x({state}) is {}\n", output.name));
        }
        for (index, input) in description.inputs.iter().enumerate() {
            first.push_str(&format!("// at.u({index}) is {}\n", input.name));
        }
        self.region("derivative", &(first + "N::constant(0.0)"));
        self.line("    }\n");
        let first = "// Crossings and other functions of `Block`.";
        self.regions.write("events", "    ", first, self.out);
        self.line("}");
    }

    fn provider(&mut self, argument: &RustType, answer: &RustType) {
        let (asked, answered) = (argument.rust(), answer.rust());
        self.implement(&format!("Answers<{asked}, {answered}>"));
        let argument = format!("argument: &{asked}");
        let end = format!(" -> {answered}");
        self.function("fn answer", &["&self", "now: Time", &argument], &end);
        self.region("answer", &format!("let _ = (now, argument);\n{}", answer.some_value()));
        self.line("    }\n}");
    }
}
