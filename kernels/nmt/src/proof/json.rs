//! The form of proofs in JSON, which the Go library's `MarshalJSON` writes: names as in
//! protobuf, bytes in base64, and what is zero or empty left out.

use super::{Proof, protobuf};
use alloc::string::String;
use alloc::vec::Vec;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

#[derive(Serialize, Deserialize)]
struct Form {
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<Base64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaf_hash: Option<Base64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_max_namespace_ignored: Option<bool>,
}

struct Base64(Vec<u8>);

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Self).map_err(de::Error::custom)
    }
}

impl Serialize for Proof {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |n: u64| (n != 0).then_some(n);
        let bytes = |bytes: &Vec<u8>| Base64(bytes.clone());
        Form {
            start: number(self.range.start),
            end: number(self.range.end),
            nodes: (!self.nodes.is_empty()).then(|| self.nodes.iter().map(bytes).collect()),
            leaf_hash: self.leaf_hash.as_ref().map(bytes),
            is_max_namespace_ignored: self.ignores_max.then_some(true),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Proof {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        let number = |n: Option<u64>| {
            protobuf::leaf_number(n.unwrap_or(0))
                .map_err(de::Error::custom::<protobuf::DecodeError>)
        };
        let nodes = form.nodes.unwrap_or_default();
        protobuf::check_nodes(nodes.len()).map_err(de::Error::custom)?;
        Ok(Self {
            range: number(form.start)?..number(form.end)?,
            nodes: nodes.into_iter().map(|node| node.0).collect(),
            leaf_hash: form.leaf_hash.map(|leaf| leaf.0).filter(|l| !l.is_empty()),
            ignores_max: form.is_max_namespace_ignored.unwrap_or(false),
        })
    }
}
