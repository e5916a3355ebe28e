"""The Python client of Tollgate, a gateway for AI model requests that bills your customers."""

from ._caller import EventStream
from ._client import Tollgate
from ._error import FieldProblem, TollgateError
from ._pages import Pages
from ._request import CallOptions, Form
from .webhooks import verify_webhook

__all__ = ["CallOptions", "EventStream", "FieldProblem", "Form", "Pages", "Tollgate", "TollgateError", "verify_webhook"]
