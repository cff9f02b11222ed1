//! Architecture files of CARET, right and wrong.

mod reference;

use std::sync::Arc;

use ironbird_document::Source;
use ironbird_traces::caret::{Architecture, ContextKind, ExecutorKind, Trigger};

const SMALL: &str = "\
named_paths:
- path_name: p
  node_chain:
  - node_name: /a
    publish_topic_name: /t
    subscribe_topic_name: UNDEFINED
  - node_name: /b
    publish_topic_name: UNDEFINED
    subscribe_topic_name: /t
executors:
- executor_type: single_threaded_executor
  executor_name: e
  callback_group_names: [/a/g, /b/g]
nodes:
- node_name: /a
  callback_groups:
  - callback_group_type: mutually_exclusive
    callback_group_name: /a/g
    callback_names: [/a/c]
  callbacks:
  - callback_name: /a/c
    callback_type: timer_callback
    period_ns: 1000
    symbol: A
  publishes:
  - topic_name: /t
    callback_names: [/a/c]
- node_name: /b
  callback_groups:
  - callback_group_type: reentrant
    callback_group_name: /b/g
    callback_names: [/b/c]
  callbacks:
  - callback_name: /b/c
    callback_type: subscription_callback
    topic_name: /t
    symbol: B
  subscribes:
  - topic_name: /t
    callback_name: /b/c
";

fn parse(text: &str) -> Result<Architecture, String> {
    let source = Source { name: "a.yaml".into(), folder: ".".into(), text: text.to_owned() };
    Architecture::parse(&Arc::new(source)).map_err(|problems| problems.to_string())
}

/// The message after `from` was replaced by `to`.
fn message(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from} is there to be replaced");
    parse(&SMALL.replacen(from, to, 1)).map(|_| ()).unwrap_err()
}

#[test]
fn a_small_architecture_is_read() {
    let small = parse(SMALL).unwrap();
    assert_eq!(small.executors[0].kind, ExecutorKind::SingleThreaded);
    assert!(!small.nodes[0].groups[0].is_reentrant && small.nodes[1].groups[0].is_reentrant);
    assert_eq!(small.nodes[0].callbacks[0].trigger, Trigger::Timer { period_ns: 1000 });
    assert_eq!(small.paths[0].nodes[1].subscribe_topic.as_deref(), Some("/t"));
    assert_eq!(small.paths[0].nodes[1].publish_topic, None);
}

#[test]
fn mistakes_are_told_with_their_lines() {
    assert_eq!(message("period_ns: 1000", "period_ns: 0"), "a.yaml:23: a period must be positive");
    assert_eq!(message("period_ns: 1000", "period_ns: -5"), "a.yaml:23: a period must be positive");
    assert!(message("single_threaded_ex", "x").contains("a.yaml:11: the type \"xecutor\""));
    assert!(message("[/a/g, /b/g]", "[/a/h]").contains("no callback group \"/a/h\""));
    assert!(message("callback_names: [/a/c]", "callback_names: [/a/d]").starts_with("a.yaml:17:"));
    assert!(
        message("- node_name: /b\n    publish", "- node_name: /c\n    publish")
            .contains("a.yaml:7: there is no node \"/c\"")
    );
    assert!(message("publish_topic_name: /t", "publish_topic_name: /u").contains("is broken"));
    assert!(message("    symbol: B\n", "   symbol: B\n").contains("not YAML"));
    assert!(parse("").unwrap_err().contains("empty"));
    assert!(parse("{}").unwrap_err().contains("no nodes"));
    assert!(parse("[1, 2]").unwrap_err().contains("expected a table"));
}

#[test]
fn a_cyclic_path_is_told() {
    let stage =
        "  - node_name: /b\n    publish_topic_name: UNDEFINED\n    subscribe_topic_name: /t\n";
    let again = "  - node_name: /b\n    publish_topic_name: /t\n    subscribe_topic_name: /t\n";
    let text = SMALL.replacen(stage, &again.repeat(2), 1);
    let text = text.replace("  subscribes:", "  publishes:\n  - topic_name: /t\n  subscribes:");
    let told = parse(&text).map(|_| ()).unwrap_err();
    assert_eq!(
        told,
        "a.yaml:10: the path \"p\" is cyclic: it comes twice through the publisher of /b of /t"
    );
}

#[test]
fn a_file_that_repeats_itself_without_end_is_refused() {
    let bomb = "a: &a [1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned()
        + &(0..20)
            .map(|n| {
                let (old, new) = ((b'a' + n) as char, (b'b' + n) as char);
                let aliases = vec![format!("*{old}"); 8].join(", ");
                format!("{new}: &{new} [{aliases}]\n")
            })
            .collect::<String>();
    assert!(parse(&bomb).unwrap_err().contains("more than 1000000 values"));
    assert!(parse(&"[".repeat(100_000)).is_err());
}

#[test]
fn the_sample_of_caret_is_read_whole() {
    let Some(folder) = reference::caret() else { return };
    let sample = Architecture::read(&folder.join("architecture.yaml")).unwrap();
    assert_eq!((sample.nodes.len(), sample.executors.len(), sample.paths.len()), (6, 1, 1));
    assert_eq!(sample.executors[0].kind, ExecutorKind::MultiThreaded);
    assert_eq!(sample.nodes.iter().map(|node| node.callbacks.len()).sum::<usize>(), 8);
    let driven = sample.node("/message_driven_node").unwrap();
    assert!(driven.publishes[0].callbacks.is_empty() && driven.variable_passings.is_empty());
    assert_eq!(driven.message_contexts[1].kind, Some(ContextKind::UseLatestMessage));
    let symbol = driven.callbacks[1].symbol.as_ref().unwrap();
    assert!(symbol.ends_with("> > >)#2}"), "{symbol}");
}
