//! Which address does what. Guards come first: [`guard`] for all, [`keyed`] for all that is asked
//! under a key.

use crate::Error;
use crate::answer;
use crate::assets::ASSETS;
use crate::body::{self, LARGEST_JSON, linger};
use crate::guard::{REPORT_POLICY, dress, guard, keyed};
use crate::jobs::Job;
use crate::name::PlainName;
use crate::protocol::{
    AttackRequest, ExplainRequest, FileList, FrontierRequest, PlanRequest, PublishRequest,
    ReportKind, ReportLinks, ReportRequest, SaveRequest, Session, SessionRequest,
};
use crate::session::SessionId;
use crate::site::Site;
use crate::stream::stream;
use crate::upload::receive;
use crate::workbench::{Refusal, Workbench};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post, put};
use mingle_record::ProblemCode;
use mingle_record::answer::ExplainedCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout;

type Shared = State<Arc<Site>>;

const LARGEST_TOKEN: u64 = 1024;
const FILES: &str = "/api/files/";

/// All addresses.
pub(crate) fn router(site: Arc<Site>) -> Router {
    let asked = questions()
        .merge(streams())
        .route_layer(from_fn_with_state(Arc::clone(&site), keyed));
    let shell = ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(
            asset.path,
            get(|| async { answer::typed(StatusCode::OK, asset.kind, asset.bytes) }),
        )
    });
    shell
        .merge(asked)
        .route("/api/session", post(session))
        .route("/report/{ticket}", get(report))
        .fallback(|request: Request| async move {
            answer::refuse(request.uri().path(), &Error::Address)
        })
        .method_not_allowed_fallback(|request: Request| async move {
            answer::refuse(request.uri().path(), &Error::Method)
        })
        .layer(from_fn_with_state(Arc::clone(&site), guard))
        .layer(map_response(dress))
        .with_state(site)
}

fn questions() -> Router<Arc<Site>> {
    Router::new()
        .route(
            "/api/start",
            get(|State(site): Shared| async move { told(site.ask(|w| w.start()).await) }),
        )
        .route(
            "/api/files",
            get(|State(site): Shared| async move {
                told(site.ask(|w| Ok::<_, Error>(w.files())).await)
            }),
        )
        .route("/api/files/{*name}", put(keep).delete(forget))
        .route("/api/policy", question(|w, q| w.policy(q)))
        .route("/api/propose", question(|w, q| w.propose(q)))
        .route(
            "/api/example",
            post(|State(site): Shared| async move { told(site.ask(|w| w.example()).await) }),
        )
        .route("/api/profile", question(|w, q| w.profile(q)))
        .route("/api/hierarchy", question(|w, q| w.hierarchy(q)))
        .route(
            "/api/explain",
            question(|_, q: &ExplainRequest| Ok(explain(q)?)),
        )
        .route("/api/preview", question(|w, q| w.preview(q)))
        .route("/api/coalition", question(|w, q| w.coalition(q)))
        .route(
            "/api/save",
            question(|w, q: &SaveRequest| {
                PlainName::single(&q.name)
                    .map_err(Refusal::from)
                    .and_then(|_| w.save(q))
            }),
        )
        .route("/api/report", post(tickets))
}

fn streams() -> Router<Arc<Site>> {
    Router::new()
        .route("/api/plan", job::<PlanRequest>())
        .route("/api/frontier", job::<FrontierRequest>())
        .route("/api/attack", job::<AttackRequest>())
        .route("/api/publish", job::<PublishRequest>())
}

/// What a code means is the same for every workbench.
fn explain(asked: &ExplainRequest) -> Result<ExplainedCode, Error> {
    let code = ProblemCode::parse(&asked.code).ok_or(Error::UnknownCode)?;
    Ok(ExplainedCode::from(code))
}

/// A question with a short answer.
fn question<Q, A>(ask: fn(&dyn Workbench, &Q) -> Result<A, Refusal>) -> MethodRouter<Arc<Site>>
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    post(move |State(site): Shared, request: Request| async move {
        let question: Q = read(&site, request).await?;
        told(site.ask(move |workbench| ask(workbench, &question)).await)
    })
}

/// Long work, answered line by line.
fn job<J: Job>() -> MethodRouter<Arc<Site>> {
    post(async |State(site): Shared, request: Request| {
        let session = *request.extensions().get::<SessionId>().ok_or(Error::Key)?;
        let job: J = read(&site, request).await?;
        let entry = site.jobs.enter(session, &job)?;
        Ok::<_, Error>(answer::typed(
            StatusCode::OK,
            "application/x-ndjson",
            stream(site, entry, job),
        ))
    })
}

async fn read<Q: DeserializeOwned>(site: &Site, request: Request) -> Result<Q, Error> {
    body::json(
        request.into_body(),
        LARGEST_JSON,
        site.options.stall_timeout,
    )
    .await
}

fn told<A: Serialize>(answer: Result<A, Error>) -> Result<Response, Error> {
    answer.map(|value| answer::json(StatusCode::OK, &value))
}

async fn session(State(site): Shared, request: Request) -> Result<Response, Error> {
    // whoever has no key yet gets no longer than for a head
    let patience = site.options.head_timeout;
    let asked = timeout(
        patience,
        body::json::<SessionRequest>(request.into_body(), LARGEST_TOKEN, patience),
    );
    let asked = asked.await.map_err(|_| Error::Stalled)??;
    tokio::time::sleep(site.sessions.wait(Instant::now())).await;
    let key = site
        .sessions
        .exchange(&asked.token, Instant::now())?
        .ok_or(Error::Link)?;
    told(Ok(Session { key }))
}

async fn keep(State(site): Shared, request: Request) -> Result<Response, Error> {
    let name = file_name(&request)?;
    let waits = request.headers().contains_key(header::EXPECT);
    let mut body = request.into_body();
    let kept: Result<FileList, Error> = receive(&site, name, &mut body).await;
    if matches!(kept, Err(Error::Upload { .. })) && !waits {
        tokio::spawn(linger(body));
    }
    told(kept)
}

async fn forget(State(site): Shared, request: Request) -> Result<Response, Error> {
    let name = file_name(&request)?;
    told(
        site.ask(move |workbench| workbench.forget(name.as_str()))
            .await,
    )
}

/// From the address as it was sent, so that it is decoded once.
fn file_name(request: &Request) -> Result<PlainName, Error> {
    let address = request.uri();
    // a question mark that belongs to the name was not encoded
    if address.query().is_some() {
        return Err(Error::Encoding);
    }
    PlainName::from_address(address.path().strip_prefix(FILES).ok_or(Error::Address)?)
}

async fn tickets(State(site): Shared, request: Request) -> Result<Response, Error> {
    let asked: ReportRequest = read(&site, request).await?;
    PlainName::single(&asked.name)?;
    let (public, private) = site
        .ask(move |workbench| {
            let report = |kind| workbench.report(&asked, kind);
            Ok::<_, Refusal>((report(ReportKind::Public)?, report(ReportKind::Private)?))
        })
        .await?;
    let address = |html| {
        site.tickets
            .add(html, Instant::now())
            .map(|ticket| format!("/report/{ticket}"))
    };
    told(Ok(ReportLinks {
        public: address(public)?,
        private: address(private)?,
    }))
}

async fn report(State(site): Shared, request: Request) -> Response {
    let path = request.uri().path();
    // whoever only asks for the head must not use the ticket up
    if request.method() != Method::GET {
        return answer::refuse(path, &Error::Method);
    }
    let ticket = path.strip_prefix("/report/").unwrap_or_default();
    let Some(html) = site.tickets.take(ticket, Instant::now()) else {
        return answer::refuse(path, &Error::Ticket);
    };
    let mut response = answer::typed(StatusCode::OK, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(REPORT_POLICY),
    );
    // by the HTML standard a sandboxed document that asks for an opener policy is not shown
    // (Chromium shows it)
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("unsafe-none"),
    );
    response.into_response()
}
