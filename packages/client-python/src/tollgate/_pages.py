from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ._async_caller import AsyncCaller
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
        page: Page = self._caller.call(self._request, self._options)
        return page

    def pages(self) -> Iterator[Page]:
        """Yields whole pages."""
        request: ApiRequest | None = self._request
        while request is not None:
            page: Any = self._caller.call(request, self._options)
            yield page
            request = _find_next(self._request, request, page, self._position)

    def __iter__(self) -> Iterator[Item]:
        page: Any
        for page in self.pages():
            yield from page.get(self._member) or []

    def to_list(self, max_items: int = 10_000) -> list[Item]:
        """Returns the items of all pages, at most this many."""
        return list(islice(self, max_items))


class AsyncPages(Generic[Page, Item]):
    """A list that comes in pages. `await first()` returns one page; `async for` yields every item of all pages.

    The next page is requested when the loop reaches it.
    """

    def __init__(
        self, caller: AsyncCaller, request: ApiRequest, member: str, position: str, options: CallOptions | None
    ) -> None:
        self._caller = caller
        self._request = request
        self._member = member
        self._position = position
        self._options = options

    async def first(self) -> Page:
        page: Page = await self._caller.call(self._request, self._options)
        return page

    async def pages(self) -> AsyncIterator[Page]:
        """Yields whole pages."""
        request: ApiRequest | None = self._request
        while request is not None:
            page: Any = await self._caller.call(request, self._options)
            yield page
            request = _find_next(self._request, request, page, self._position)

    async def __aiter__(self) -> AsyncIterator[Item]:
        page: Any
        async for page in self.pages():
            for item in page.get(self._member) or []:
                yield item

    async def to_list(self, max_items: int = 10_000) -> list[Item]:
        """Returns the items of all pages, at most this many."""
        items: list[Item] = []
        if max_items <= 0:
            return items
        async for item in self:
            items.append(item)
            if len(items) >= max_items:
                break
        return items


def _find_next(first: ApiRequest, sent: ApiRequest, page: Mapping[str, Any], position: str) -> ApiRequest | None:
    """Returns the request of the next page, or None behind the last one."""
    cursor = page.get("next_cursor")
    if cursor is None:
        return None
    name = position
    if name == "cursor or offset":
        # Such a list takes an offset where it returned one, which is a number.
        name = "offset" if cursor.isascii() and cursor.isdigit() else "cursor"
    following = replace(first, query={**first.query, name: cursor})
    # A page that names itself as the next one would be read forever.
    return None if following == sent else following
