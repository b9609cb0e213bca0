// A parser of requests: which features are there is an atomic byte with a value for "not asked yet",
// and each function that skips bytes matches on it.
use std::arch::x86_64::*;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

const AVX2: u8 = 1;
const SSE42: u8 = 2;
const NOP: u8 = 3;
const INIT: u8 = 0;
static FEATURE: AtomicU8 = AtomicU8::new(INIT);

#[cfg(not(BAD))]
fn detect_runtime_feature() -> u8 {
    if is_x86_feature_detected!("avx2") {
        AVX2
    } else if is_x86_feature_detected!("sse4.2") {
        SSE42
    } else {
        NOP
    }
}
// The narrower one was asked for first, and the numbers went with the order.
#[cfg(BAD)]
fn detect_runtime_feature() -> u8 {
    if is_x86_feature_detected!("sse4.2") {
        AVX2
    } else if is_x86_feature_detected!("avx2") {
        SSE42
    } else {
        NOP
    }
}
#[inline]
fn get_runtime_feature() -> u8 {
    let mut feature = FEATURE.load(Ordering::Relaxed);
    if feature == INIT {
        feature = detect_runtime_feature();
        FEATURE.store(feature, Ordering::Relaxed);
    }
    feature
}

struct Bytes<'a> {
    slice: &'a [u8],
    at: usize,
}
impl<'a> Bytes<'a> {
    fn new(slice: &'a [u8]) -> Self {
        Self { slice, at: 0 }
    }
    fn rest(&self) -> &'a [u8] {
        &self.slice[self.at..]
    }
    fn next(&mut self) -> Option<u8> {
        let byte = self.slice.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }
    fn take(&mut self, from: usize) -> &'a [u8] {
        &self.slice[from..self.at]
    }
    fn expect(&mut self, byte: u8, error: Error) -> Result<(), Error> {
        match self.next() {
            Some(next) if next == byte => Ok(()),
            Some(_) => Err(error),
            None => Err(Error::Partial),
        }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Error {
    HeaderName,
    HeaderValue,
    NewLine,
    Token,
    TooManyHeaders,
    Partial,
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::HeaderName => "invalid header name",
            Error::HeaderValue => "invalid header value",
            Error::NewLine => "invalid new line",
            Error::Token => "invalid token",
            Error::TooManyHeaders => "too many headers",
            Error::Partial => "more is to come",
        })
    }
}
fn is_uri_token(byte: u8) -> bool {
    byte > b' ' && byte != 0x7f
}
fn is_value_token(byte: u8) -> bool {
    byte >= b' ' && byte != 0x7f || byte == b'\t'
}
#[target_feature(enable = "avx2")]
unsafe fn match_uri_vectored_32(bytes: &mut Bytes<'_>) {
    while let Some(block) = bytes.rest().first_chunk::<32>() {
        // SAFETY: it has 32 bytes.
        let v = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        let low = _mm256_cmpeq_epi8(_mm256_max_epu8(v, _mm256_set1_epi8(0x21)), v);
        let del = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(0x7f));
        let good = _mm256_movemask_epi8(_mm256_andnot_si256(del, low)) as u32;
        bytes.at += good.trailing_ones() as usize;
        if good != u32::MAX {
            return;
        }
    }
}
#[target_feature(enable = "avx2")]
unsafe fn match_value_vectored_32(bytes: &mut Bytes<'_>) {
    while let Some(block) = bytes.rest().first_chunk::<32>() {
        // SAFETY: it has 32 bytes.
        let v = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        let low = _mm256_cmpeq_epi8(_mm256_max_epu8(v, _mm256_set1_epi8(0x20)), v);
        let tab = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(0x09));
        let del = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(0x7f));
        let good = _mm256_movemask_epi8(_mm256_andnot_si256(del, _mm256_or_si256(low, tab))) as u32;
        bytes.at += good.trailing_ones() as usize;
        if good != u32::MAX {
            return;
        }
    }
}
#[target_feature(enable = "sse4.2")]
unsafe fn match_uri_vectored_16(bytes: &mut Bytes<'_>) {
    while let Some(block) = bytes.rest().first_chunk::<16>() {
        // SAFETY: it has 16 bytes.
        let v = unsafe { _mm_loadu_si128(block.as_ptr().cast()) };
        let ranges = _mm_setr_epi8(0x21, 0x7e, -128, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        let index = _mm_cmpestri::<{ _SIDD_CMP_RANGES | _SIDD_NEGATIVE_POLARITY | _SIDD_LEAST_SIGNIFICANT }>(ranges, 4, v, 16);
        bytes.at += index as usize;
        if index != 16 {
            return;
        }
    }
}
fn match_uri(bytes: &mut Bytes<'_>) {
    // SAFETY: the feature was detected.
    match get_runtime_feature() {
        AVX2 => unsafe { match_uri_vectored_32(bytes) },
        SSE42 => unsafe { match_uri_vectored_16(bytes) },
        _ => {}
    }
    while bytes.rest().first().is_some_and(|byte| is_uri_token(*byte)) {
        bytes.at += 1;
    }
}
fn match_value(bytes: &mut Bytes<'_>) {
    if get_runtime_feature() == AVX2 {
        // SAFETY: the feature was detected.
        unsafe { match_value_vectored_32(bytes) }
    }
    while bytes.rest().first().is_some_and(|byte| is_value_token(*byte)) {
        bytes.at += 1;
    }
}
#[derive(Debug, Default)]
struct Request<'b> {
    method: &'b str,
    path: &'b [u8],
    headers: Vec<(&'b str, &'b [u8])>,
}
impl<'b> Request<'b> {
    const MAX_HEADERS: usize = 8;
    fn parse(&mut self, buf: &'b [u8]) -> Result<usize, Error> {
        let mut bytes = Bytes::new(buf);
        self.method = Self::word(&mut bytes, b' ', Error::Token)?;
        let from = bytes.at;
        match_uri(&mut bytes);
        self.path = bytes.take(from);
        bytes.expect(b' ', Error::Token)?;
        Self::word(&mut bytes, b'\r', Error::NewLine)?;
        bytes.expect(b'\n', Error::NewLine)?;
        while !bytes.rest().starts_with(b"\r\n") {
            if self.headers.len() == Self::MAX_HEADERS {
                return Err(Error::TooManyHeaders);
            }
            let name = Self::word(&mut bytes, b':', Error::HeaderName)?;
            bytes.expect(b' ', Error::HeaderValue)?;
            let from = bytes.at;
            match_value(&mut bytes);
            self.headers.push((name, bytes.take(from)));
            bytes.expect(b'\r', Error::HeaderValue)?;
            bytes.expect(b'\n', Error::NewLine)?;
        }
        Ok(bytes.at + 2)
    }
    fn word(bytes: &mut Bytes<'b>, end: u8, error: Error) -> Result<&'b str, Error> {
        let from = bytes.at;
        loop {
            match bytes.next() {
                None => return Err(Error::Partial),
                Some(byte) if byte == end => break,
                Some(byte) if is_uri_token(byte) => {}
                Some(_) => return Err(error),
            }
        }
        std::str::from_utf8(&bytes.slice[from..bytes.at - 1]).map_err(|_| error)
    }
}
fn main() {
    let mut requests: Vec<Vec<u8>> = [
        "GET /a/long/path/that/is/longer/than/thirty-two/bytes?and=a&query=string HTTP/1.1\r\nHost: example.org\r\nUser-Agent: a browser of some kind, with a long, long comment (and parentheses)\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 0\r\nX: \x01bad value that is not so short as to fit in a vector\r\n\r\n",
        "PUT /unfinished HTTP/1.1\r\nAcc",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    requests.extend(std::env::args().skip(1).map(|arg| format!("GET /{arg} HTTP/1.0\r\n\r\n").into_bytes()));
    for buf in &requests {
        let mut request = Request::default();
        match request.parse(buf) {
            Ok(size) => println!("{} {} bytes of path, {size} in all, {} headers", request.method, request.path.len(), request.headers.len()),
            Err(error) => println!("{error} behind {} headers", request.headers.len()),
        }
    }
}
