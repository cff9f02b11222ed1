//! An architecture out of the tree of its file. Keys that are not known here are those of other versions
//! of CARET and are left alone.

use ironbird_document::{Item, Place, Problem, Problems, Table};

use super::{
    Architecture, Callback, CallbackGroup, ContextKind, Executor, ExecutorKind, MessageContext,
    NamedPath, Node, PathNode, Publish, Subscribe, Trigger, VariablePassing,
};

/// What CARET writes where somebody has to decide.
const UNDEFINED: &str = "UNDEFINED";

pub(super) fn architecture(file: &Item) -> Result<Architecture, Problems> {
    let table = file.table()?;
    let mut problems = Problems::default();
    let executors = all(table, "executors", executor, &mut problems);
    let nodes = all(table, "nodes", node, &mut problems);
    let paths = all(table, "named_paths", path, &mut problems);
    if nodes.is_empty() && problems.0.is_empty() {
        let problem = Problem::new("there are no nodes", &file.place, "");
        problems.push(problem.help("is it an architecture file of CARET?"));
    }
    match problems.0.is_empty() {
        true => Ok(Architecture { executors, nodes, paths }),
        false => Err(problems),
    }
}

/// All entries of a list that may lack; those that are wrong are told of.
fn all<T>(
    table: &Table,
    key: &str,
    read: fn(&Table, &Place) -> Result<T, Problem>,
    problems: &mut Problems,
) -> Vec<T> {
    let items = match table.get(key).map(Item::items) {
        None => &[],
        Some(Ok(items)) => items,
        Some(Err(problem)) => {
            problems.push(problem);
            &[]
        }
    };
    let read = |item: &Item| read(item.table()?, &item.place);
    items.iter().filter_map(|item| problems.take(read(item))).collect()
}

/// The entries of a list that may lack.
fn list<T>(
    table: &Table,
    key: &str,
    read: fn(&Table, &Place) -> Result<T, Problem>,
) -> Result<Vec<T>, Problem> {
    let items = table.get(key).map_or(Ok(&[][..]), Item::items)?;
    items.iter().map(|item| read(item.table()?, &item.place)).collect()
}

fn text(table: &Table, place: &Place, key: &str) -> Result<String, Problem> {
    Ok(table.need(key, place)?.text()?.to_owned())
}

/// A text that may lack or be `UNDEFINED`.
fn defined(table: &Table, key: &str) -> Result<Option<String>, Problem> {
    let text = table.get(key).map(Item::text).transpose()?;
    Ok(text.filter(|text| *text != UNDEFINED && !text.is_empty()).map(str::to_owned))
}

/// Texts that are not `UNDEFINED`.
fn texts(table: &Table, key: &str) -> Result<Vec<String>, Problem> {
    let texts = table.get(key).map(Item::texts).transpose()?.unwrap_or_default();
    let defined = texts.into_iter().filter(|(text, _)| *text != UNDEFINED);
    Ok(defined.map(|(text, _)| text.to_owned()).collect())
}

fn executor(table: &Table, place: &Place) -> Result<Executor, Problem> {
    let kind = table.need("executor_type", place)?;
    let kind = match kind.text()? {
        "single_threaded_executor" => ExecutorKind::SingleThreaded,
        "static_single_threaded_executor" => ExecutorKind::StaticSingleThreaded,
        "multi_threaded_executor" => ExecutorKind::MultiThreaded,
        other => {
            let message = format!("the type \"{other}\" of executor is not known");
            return Err(Problem::new(message, &kind.place, "here").help(
                "known are single_threaded_executor, static_single_threaded_executor and \
                 multi_threaded_executor",
            ));
        }
    };
    Ok(Executor {
        name: text(table, place, "executor_name")?,
        kind,
        groups: texts(table, "callback_group_names")?,
        place: place.clone(),
    })
}

fn node(table: &Table, place: &Place) -> Result<Node, Problem> {
    let passings = list(table, "variable_passings", variable_passing)?;
    Ok(Node {
        name: text(table, place, "node_name")?,
        groups: list(table, "callback_groups", group)?,
        callbacks: list(table, "callbacks", callback)?,
        publishes: list(table, "publishes", publish)?,
        subscribes: list(table, "subscribes", subscribe)?,
        variable_passings: passings.into_iter().flatten().collect(),
        message_contexts: list(table, "message_contexts", message_context)?,
        place: place.clone(),
    })
}

fn group(table: &Table, place: &Place) -> Result<CallbackGroup, Problem> {
    let kind = table.need("callback_group_type", place)?;
    let is_reentrant = match kind.text()? {
        "mutually_exclusive" => false,
        "reentrant" => true,
        other => {
            let message = format!("the type \"{other}\" of callback group is not known");
            let problem = Problem::new(message, &kind.place, "here");
            return Err(problem.help("known are mutually_exclusive and reentrant"));
        }
    };
    Ok(CallbackGroup {
        name: text(table, place, "callback_group_name")?,
        is_reentrant,
        callbacks: texts(table, "callback_names")?,
        place: place.clone(),
    })
}

fn callback(table: &Table, place: &Place) -> Result<Callback, Problem> {
    let kind = table.need("callback_type", place)?;
    let trigger = match kind.text()? {
        "timer_callback" => {
            let period = table.need("period_ns", place)?;
            let wrong = || Problem::new("a period must be positive", &period.place, "here");
            match i64::try_from(period.count().map_err(|_| wrong())?) {
                Ok(period_ns @ 1..) => Trigger::Timer { period_ns },
                _ => return Err(wrong()),
            }
        }
        "subscription_callback" => {
            Trigger::Subscription { topic: text(table, place, "topic_name")? }
        }
        "service_callback" => Trigger::Service { name: text(table, place, "service_name")? },
        other => {
            let message = format!("the type \"{other}\" of callback is not known");
            return Err(Problem::new(message, &kind.place, "here")
                .help("known are timer_callback, subscription_callback and service_callback"));
        }
    };
    let order = table.get("construction_order").map(Item::count).transpose()?;
    Ok(Callback {
        name: text(table, place, "callback_name")?,
        trigger,
        symbol: defined(table, "symbol")?,
        construction_order: order.unwrap_or(0),
        place: place.clone(),
    })
}

fn publish(table: &Table, place: &Place) -> Result<Publish, Problem> {
    let callbacks = texts(table, "callback_names")?;
    Ok(Publish { topic: text(table, place, "topic_name")?, callbacks })
}

fn subscribe(table: &Table, place: &Place) -> Result<Subscribe, Problem> {
    let callback = defined(table, "callback_name")?;
    Ok(Subscribe { topic: text(table, place, "topic_name")?, callback })
}

fn variable_passing(table: &Table, _: &Place) -> Result<Option<VariablePassing>, Problem> {
    let ends = (defined(table, "callback_name_write")?, defined(table, "callback_name_read")?);
    Ok(match ends {
        (Some(write), Some(read)) => Some(VariablePassing { write, read }),
        _ => None,
    })
}

fn message_context(table: &Table, place: &Place) -> Result<MessageContext, Problem> {
    let kind = match table.get("context_type") {
        None => None,
        Some(item) => match item.text()? {
            UNDEFINED => None,
            "use_latest_message" => Some(ContextKind::UseLatestMessage),
            "callback_chain" | "inherit_unique_stamp" => Some(ContextKind::CallbackChain),
            "tilde" => Some(ContextKind::Tilde),
            other => {
                let message = format!("the type \"{other}\" of message context is not known");
                return Err(Problem::new(message, &item.place, "here")
                    .help("known are use_latest_message, callback_chain, tilde and UNDEFINED"));
            }
        },
    };
    Ok(MessageContext {
        kind,
        subscription_topic: text(table, place, "subscription_topic_name")?,
        publisher_topic: text(table, place, "publisher_topic_name")?,
    })
}

fn path(table: &Table, place: &Place) -> Result<NamedPath, Problem> {
    let name = text(table, place, "path_name")?;
    Ok(NamedPath { name, nodes: list(table, "node_chain", path_node)?, place: place.clone() })
}

fn path_node(table: &Table, place: &Place) -> Result<PathNode, Problem> {
    Ok(PathNode {
        node: text(table, place, "node_name")?,
        subscribe_topic: defined(table, "subscribe_topic_name")?,
        publish_topic: defined(table, "publish_topic_name")?,
        place: place.clone(),
    })
}
