from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class FieldProblem(TypedDict):
    """One field of a request that was refused."""

    field: str
    message: str


class TollgateError(Exception):
    """Every failure of a call. Branch on `code`; the message is for people.

    The codes come from the service, such as `WALLET_EMPTY`; the API reference lists them. The client adds
    `CONNECTION_ERROR`, `TIMEOUT`, `INVALID_ANSWER` and `INVALID_SIGNATURE`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        request_id: str | None = None,
        retryable: bool = False,
        retry_after_seconds: float | None = None,
        fields: Sequence[FieldProblem] = (),
        body: object = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        """HTTP status; 0 when no answer arrived."""
        self.request_id = request_id
        """Names the request in the service's logs and in its request list."""
        self.retryable = retryable
        """Whether the same request may succeed later."""
        self.retry_after_seconds = retry_after_seconds
        self.fields = tuple(fields)
        """The fields that did not validate."""
        self.body = body
        """The body of the answer."""

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
