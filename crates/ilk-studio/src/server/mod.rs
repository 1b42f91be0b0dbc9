//! The server: HTTP on this machine alone, for who has the token of the start URL.

mod connections;
mod guard;
mod routes;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use tokio::net::TcpListener;

use crate::studio::Studio;
use crate::{Listening, Serving};
use guard::Guard;

/// Answers until `stops`.
pub(crate) fn serve(studio: Arc<Studio>, serving: Serving) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_io()
        .enable_time()
        .build()
        .context("the server could not be started")?;
    let fits = Arc::clone(&studio.fits);
    let result = runtime.block_on(async move {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, serving.port));
        let listener = TcpListener::bind(wanted).await.with_context(|| {
            format!(
                "port {} is taken; give another one with --port, or 0 for a free one",
                serving.port
            )
        })?;
        let port = listener.local_addr()?.port();
        let guard = Arc::new(Guard::new(port)?);
        (serving.listening)(&Listening { url: guard.start_url() });
        let router = routes::router(studio, guard);
        let patience = serving.patience;
        tokio::select! {
            () = connections::accept(listener, router, patience) => {}
            () = stopped(serving.stops) => {}
        }
        Ok(())
    });
    fits.stop();
    // Whoever waits for a fit waits no more; a page that listens is cut off.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    result
}

/// Ends when it is time.
async fn stopped(stops: fn() -> bool) {
    while !stops() {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}
