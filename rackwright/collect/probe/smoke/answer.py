"""One server of generated text on one accelerator: ``python -m rackwright_smoke.answer KIND INDEX``, on a free port of
the loopback.

It implements the part of the OpenAI completions protocol that its clients need: ``POST /v1/completions`` with token
numbers as prompt, answers word by word as server-sent events. It uses plain PyTorch and the standard library instead of
vLLM: it needs no weights, runs on every stack and generates the same words every time, so that accelerators can be
compared. Its first line of output is its port as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from . import device as devices
from . import tiny

PATH = "/v1/completions"
BAD, MISSING = 400, 404


class Writer:
    """Generates words after a prompt, one request at a time, always the most likely word."""

    def __init__(self, kind: str, index: int) -> None:
        self._torch = devices.torch()
        self._kind = kind
        self._place = devices.place(self._torch, kind, index)
        shape = tiny.SMALL if kind == "cpu" else tiny.Shape()
        self._model = tiny.build(self._torch, shape).to(self._place)
        self._turn = threading.Lock()
        self.words = shape.words
        self.product = devices.name(self._torch, kind, index)
        self.tool = devices.tool(self._torch)

    def write(self, prompt: list[int], most: int) -> Any:
        """Yield up to `most` words as they are generated."""
        torch = self._torch
        with self._turn, torch.no_grad():
            words = torch.tensor([prompt], device=self._place)
            for _ in range(most):
                with torch.autocast(device_type=self._kind, dtype=torch.bfloat16):
                    logits = self._model(words)
                newest = logits[0, -1].float().argmax().reshape(1, 1)
                words = torch.cat([words, newest], dim=1)
                yield int(newest)


class CompletionHandler(BaseHTTPRequestHandler):
    """Handler of one HTTP request."""

    writer: Writer

    def do_POST(self) -> None:
        """Generate the completion and stream it as server-sent events."""
        if self.path != PATH:
            self.send_error(MISSING)
            return
        try:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt, most = [int(token) % self.writer.words for token in question["prompt"]], int(question["max_tokens"])
        except (ValueError, KeyError, TypeError):
            self.send_error(BAD)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for word in self.writer.write(prompt, most):
            self._event(json.dumps({"object": "text_completion", "choices": [{"index": 0, "token_ids": [word]}]}))
        self._event("[DONE]")

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_words: Any) -> None:
        """Log nothing: the client reports requests."""


def main(words: list[str]) -> int:
    """Serve until this process is ended."""
    CompletionHandler.writer = Writer(words[0], int(words[1]))
    list(CompletionHandler.writer.write([1, 2, 3], 8))
    server = ThreadingHTTPServer(("127.0.0.1", 0), CompletionHandler)
    ready = {
        "port": server.server_address[1],
        "product_name": CompletionHandler.writer.product,
        "tool": CompletionHandler.writer.tool,
    }
    print(json.dumps(ready), flush=True)
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
