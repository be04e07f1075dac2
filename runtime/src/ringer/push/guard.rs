//! Where pushes may go. An endpoint is an address that somebody hands the server, so it leads to a known push service or
//! nowhere: its host is parsed and compared, never looked for in the text, when it is kept and again when it is used.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use reqwest::Url;

/// The push services of the browsers. A pattern that begins with `*.` means every host under that name.
pub const KNOWN: &[&str] = &[
    // Chrome, Edge on Android, Opera, Samsung Internet and most others.
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.services.mozilla.com",
    "web.push.apple.com",
    "*.push.apple.com",
    // Edge on Windows.
    "*.notify.windows.com",
];

/// How long an endpoint may be, in bytes; the longest seen have some 800.
const MAX_BYTES: usize = 2048;

/// Where pushes may go.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// An endpoint that may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The address, as it is kept.
    pub url: Url,
    /// Its origin, for which signatures are made.
    pub origin: String,
    /// Whether the operator named its origin: a service of their own, which may be anywhere.
    pub own: bool,
}

impl Endpoint {
    /// Its host, for people: the rest of an endpoint is a secret.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Whether its service takes no push from somebody who does not say how to be reached: Apple's and Mozilla's.
    #[must_use]
    pub fn wants_subject(&self) -> bool {
        let services = ["*.push.apple.com", "*.push.services.mozilla.com"];
        !self.own && services.iter().any(|known| matches(known, self.host()))
    }
}

/// Why an endpoint may not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is no address.
    NoUrl,
    /// It is longer than any endpoint.
    TooLong,
    /// It does not begin with `https://`.
    NotHttps,
    /// It names another port than 443.
    Port(u16),
    /// It holds a name or a password.
    UserInfo,
    /// It holds a fragment.
    Fragment,
    /// Its host is an IP address.
    Address(String),
    /// Its host is not written plainly: in capitals, with escapes, in another script, with a point at its end.
    NotPlain,
    /// Its host is no push service that is known here.
    Unknown(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUrl => f.write_str("endpoint is no address"),
            Self::TooLong => write!(f, "endpoint has more than {MAX_BYTES} bytes"),
            Self::NotHttps => f.write_str("endpoint must begin with https://"),
            Self::Port(port) => write!(f, "endpoint names port {port}; push services are reached at 443"),
            Self::UserInfo => f.write_str("endpoint holds a name or a password"),
            Self::Fragment => f.write_str("endpoint holds a fragment"),
            Self::Address(host) => write!(f, "endpoint leads to the address {host}, not to a push service"),
            Self::NotPlain => f.write_str("endpoint's host is not written as a browser writes it"),
            Self::Unknown(host) => write!(f, "{host} is no push service that is known here"),
        }
    }
}

impl Guard {
    /// The known services, further hosts (`push.example.org`, or `*.example.org` for all under it), and further origins,
    /// which alone may be plain HTTP, have another port or be an address: see [`host`] and [`origin`].
    #[must_use]
    pub fn new(hosts: Vec<String>, origins: Vec<String>) -> Self {
        Self { hosts, origins }
    }

    /// The further hosts.
    #[must_use]
    pub fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// The further origins.
    #[must_use]
    pub fn origins(&self) -> &[String] {
        &self.origins
    }

    /// Checks an endpoint.
    ///
    /// # Errors
    /// Why it may not be used.
    pub fn check(&self, endpoint: &str) -> Result<Endpoint, Refusal> {
        if endpoint.len() > MAX_BYTES {
            return Err(Refusal::TooLong);
        }
        let url = Url::parse(endpoint).map_err(|_| Refusal::NoUrl)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(Refusal::Fragment);
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(Refusal::NoUrl)?.to_owned();
        let origin = url.origin().ascii_serialization();
        let own = self.origins.contains(&origin);
        if !own {
            if url.scheme() != "https" {
                return Err(Refusal::NotHttps);
            }
            if let Some(port) = url.port() {
                return Err(Refusal::Port(port));
            }
            if host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok() {
                return Err(Refusal::Address(host));
            }
        }
        // A parser forgives much: tabs, backslashes, capitals, escapes. A browser's endpoint needs nothing forgiven, and
        // two readers cannot disagree about what is written plainly.
        let plain = [origin.clone(), format!("{origin}:443")];
        let after = plain.iter().filter_map(|plain| endpoint.strip_prefix(plain.as_str())).find(|rest| {
            rest.starts_with('/') && !rest.contains('\\') && rest.bytes().all(|byte| byte.is_ascii_graphic())
        });
        if after.is_none() || host.ends_with('.') {
            return Err(Refusal::NotPlain);
        }
        if own || self.is_service(&host) {
            return Ok(Endpoint { url, origin, own });
        }
        Err(Refusal::Unknown(host))
    }

    /// Whether a host is a push service's, known or added.
    #[must_use]
    pub fn is_service(&self, host: &str) -> bool {
        KNOWN.iter().any(|known| matches(known, host)) || self.hosts.iter().any(|known| matches(known, host))
    }
}

/// Whether a host is meant by a name of the list.
fn matches(known: &str, host: &str) -> bool {
    match known.strip_prefix("*.") {
        Some(parent) => host.strip_suffix(parent).is_some_and(|sub| sub.len() > 1 && sub.ends_with('.')),
        None => host == known,
    }
}

/// Reads a host for the list: a name of two labels at least, or `*.` and one.
#[must_use]
pub fn host(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let name = text.strip_prefix("*.").unwrap_or(&text);
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let labels: Vec<&str> = name.split('.').collect();
    // The last label of an address is a number; that of a name never is.
    let named = labels.last().is_some_and(|last| last.bytes().any(|byte| byte.is_ascii_alphabetic()));
    (name.len() <= 253 && labels.len() >= 2 && named && labels.iter().all(|one| label(one))).then_some(text)
}

/// Reads an origin for the list: scheme, host and port, and nothing behind them.
#[must_use]
pub fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text.trim()).ok()?;
    let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
    let anonymous = url.username().is_empty() && url.password().is_none();
    (matches!(url.scheme(), "http" | "https") && url.has_host() && bare && anonymous)
        .then(|| url.origin().ascii_serialization())
}

/// Whether an address belongs to the world: none of this machine, of a house's network, or of no machine at all. A name
/// that leads elsewhere today was somebody's attempt to reach inside (P101).
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            !(v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_multicast()
                || v4.is_documentation()
                || a == 0
                || a >= 240
                || (a == 100 && (64..128).contains(&b))
                || (a == 198 && (b == 18 || b == 19))
                || (a == 192 && b == 0 && c == 0))
        }
        IpAddr::V6(v6) => {
            let [first, second, middle @ .., high, low] = v6.segments();
            // A network without the older kind reaches it under this name (RFC 6052).
            if (first, second) == (0x64, 0xff9b) && middle == [0; 4] {
                let [a, b] = high.to_be_bytes();
                let [c, d] = low.to_be_bytes();
                return is_public(Ipv4Addr::new(a, b, c, d).into());
            }
            // Global unicast alone, without what is set aside in it: documentation, Teredo, and 6to4, which holds an
            // address of the older kind.
            first & 0xe000 == 0x2000
                && !(first == 0x2001 && (second == 0xdb8 || second < 0x200))
                && first != 0x2002
                && !(first == 0x3fff && second < 0x1000)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new(
            vec!["push.example.org".to_owned(), "*.push.example.net".to_owned()],
            vec!["http://127.0.0.1:4711".to_owned(), "https://own.example:8443".to_owned()],
        )
    }

    #[test]
    fn known_services_pass() {
        for (endpoint, kept) in [
            ("https://fcm.googleapis.com/fcm/send/c1:APA91b-x_y", None),
            ("https://fcm.googleapis.com:443/fcm/send/a", Some("https://fcm.googleapis.com/fcm/send/a")),
            ("https://updates.push.services.mozilla.com/wpush/v2/gAAAA", None),
            ("https://eu.push.services.mozilla.com/wpush/v2/gAAAA", None),
            ("https://web.push.apple.com/QGuQyavXutnMH", None),
            ("https://wns2-by3p.notify.windows.com/w/?token=BQYA%2fx%3d", None),
            ("https://push.example.org/a", None),
            ("https://a.b.push.example.net/a", None),
            ("http://127.0.0.1:4711/push/1", None),
            ("https://own.example:8443/a", None),
        ] {
            let found = guard().check(endpoint).unwrap_or_else(|refusal| panic!("{endpoint}: {refusal}"));
            assert_eq!(found.url.as_str(), kept.unwrap_or(endpoint));
            assert!(found.url.as_str().starts_with(&found.origin));
            assert_eq!(found.own, endpoint.contains("4711") || endpoint.contains("own"), "{endpoint}");
        }
        let wants = |endpoint| guard().check(endpoint).unwrap().wants_subject();
        assert!(
            wants("https://web.push.apple.com/a") && wants("https://updates.push.services.mozilla.com/a")
        );
        assert!(!wants("https://fcm.googleapis.com/a") && !wants("http://127.0.0.1:4711/a"));
    }

    #[test]
    fn what_only_looks_like_a_service_is_refused() {
        for (endpoint, refusal) in [
            ("", Refusal::NoUrl),
            ("fcm.googleapis.com/a", Refusal::NoUrl),
            ("https://", Refusal::NoUrl),
            ("http://fcm.googleapis.com/a", Refusal::NotHttps),
            ("ftp://fcm.googleapis.com/a", Refusal::NotHttps),
            ("file:///etc/passwd", Refusal::NoUrl),
            ("https://fcm.googleapis.com:8443/a", Refusal::Port(8443)),
            ("https://10.0.0.5/x.apple.com/", Refusal::Address("10.0.0.5".to_owned())),
            ("https://10.0.0.5/web.push.apple.com", Refusal::Address("10.0.0.5".to_owned())),
            ("https://[::1]/a", Refusal::Address("[::1]".to_owned())),
            ("https://2130706433/a", Refusal::Address("127.0.0.1".to_owned())),
            ("https://0x7f.1/a", Refusal::Address("127.0.0.1".to_owned())),
            ("https://fcm.googleapis.com@10.0.0.5/a", Refusal::UserInfo),
            ("https://web.push.apple.com:x@evil.example/", Refusal::UserInfo),
            ("https://fcm.googleapis.com/a#b", Refusal::Fragment),
            ("https://evil.example#@fcm.googleapis.com/", Refusal::Fragment),
            ("https://evil.example/fcm.googleapis.com", Refusal::Unknown("evil.example".to_owned())),
            ("https://evil.example?fcm.googleapis.com/", Refusal::NotPlain),
            ("https://evil.example\\@fcm.googleapis.com/", Refusal::NotPlain),
            ("https:\\\\fcm.googleapis.com\\a", Refusal::NotPlain),
            ("https:fcm.googleapis.com/a", Refusal::NotPlain),
            ("https:///fcm.googleapis.com/a", Refusal::NotPlain),
            (" https://fcm.googleapis.com/a", Refusal::NotPlain),
            ("https://fcm.googleapis.com/a\n", Refusal::NotPlain),
            ("https://fcm.googleapis.com/\ta", Refusal::NotPlain),
            ("https://FCM.googleapis.com/a", Refusal::NotPlain),
            ("https://fcm.googleapis.com./a", Refusal::NotPlain),
            ("https://fcm%2egoogleapis.com/a", Refusal::NotPlain),
            ("https://ｆcm.googleapis.com/a", Refusal::NotPlain),
            ("https://fcm.googleapis。com/a", Refusal::NotPlain),
            ("https://fcm.googleapis.com", Refusal::NotPlain),
            ("https://fcm.googleapis.cоm/a", Refusal::NotPlain),
            ("https://xfcm.googleapis.com/a", Refusal::Unknown("xfcm.googleapis.com".to_owned())),
            (
                "https://fcm.googleapis.com.evil.example/a",
                Refusal::Unknown("fcm.googleapis.com.evil.example".to_owned()),
            ),
            ("https://evilpush.apple.com/a", Refusal::Unknown("evilpush.apple.com".to_owned())),
            ("https://.push.apple.com/a", Refusal::Unknown(".push.apple.com".to_owned())),
            ("https://notify.windows.com/a", Refusal::Unknown("notify.windows.com".to_owned())),
            ("https://localhost/a", Refusal::Unknown("localhost".to_owned())),
            ("http://127.0.0.1:4712/a", Refusal::NotHttps),
            ("http://127.0.0.1/a", Refusal::NotHttps),
            ("http://127.0.0.1:4711@evil.example/a", Refusal::UserInfo),
            ("https://own.example/a", Refusal::Unknown("own.example".to_owned())),
        ] {
            assert_eq!(guard().check(endpoint), Err(refusal), "{endpoint}");
        }
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(MAX_BYTES));
        assert_eq!(guard().check(&long), Err(Refusal::TooLong));
    }

    #[test]
    fn hosts_and_origins_of_the_list() {
        for (text, read) in [
            ("push.example.org", Some("push.example.org")),
            (" *.Example.org ", Some("*.example.org")),
            ("*.org", None),
            ("localhost", None),
            ("10.0.0.5", None),
            ("https://push.example.org", None),
            ("push.example.org/", None),
            ("push.example.org:443", None),
            ("push.*.org", None),
            ("a..org", None),
            ("*", None),
            ("", None),
        ] {
            assert_eq!(host(text).as_deref(), read, "{text}");
        }
        for (text, read) in [
            ("http://127.0.0.1:4711", Some("http://127.0.0.1:4711")),
            ("http://localhost:8090/", Some("http://localhost:8090")),
            ("https://push.example.org:443", Some("https://push.example.org")),
            ("https://push.example.org/a", None),
            ("https://ann@push.example.org", None),
            ("127.0.0.1:4711", None),
            ("unix:/a", None),
        ] {
            assert_eq!(origin(text).as_deref(), read, "{text}");
        }
    }

    /// P101: a name may lead to the world alone.
    #[test]
    fn p101_inside_addresses_are_none_of_the_world() {
        let public = |text: &str| is_public(text.parse().unwrap());
        for text in [
            "142.250.1.95",
            "17.57.144.1",
            "100.63.0.1",
            "2a00:1450:4001::5f",
            "2001:4860::1",
            "64:ff9b::8efa:15f",
        ] {
            assert!(public(text), "{text}");
        }
        for text in [
            "127.0.0.1",
            "10.0.0.5",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "192.0.2.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.5",
            "2002:a00:5::",
            "2001:db8::1",
            "2001::1",
            "64:ff9b::a00:5",
            "ff02::1",
        ] {
            assert!(!public(text), "{text}");
        }
    }
}
