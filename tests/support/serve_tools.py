"""A service on a real port, in a thread of the test process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def running(options: Any = None) -> Iterator[str]:
    """Serve until the end of the block; yield the address."""
    import uvicorn

    from rewriter.serve.app import build_app

    server = uvicorn.Server(uvicorn.Config(build_app(options), port=0, log_config=None, timeout_graceful_shutdown=10))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
