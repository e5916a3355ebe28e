from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ._caller import Caller
    from ._request import ApiRequest, CallOptions

Page = TypeVar("Page")
Item = TypeVar("Item")


class Pages(Generic[Page, Item]):
    """A list that comes in pages. `first()` returns one page; a loop yields every item of all pages.

    The next page is requested when the loop reaches it.
    """

    def __init__(
        self, caller: Caller, request: ApiRequest, member: str, position: str, options: CallOptions | None
    ) -> None:
        self._caller = caller
        self._request = request
        self._member = member
        self._position = position
        self._options = options

    def first(self) -> Page:
        page: Page = self._load(None)
        return page

    def pages(self) -> Iterator[Page]:
        """Yields whole pages."""
        next_cursor: str | None = None
        while True:
            page: Any = self._load(next_cursor)
            yield page
            following = page.get("next_cursor")
            # A page that names itself as the next one would be read forever.
            if following is None or following == next_cursor:
                return
            next_cursor = following

    def __iter__(self) -> Iterator[Item]:
        page: Any
        for page in self.pages():
            yield from page.get(self._member) or []

    def to_list(self, max_items: int = 10_000) -> list[Item]:
        """Returns the items of all pages, at most this many."""
        return list(islice(self, max_items))

    def _load(self, next_cursor: str | None) -> Any:
        if next_cursor is None:
            return self._caller.call(self._request, self._options)
        name = self._position
        if name == "cursor or offset":
            # Such a list takes an offset where it returned one, which is a number.
            name = "offset" if next_cursor.isascii() and next_cursor.isdigit() else "cursor"
        query = {**self._request.query, name: next_cursor}
        return self._caller.call(replace(self._request, query=query), self._options)
