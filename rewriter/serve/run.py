"""Runs the service until it is told to stop."""

from __future__ import annotations

import logging
import sys
from typing import Any

import uvicorn

from rewriter.serve.app import build_app
from rewriter.serve.settings import ServeOptions

log = logging.getLogger("gender_fair.serve")

#: seconds beyond the limit of a request that a stop waits for those that run
_GRACE = 5
#: seconds after which an idle connection is closed. Uvicorn's 5 are too few: when rewriting holds Python's lock or the
#: machine is overloaded, the loop may see that time before it sees the request that has come meanwhile, and resets it
_IDLE = 75


def serve(options: ServeOptions, *, quiet: bool = False) -> int:
    """Serve until SIGTERM or SIGINT, which let the requests that run come to their end.

    Args:
        options: what is served.
        quiet: log warnings and errors alone.

    Returns:
        0, or 4 where the address cannot be had.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s", level=logging.WARNING)
    level = logging.WARNING if quiet else logging.INFO
    for name in ("gender_fair.serve", "uvicorn.error"):
        logging.getLogger(name).setLevel(level)
    if not options.is_local and not options.token:
        log.warning("whoever reaches %s may use this service; give it a token (see --token-file)", options.host)
    server = uvicorn.Server(server_config(options))
    server.run()
    return 0 if server.started else 4


def server_config(options: ServeOptions) -> Any:
    """Return how uvicorn serves the application.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    return uvicorn.Config(
        build_app(options),
        host=options.host,
        port=options.port,
        log_config=None,
        access_log=False,  # its lines hold the query, and with it words of users
        server_header=False,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=int(options.limits.seconds) + _GRACE,
    )
