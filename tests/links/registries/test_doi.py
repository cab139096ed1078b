"""DOIs, looked up at a fake doi.org."""

from __future__ import annotations

from shelfread.links.network_settings import Endpoints
from shelfread.links.registries.papers import Doi
from support.links import ALIVE, DEAD, NOW, look_up, verdicts
from support.service import handles, serve


def test_existing_and_missing_dois() -> None:
    odd = "10.1002/(sici)1097(19980815/30)17:15<1661::aid>3.0.co;2-2"
    with serve(handles({"10.1145/1", odd})) as service:
        doi = Doi(Endpoints(doi=service.root), 0)
        found = look_up(
            doi, "10.1145/1", odd, "10.1145/2", "page:10.1145/1", "page:10.1145/2", "10.1145/3.", "10.1145/1"
        )
        requests = service.paths
    assert verdicts(found) == {
        "10.1145/1": ALIVE,
        odd: ALIVE,
        "10.1145/2": DEAD,
        "page:10.1145/1": ALIVE,
        "page:10.1145/2": None,
        "10.1145/3.": None,
    }
    assert requests.count("/api/handles/10.1145/2") == 3  # twice for the DOI, once for the publisher's page
    assert requests.count("/api/handles/10.1145/1") == 2
    gone = found["10.1145/2"]
    assert gone is not None
    assert (gone.reason, gone.source, gone.checked_at) == (
        "doi.org does not know this DOI, checked twice",
        "doi.org",
        NOW,
    )
