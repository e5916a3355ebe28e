"""A gateway on loopback with scripted answers."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Received(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Answer:
    """`pieces` are sent one by one; the connection then breaks if `breaks`, or stays silent until the gateway stops."""

    def __init__(self, status: int, body: object = None, headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.headers = {"content-type": "application/json", **(headers or {})}
        self.pieces = [body if isinstance(body, bytes) else json.dumps(body).encode()]
        self.breaks = False
        self.is_silent = False


class Gateway:
    """Gives the answers in their order, and the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self.received: list[Received] = []
        self._released = threading.Event()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                gateway.received.append(Received(self.command, self.path, headers, body))
                answer = answers[min(len(gateway.received), len(answers)) - 1]
                self.close_connection = True
                if answer.breaks and not any(answer.pieces):
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("transfer-encoding", "chunked")
                # A client that kept the connection would send its next request into the end of it, and repeat it.
                self.send_header("connection", "close")
                self.end_headers()
                for piece in filter(None, answer.pieces):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
                if answer.is_silent:
                    gateway._released.wait(30)
                if not answer.breaks:
                    self.wfile.write(b"0\r\n\r\n")

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Gateway:
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()


def refuse(status: int, *, headers: dict[str, str] | None = None, **body: object) -> Answer:
    return Answer(status, {"error": "api_error", "message": "no", **body}, headers)


def stream(*pieces: bytes, media: str = "application/x-ndjson") -> Answer:
    answer = Answer(200, b"", {"content-type": media})
    answer.pieces = list(pieces)
    return answer


def broken() -> Answer:
    """The connection ends without an answer."""
    answer = Answer(200, b"")
    answer.breaks = True
    return answer
