//! Every route, in one table: the router is made from it, and so is the test that walks them all as another person.

use axum::Router;
use axum::routing::{MethodFilter, on};

use super::{
    App, belongings, calls, cards, chats, codes, companion, devices, events, flags, health, lab, live,
    messages, openapi, people, poll, push, readings, reports, rings, settings, tools, transcribe,
    voice_print,
};

/// One route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The method.
    pub method: &'static str,
    /// The path; `{chat}`, `{card}`, `{device}`, `{invite}`, `{person}`, `{reading}` stand for an id of that kind.
    pub path: &'static str,
    /// Who may ask.
    pub access: Access,
}

/// Who may ask for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Open,
    /// Who bears a token, for what is theirs.
    Signed,
    /// Who bears the operator's token.
    Operator,
}

macro_rules! routes {
    ($($method:ident $path:literal => $handler:path, $access:ident;)*) => {
        /// Every route of the server.
        pub const ROUTES: &[Route] = &[
            $(Route { method: stringify!($method), path: $path, access: Access::$access }),*
        ];

        pub(super) fn all() -> Router<App> {
            Router::new()$(.route($path, on(MethodFilter::$method, $handler)))*
        }
    };
}

routes! {
    GET    "/api/chats" => chats::list, Signed;
    POST   "/api/chats" => chats::create, Signed;
    GET    "/api/chats/{chat}" => chats::show, Signed;
    PATCH  "/api/chats/{chat}" => chats::change, Signed;
    DELETE "/api/chats/{chat}" => chats::delete, Signed;
    GET    "/api/chats/{chat}/messages" => messages::list, Signed;
    POST   "/api/chats/{chat}/messages" => messages::send, Signed;
    POST   "/api/chats/{chat}/stop" => chats::stop, Signed;
    GET    "/api/events" => events::follow, Signed;
    POST   "/api/events" => reports::report, Signed;
    GET    "/api/events/poll" => poll::poll, Signed;
    GET    "/api/cards" => cards::list, Signed;
    GET    "/api/cards/{card}" => cards::show, Signed;
    POST   "/api/cards/{card}/answer" => cards::answer, Signed;
    POST   "/api/call/invite" => calls::invite, Signed;
    GET    "/api/call/invite" => calls::ringing, Signed;
    POST   "/api/call/answer" => calls::answer, Signed;
    POST   "/api/call/cancel" => calls::cancel, Signed;
    POST   "/api/call/events" => calls::event, Signed;
    POST   "/api/call/end" => calls::end, Signed;
    GET    "/api/call/live" => live::open, Signed;
    POST   "/api/transcribe" => transcribe::transcribe, Signed;
    POST   "/transcribe" => transcribe::transcribe, Signed;
    GET    "/api/readings" => readings::list, Signed;
    POST   "/api/readings" => readings::add, Signed;
    PATCH  "/api/readings/{reading}" => readings::change, Signed;
    DELETE "/api/readings/{reading}" => readings::delete, Signed;
    GET    "/api/voice/print" => voice_print::show, Signed;
    DELETE "/api/voice/print" => voice_print::forget, Signed;
    GET    "/api/tools" => tools::list, Signed;
    GET    "/api/push/key" => push::key, Signed;
    GET    "/api/push/subscription" => push::list, Signed;
    PUT    "/api/push/subscription" => push::subscribe, Signed;
    DELETE "/api/push/subscription" => push::unsubscribe, Signed;
    POST   "/api/push/test" => push::test, Signed;
    GET    "/api/calls/{invite}/rings" => rings::show, Signed;
    GET    "/api/rings" => rings::list, Signed;
    GET    "/api/companion" => companion::show, Signed;
    PATCH  "/api/companion" => companion::change, Signed;
    GET    "/api/companion/picture" => companion::picture, Signed;
    PUT    "/api/companion/picture" => companion::put_picture, Signed;
    DELETE "/api/companion/picture" => companion::drop_picture, Signed;
    GET    "/api/export" => belongings::export, Signed;
    POST   "/api/erase" => belongings::erase, Signed;
    POST   "/api/lab/call" => lab::call, Signed;
    POST   "/api/lab/reply" => lab::reply, Signed;
    GET    "/api/settings" => settings::show, Signed;
    PATCH  "/api/settings" => settings::change, Signed;
    GET    "/api/settings/form" => settings::form, Signed;
    GET    "/api/flags" => flags::show, Signed;
    POST   "/api/flags" => flags::set, Signed;
    GET    "/api/people" => people::list, Signed;
    POST   "/api/people" => people::add, Operator;
    POST   "/api/people/{person}/links" => codes::link, Signed;
    GET    "/api/devices" => devices::list, Signed;
    POST   "/api/devices" => devices::add, Signed;
    DELETE "/api/devices/{device}" => devices::revoke, Signed;
    POST   "/api/pairings" => codes::pair, Signed;
    POST   "/api/pairings/redeem" => codes::redeem, Open;
    POST   "/api/sign-in" => codes::sign_in, Open;
    GET    "/api/openapi.json" => openapi::show, Open;
    GET    "/healthz" => health::alive, Open;
    GET    "/readyz" => health::ready, Open;
}
