//! What the Go library says of the same leaves (`tests/vectors/README.md`).

use crate::support::{hex, unhex};
use karat_nmt::{Format, Leaf, Proof, Tree, Verifier, VerifyError};
use serde_json::Value;

struct Vector {
    format: Format,
    leaves: Vec<Vec<u8>>,
    root: Vec<u8>,
    value: Value,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../vectors/go-nmt.json");
    let all: Vec<Value> = serde_json::from_str(text).unwrap();
    all.into_iter()
        .map(|value| Vector {
            format: Format::new(
                value["namespace_size"].as_u64().unwrap() as u8,
                value["ignore_max"].as_bool().unwrap(),
            ),
            leaves: (value["leaves"].as_array().unwrap().iter())
                .map(|l| unhex(l.as_str().unwrap()))
                .collect(),
            root: unhex(value["root"].as_str().unwrap()),
            value,
        })
        .collect()
}

impl Vector {
    fn leaves(&self) -> Vec<Leaf<'_>> {
        let leaf = |l| Leaf::prefixed(self.format, l).unwrap();
        self.leaves.iter().map(|l| leaf(l)).collect()
    }
}

#[test]
fn roots_and_subtree_roots() {
    let mut subtrees = 0;
    for vector in vectors() {
        let tree: Tree = Tree::of(vector.format, &vector.leaves()).unwrap();
        assert_eq!(hex(tree.root()), hex(&vector.root));
        let Some(known) = vector.value["subtrees"].as_object() else {
            continue;
        };
        for (range, root) in known {
            let (start, end) = range.split_once("..").unwrap();
            let range = start.parse().unwrap()..end.parse().unwrap();
            assert_eq!(
                hex(&tree.subtree_root(range).unwrap()),
                root.as_str().unwrap()
            );
            subtrees += 1;
        }
    }
    assert!(subtrees > 30);
}

#[test]
fn proofs_and_their_forms() {
    let (mut absent, mut outside) = (0, 0);
    for vector in vectors() {
        let (format, leaves) = (vector.format, vector.leaves());
        let tree: Tree = Tree::of(format, &leaves).unwrap();
        let verifier: Verifier<'_> = Verifier::new(format, &vector.root).unwrap();
        let sized = verifier.of_leaves(leaves.len() as u64);
        for known in vector.value["proofs"].as_array().unwrap() {
            let protobuf = unhex(known["protobuf"].as_str().unwrap());
            let Some(namespace) = known["namespace"].as_str() else {
                let number = |name: &str| known[name].as_u64().unwrap_or(0) as usize;
                let range = number("start")..number("end");
                let proof = tree.prove_range(range.clone()).unwrap();
                check_forms(&proof, &protobuf, &known["proof"]);
                verifier.leaves(&proof, &leaves[range.clone()]).unwrap();
                sized.leaves(&proof, &leaves[range]).unwrap();
                continue;
            };
            let namespace = unhex(namespace);
            let proof = tree.prove_namespace(&namespace).unwrap();
            check_forms(&proof, &protobuf, &known["proof"]);
            let data: Vec<&[u8]> = (leaves.iter())
                .filter(|l| l.namespace == namespace)
                .map(|l| l.data)
                .collect();
            absent += usize::from(proof.is_of_absence());
            outside += usize::from(proof.is_empty());
            let is_ignored = format.ignores_max() && namespace.iter().all(|b| *b == 0xff);
            for verifier in [verifier, sized] {
                let found = verifier.namespace(&proof, &namespace, &data);
                if is_ignored && !leaves.is_empty() {
                    // An empty proof with data is refused for its data.
                    assert!(
                        found == Err(VerifyError::IgnoredNamespace)
                            || matches!(found, Err(VerifyError::Leaves { .. }))
                    );
                } else {
                    found.unwrap();
                }
            }
        }
    }
    assert!(absent > 3 && outside > 10, "{absent} {outside}");
}

fn check_forms(proof: &Proof, protobuf: &[u8], json: &Value) {
    assert_eq!(hex(&proof.to_protobuf()), hex(protobuf));
    assert_eq!(Proof::from_protobuf(protobuf).unwrap(), *proof);
    check_json(proof, json);
}

#[cfg(feature = "serde")]
fn check_json(proof: &Proof, json: &Value) {
    assert_eq!(serde_json::to_value(proof).unwrap(), *json);
    assert_eq!(
        serde_json::from_value::<Proof>(json.clone()).unwrap(),
        *proof
    );
}

#[cfg(not(feature = "serde"))]
fn check_json(_: &Proof, _: &Value) {}

/// As `TestVerifyNamespace_ShortAbsenceProof_Valid` and `_Invalid` of the Go library build
/// them: a node above the leaf stands for it, at its place in its own level.
#[test]
fn short_proofs_of_absence() {
    let check = |namespaces: [u8; 8], absent: u8, holds: [bool; 3]| {
        let format = Format::new(1, true);
        let namespaces = namespaces.map(|n| [n]);
        let leaves: Vec<Leaf<'_>> = namespaces.iter().map(|n| Leaf::new(n, b"data")).collect();
        let tree: Tree = Tree::of(format, &leaves).unwrap();
        let node = |range| tree.subtree_root(range).unwrap();
        let full = tree.prove_namespace(&[absent]).unwrap();
        let short =
            |start, leaf, nodes| Proof::from_parts(start..start + 1, nodes, Some(leaf), true);
        let proofs = [
            full,
            short(2, node(4..6), vec![node(0..4), node(6..8)]),
            short(1, node(4..8), vec![node(0..4)]),
        ];
        let verifier: Verifier<'_> = Verifier::new(format, tree.root()).unwrap();
        for (index, (proof, holds)) in proofs.iter().zip(holds).enumerate() {
            assert_eq!(verifier.namespace(proof, &[absent], &[]).is_ok(), holds);
            let sized = verifier.of_leaves(8).namespace(proof, &[absent], &[]);
            assert_eq!(sized.is_ok(), index == 0);
        }
    };
    check([1, 2, 3, 4, 6, 7, 8, 9], 5, [true, true, true]);
    check([1, 2, 3, 4, 6, 8, 8, 8], 7, [true, false, false]);
}

/// The order of fields is that of Go, whose writer keeps it.
#[cfg(feature = "serde")]
#[test]
fn json_text_is_that_of_go() {
    let proof = Proof::from_parts(1..2, vec![vec![0xff, 0]], Some(vec![7]), true);
    let text = r#"{"start":1,"end":2,"nodes":["/wA="],"leaf_hash":"Bw==","is_max_namespace_ignored":true}"#;
    assert_eq!(serde_json::to_string(&proof).unwrap(), text);
    assert_eq!(serde_json::from_str::<Proof>(text).unwrap(), proof);
    let with_null = r#"{"end":null,"nodes":null,"other":[1]}"#;
    let empty = Proof::empty(false);
    assert_eq!(serde_json::from_str::<Proof>(with_null).unwrap(), empty);
    for wrong in [
        r#"{"start":-1}"#,
        r#"{"start":9223372036854775808}"#,
        r#"{"nodes":["?"]}"#,
        r#"{"nodes":7}"#,
        "[]",
    ] {
        assert!(serde_json::from_str::<Proof>(wrong).is_err(), "{wrong}");
    }
    let many = format!(r#"{{"nodes":[{}]}}"#, vec![r#""""#; 127].join(","));
    assert!(serde_json::from_str::<Proof>(&many).is_err());
}
