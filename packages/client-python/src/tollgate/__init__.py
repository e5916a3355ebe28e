"""The Python client of Tollgate, a gateway for AI model requests that bills your customers."""

from ._async_caller import AsyncEventStream
from ._async_client import AsyncTollgate
from ._caller import EventStream
from ._client import Tollgate
from ._error import FieldProblem, TollgateError
from ._pages import AsyncPages, Pages
from ._request import CallOptions, Form
from ._tokens import AsyncRefreshingToken, AsyncTokenSource, RefreshingToken, TokenSource
from .webhooks import verify_webhook

__all__ = [
    "AsyncEventStream",
    "AsyncPages",
    "AsyncRefreshingToken",
    "AsyncTokenSource",
    "AsyncTollgate",
    "CallOptions",
    "EventStream",
    "FieldProblem",
    "Form",
    "Pages",
    "RefreshingToken",
    "TokenSource",
    "Tollgate",
    "TollgateError",
    "verify_webhook",
]
