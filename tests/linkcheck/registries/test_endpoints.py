"""The services and the environment variables that replace them."""

from __future__ import annotations

import pytest

from shelfread.core.errors import UserError
from shelfread.linkcheck.registries.endpoints import Endpoints, read_endpoints


def test_the_environment_sets_endpoints() -> None:
    assert read_endpoints({}) == Endpoints()
    given = {"SHELFREAD_ENDPOINT_GITHUB_API": "http://127.0.0.1:8000/", "SHELFREAD_ENDPOINT_DOI": ""}
    assert read_endpoints(given) == Endpoints(github_api="http://127.0.0.1:8000")


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8000",
        "file:///etc",
        "http://",
        "http://a b",
        "http://u@h",
        "http://h:x",
        "http://h\\x",
        "http://h?x",
    ],
)
def test_an_endpoint_is_the_url_of_a_server(url: str) -> None:
    with pytest.raises(UserError, match="SHELFREAD_ENDPOINT_DOI: give the address of a server"):
        read_endpoints({"SHELFREAD_ENDPOINT_DOI": url})
