//! Connections: a bounded number, each with a limit of time for whoever sends or reads too slowly.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// Connections at once; a browser opens six.
const CONNECTIONS: usize = 256;

/// Bytes of the head of a request, at most.
const HEAD: usize = 32 * 1024;

/// Takes connections for ever.
pub(super) async fn accept(listener: TcpListener, router: Router, patience: Duration) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, say: later there may be fewer.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(patience));
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(HEAD);
            // A client that breaks off is no error of the server's.
            let _ = http.serve_connection(TokioIo::new(Box::pin(stream)), service).await;
            drop(place);
        });
    }
}
