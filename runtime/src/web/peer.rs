//! Where a request comes from, as far as rates are counted by it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::request::Parts;

/// The other end of the connection; put into each request by the listener.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// The address that rates are counted by. A forwarded one is believed only behind a proxy, and of the forwarded ones only
/// the last, which the proxy itself wrote: a client writes what it likes into the others.
pub(super) fn address(parts: &Parts, behind_proxy: bool) -> IpAddr {
    let forwarded = || {
        let header = parts.headers.get_all("x-forwarded-for").into_iter().next_back()?;
        let last = header.to_str().ok()?.rsplit(',').next()?.trim();
        last.parse().ok().or_else(|| last.parse::<SocketAddr>().ok().map(|address| address.ip()))
    };
    let peer = parts.extensions.get::<Peer>().map(|peer| peer.0);
    let address = if behind_proxy { forwarded().or(peer) } else { peer };
    // Without a listener there is no peer: tests ask the router itself.
    network(address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)))
}

/// One household of IPv6 has 2⁶⁴ addresses and is one client all the same.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn seen(peer: &str, forwarded: &[&str], behind_proxy: bool) -> String {
        let mut request = Request::builder();
        for value in forwarded {
            request = request.header("x-forwarded-for", *value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        parts.extensions.insert(Peer(peer.parse().unwrap()));
        address(&parts, behind_proxy).to_string()
    }

    #[test]
    fn forwarded_addresses_are_believed_only_behind_a_proxy() {
        assert_eq!(seen("192.0.2.1", &["198.51.100.7"], false), "192.0.2.1");
        assert_eq!(seen("192.0.2.1", &["198.51.100.7"], true), "198.51.100.7");
        assert_eq!(seen("192.0.2.1", &["1.1.1.1, 198.51.100.7"], true), "198.51.100.7");
        assert_eq!(seen("192.0.2.1", &["1.1.1.1", "2.2.2.2,198.51.100.7:4711"], true), "198.51.100.7");
        assert_eq!(seen("192.0.2.1", &["unknown"], true), "192.0.2.1");
        assert_eq!(seen("192.0.2.1", &[], true), "192.0.2.1");
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        assert_eq!(seen("2001:db8:1:2:3:4:5:6", &[], false), "2001:db8:1:2::");
        assert_eq!(seen("::ffff:192.0.2.1", &[], false), "192.0.2.1");
        assert_eq!(seen("192.0.2.1", &["[2001:db8:1:2::9]:80"], true), "2001:db8:1:2::");
    }
}
