"""Signing in: only who has the printed address or the password sees and does anything, and wrong
passwords delay nobody else.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from hometown.cli.replay import main
from hometown.paths import WORLDS
from hometown.web import access as access_module
from hometown.web import serve
from hometown.web.access import Access, kept_key
from hometown.web.attempts import ADDRESSES, RATE_OF_ADDRESS, RATE_OF_ALL, Attempts
from hometown.web.server import create_app
from tests.support.synthetic_run import make_run

PAGES = (
    "/",
    "/?name=sample",
    "/?name=nobody",
    "/edit",
    "/nothing",
    "/frontend/../",
    f"/?x={'a' * 5000}",
)
ANSWERS = (
    "/api/v1/runs",
    "/api/v1/runs/sample",
    "/api/v1/runs/sample/thumbnail",
    "/api/v1/offers",
    "/api/v1/first-hour",
    "/api/v1/first-hour/progress",
    "/api/v1/worlds",
    "/api/v1/nothing",
)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    make_run(folder, "sample")
    return folder


def browser(results: Path, **rules: Any) -> FlaskClient:
    return create_app(
        results, WORLDS, access=Access(token="a-token", key=b"k" * 32, **rules)
    ).test_client()


def sign_in(client: FlaskClient, secret: str, next_: str = "/", **more: Any) -> Any:
    return client.post("/sign-in", data={"secret": secret, "next": next_}, **more)


def test_without_a_cookie_nothing_is_seen(results: Path) -> None:
    for rules in ({}, {"password": "sesame"}):
        client = browser(results, **rules)
        for path in PAGES:
            reply = client.get(path)
            assert reply.status_code in (401, 404, 414), path
            assert "sample" not in reply.text.replace("name=sample", ""), path
            assert "a-token" not in reply.text
        for path in ANSWERS:
            reply = client.get(path)
            assert (reply.status_code, set(reply.json or ())) == (401, {"error"}), path


def test_the_printed_address_becomes_a_cookie_and_a_clean_address(results: Path) -> None:
    client = browser(results)
    reply = client.get("/?name=sample&step=2&token=a-token")
    assert (reply.status_code, reply.location) == (303, "./?name=sample&step=2")
    cookie = reply.headers["Set-Cookie"]
    assert cookie.startswith("hometown-80=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert "a-token" not in cookie
    assert client.get(urljoin("/", reply.location)).status_code == 200
    assert client.get("/?token=of-an-earlier-start").location == "./", (
        "a bookmark, by who is signed in"
    )
    assert client.post("/api/v1/runs/sample/back", json={}).status_code == 409, (
        "it may be asked for changes"
    )


def test_a_wrong_token_is_told_in_both_languages(results: Path) -> None:
    for lang, words in (("en", "printed last"), ("zh", "重新启动")):
        reply = browser(results).get(f"/?name=sample&lang={lang}&token=old")
        assert (reply.status_code, "Set-Cookie" in reply.headers) == (401, False)
        assert words in reply.text
        assert 'value="/?name=sample&amp;lang=' in reply.text


def test_each_port_has_a_cookie_of_its_own(results: Path) -> None:
    client = browser(results)
    client.get("/?token=a-token", base_url="http://localhost:5000")
    assert client.get("/", base_url="http://localhost:5000").status_code == 200
    assert client.get("/", base_url="http://localhost:5001").status_code == 401


def test_a_cookie_outlives_the_server_and_not_the_password(results: Path) -> None:
    first = browser(results, password="sesame")
    assert sign_in(first, "sesame").status_code == 303
    cookie = first.get_cookie("hometown-80")
    assert cookie
    for rules, status in (({"password": "sesame"}, 200), ({"password": "other"}, 401), ({}, 401)):
        again = browser(results, **rules)
        again.set_cookie("hometown-80", cookie.value)
        assert again.get("/").status_code == status


def test_a_password_is_asked_of_everybody(results: Path) -> None:
    client = browser(results, password="故里 sesame")
    for headers in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"Authorization": "Bearer a-token"}):
        assert client.get("/?token=a-token", headers=headers).status_code == 401
        assert client.delete("/api/v1/runs/sample", json={}, headers=headers).status_code == 401
    assert client.get("/?token=故里 sesame").status_code == 401, "no password in an address"
    assert sign_in(client, "open").status_code == 401
    assert client.get("/").status_code == 401
    reply = sign_in(client, " 故里 sesame ", "/?name=sample")
    assert (reply.status_code, reply.location) == (303, "./?name=sample")
    assert client.get("/").status_code == 200
    bearer = "Bearer " + "故里 sesame".encode().decode("latin-1")
    assert (
        browser(results, password="故里 sesame")
        .get("/api/v1/runs", headers={"Authorization": bearer})
        .status_code
        == 200
    )


@pytest.mark.parametrize(
    "secret",
    [
        "a-token",
        "http://127.0.0.1:5000/?token=a-token",
        "http://127.0.0.1:5000/?name=x&token=a-token&lang=en",
    ],
)
def test_the_token_or_the_whole_address_can_be_entered(results: Path, secret: str) -> None:
    assert sign_in(browser(results), secret).status_code == 303


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example",
        "http://evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "javascript:x",
        "",
        "evil",
    ],
)
def test_signing_in_leads_nowhere_else(results: Path, address: str) -> None:
    assert sign_in(browser(results), "a-token", address).location == "./"


def test_the_clean_address_is_one_of_this_server(results: Path) -> None:
    for path in ("//evil.example/", "/\\evil.example/", "/\r\nX-Evil: 1", "///"):
        location = (
            browser(results).get("/?token=a-token", environ_overrides={"PATH_INFO": path}).location
        )
        assert location
        assert location.startswith(("./", "../"))
        leads_to = urljoin(f"http://town.test{quote(path)}", location)
        assert urlsplit(leads_to).netloc == "town.test"


def test_a_link_on_another_site_loads_again_as_our_own_page(results: Path) -> None:
    page = browser(results).get("/", headers={"Sec-Fetch-Site": "cross-site"}).text
    assert '<meta http-equiv="refresh" content="0">' in page
    assert (
        "refresh" not in browser(results).get("/", headers={"Sec-Fetch-Site": "same-origin"}).text
    )


def test_the_form_takes_no_other_site(results: Path) -> None:
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        reply = sign_in(browser(results), "a-token", headers=headers)
        assert (reply.status_code, "Set-Cookie" in reply.headers) == (403, False)


def test_a_public_page_may_be_looked_at_and_not_changed(results: Path) -> None:
    client = browser(results, public=True)
    for path in ("/", "/?name=sample", "/api/v1/runs/sample"):
        assert client.get(path).status_code == 200
    page = client.get("/").text
    assert 'href="sign-in' in page
    assert 'data-act="' not in page
    for method, path in (
        ("DELETE", "runs/sample"),
        ("POST", "runs"),
        ("PUT", "worlds/minitown/map"),
    ):
        assert client.open(f"/api/v1/{path}", method=method, json={}).status_code == 401
    assert client.get("/sign-in").status_code == 200
    sign_in(client, "a-token")
    assert client.get("/sign-in").location == "./"
    assert 'data-act="remove"' in client.get("/").text


def test_a_reverse_proxy_is_named_by_the_owner(results: Path) -> None:
    through = {
        "Host": "town.example",
        "Origin": "https://town.example",
        "X-Forwarded-For": "203.0.113.9",
        "Authorization": "Bearer a-token",
    }
    unknown = browser(results).post("/api/v1/runs/sample/back", json={}, headers=through)
    assert unknown.status_code == 403
    assert "--behind-proxy" in unknown.json["error"]
    named = browser(results, proxy="https://town.example/")
    assert named.post("/api/v1/runs/sample/back", json={}, headers=through).status_code == 409
    assert (
        named.post(
            "/api/v1/runs/sample/back", json={}, headers=through | {"Host": "127.0.0.1:5000"}
        ).status_code
        == 409
    ), "as nginx does by default"
    assert (
        named.post(
            "/api/v1/runs/sample/back",
            json={},
            headers=through | {"Origin": "https://evil.example"},
        ).status_code
        == 403
    )
    assert (
        "Secure"
        in named.get("/?token=a-token", headers={"Host": "town.example"}).headers["Set-Cookie"]
    )


def test_wrong_passwords_are_limited_and_delay_nobody_else(results: Path) -> None:
    client = browser(results, password="sesame", proxy="https://town.example")
    attacker = {"X-Forwarded-For": "203.0.113.9"}
    statuses = [
        sign_in(client, f"guess {number}", headers=attacker).status_code for number in range(128)
    ]
    assert statuses == [401] * RATE_OF_ADDRESS.burst + [429] * (128 - RATE_OF_ADDRESS.burst)
    blocked = sign_in(client, "sesame", headers=attacker)
    assert blocked.status_code == 429
    assert re.search(r"\d+ s", blocked.text)
    bearer = {"Authorization": "Bearer guess"}
    assert client.get("/api/v1/runs", headers=attacker | bearer).status_code == 429
    assert sign_in(client, "sesame", headers={"X-Forwarded-For": "198.51.100.1"}).status_code == 303
    assert client.get("/", headers=attacker).status_code == 200, "who is signed in is not counted"


def test_forwarded_addresses_count_for_nothing_unless_a_proxy_is_named(results: Path) -> None:
    client = browser(results, password="sesame")
    statuses = [
        sign_in(client, "guess", headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code
        for number in range(20)
    ]
    assert statuses.count(401) == RATE_OF_ADDRESS.burst


def test_attempts_come_back_with_time() -> None:
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    assert [attempts.take("192.0.2.1") > 0 for _ in range(RATE_OF_ADDRESS.burst + 1)] == [
        False
    ] * RATE_OF_ADDRESS.burst + [True]
    assert attempts.take("192.0.2.1") == pytest.approx(RATE_OF_ADDRESS.every)
    assert attempts.take("192.0.2.2") == 0
    now[0] += RATE_OF_ADDRESS.every
    assert attempts.take("192.0.2.1") == 0
    assert attempts.take("192.0.2.1") > 0
    attempts.give_back("192.0.2.1")
    assert attempts.take("192.0.2.1") == 0


def test_one_network_is_one_address_and_all_together_are_limited() -> None:
    attempts = Attempts(lambda: 0.0)
    assert [
        attempts.take(f"2001:db8::{number}") > 0 for number in range(RATE_OF_ADDRESS.burst + 1)
    ][-1]
    others = [
        attempts.take(f"2001:db8:0:{number:x}::1") > 0 for number in range(1, 2 * RATE_OF_ALL.burst)
    ]
    assert others.count(False) == RATE_OF_ALL.burst - RATE_OF_ADDRESS.burst


def test_attempts_take_little_memory() -> None:
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for number in range(2 * ADDRESSES):
        now[0] += RATE_OF_ALL.every
        attempts.take(f"address {number}")
    assert len(attempts._free_at) == ADDRESSES


def test_the_key_is_kept_where_only_its_user_can_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_module, "user_folder", lambda: tmp_path / "new")
    file = tmp_path / "new" / "page.key"
    key = kept_key()
    assert kept_key() == key == file.read_bytes()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.chmod(0o644)
        assert kept_key() != key, "others could have read it"
    file.write_bytes(b"short")
    assert len(kept_key()) == 32
    assert [path.name for path in file.parent.iterdir()] == ["page.key"]


def test_a_folder_that_cannot_be_written_gives_a_key_of_this_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(access_module, "user_folder", lambda: tmp_path / "file")
    assert len(kept_key()) == 32
    assert kept_key() != kept_key()


@pytest.mark.parametrize(
    ("options", "password", "printed"),
    [
        ([], "", r"http://127\.0\.0\.1:5393/\?token=\S{43} "),
        ([], "sesame", r"http://127\.0\.0\.1:5393/ .*HOMETOWN_PASSWORD"),
        (["--host", "0.0.0.0"], "", r"http://127\.0\.0\.1:5393/\?token="),
        (["--behind-proxy", "https://town.example"], "", r"https://town\.example/\?token="),
        (["--public"], "", r"(?s)token=.*--public"),
    ],
)
def test_the_address_is_printed_with_its_token(
    options: list[str],
    password: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules: list[Access] = []

    def served(
        listener: Any, results: Path, worlds: Path, names: list[str], access: Access, desk: Any
    ) -> None:
        listener.close()
        rules.append(access)

    monkeypatch.setattr(serve, "serve", served)
    monkeypatch.setattr(access_module, "user_folder", lambda: tmp_path)
    monkeypatch.setenv("HOMETOWN_PASSWORD", password)
    assert main(["--port", "5393", "--results", str(tmp_path), *options]) == 0
    out = capsys.readouterr().out
    assert re.search(printed, out), out
    assert "sesame" not in out
    assert (rules[0].password, rules[0].public) == (password, "--public" in options)


@pytest.mark.parametrize(
    "address",
    [
        "town.example",
        "ftp://town.example",
        "https://",
        "https://town.example/town",
        "https://town.example:x",
        "https://a@b.c",
    ],
)
def test_what_is_no_address_of_a_proxy_is_refused(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--behind-proxy", address]) == 2
    assert capsys.readouterr().err.count("\n") == 1
