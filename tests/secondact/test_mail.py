"""Where mail goes: a real mail server on loopback, none at all, or one that is down."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from django.core.mail import EmailMessage, send_mail
from django.test import Client
from pytest_django import Settings

from journeys.models import Invitation, Member
from journeys.services import invitation_send, invitations_create, invitations_sweep, member_create
from secondact.embedded.state import free_port
from secondact.mail import MailNotSent, NewMail, mail_check, mail_ping
from secondact.mail_url import mail_server

LINK = "http://127.0.0.1:8000/accounts/confirm-email/" + "x" * 90 + "/"


@dataclass
class Post:
    """A mail server of the tests, and what it was handed."""

    port: int
    taken: list[tuple[list[str], str]] = field(default_factory=list)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.taken.append((list(envelope.rcpt_tos), envelope.content.decode()))
        return "250 taken"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        known = isinstance(data, LoginPassword) and (data.login, data.password) == (b"us", b"se cret")
        return AuthResult(success=known, handled=False)


@pytest.fixture
def post(settings: Settings) -> Iterator[Post]:
    """A mail server that looks at the sign-in, and settings that name it."""
    post = Post(free_port())
    controller = Controller(
        post,
        hostname="127.0.0.1",
        port=post.port,
        authenticator=post.authenticate,
        auth_required=False,
        auth_require_tls=False,
    )
    controller.start()
    use(settings, post.port)
    yield post
    controller.stop()


def use(settings: Settings, port: int, password: str = "se%20cret") -> None:
    server = mail_server(f"smtp://us:{password}@127.0.0.1:{port}")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = server.user, server.password


def test_a_url_says_all_about_the_mail_server() -> None:
    found = mail_server("smtp+tls://hello%40example.org:a%2Fb@mail.example.org")
    assert (found.host, found.port, found.user, found.password) == ("mail.example.org", 587, "hello@example.org", "a/b")
    assert (found.starttls, found.tls) == (True, False)
    assert (mail_server("smtp+ssl://h").port, mail_server("smtp+ssl://h").tls) == (465, True)
    assert mail_server("smtp://h:2525").port == 2525


@pytest.mark.parametrize(
    "url", ["mail.example.org", "https://h", "smtp://", "smtp://h:port", "smtp://h/path", "smtp://h?x"]
)
def test_what_is_no_such_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (what urlsplit says of a port is its own)
        mail_server(url)


def test_a_mail_of_an_account_reaches_the_server_with_its_link_whole(post: Post, client: Client, db: None) -> None:
    member_create(email="ada@example.org", password="a-long-enough-one")
    assert client.post("/accounts/password/reset/", {"email": "ada@example.org"}).status_code == 302
    ((to, text),) = post.taken
    assert to == ["ada@example.org"]
    assert "http://testserver/accounts/password/reset/key/" in text


def test_an_invitation_reaches_the_server_once(post: Post, db: None) -> None:
    invitation = invitations_create(addresses=["new@example.org"], invited_by=None).new[0]
    for _ in range(2):
        invitation_send(invitation_id=invitation.pk)
    ((to, text),) = post.taken
    assert to == ["new@example.org"]
    assert "/accounts/invitation/" in text
    invitation.refresh_from_db()
    assert invitation.state == Invitation.State.SENT


def test_an_invitation_that_no_server_takes_says_so_and_is_sent_later(
    post: Post, settings: Settings, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[str] = []
    queue = "journeys.services.inviting.current_app.send_task"
    monkeypatch.setattr(queue, lambda name, args, retry: queued.extend(args))
    invitation = invitations_create(addresses=["new@example.org"], invited_by=None).new[0]
    settings.EMAIL_PORT = 1
    invitation_send(invitation_id=invitation.pk)
    invitation.refresh_from_db()
    assert invitation.state == Invitation.State.FAILED
    assert invitation.failure == "The mail server did not take it (ConnectionRefusedError)."
    assert invitations_sweep() == []
    Invitation.objects.update(next_try_at=None)
    assert invitations_sweep() == [invitation.pk]
    assert queued == [str(invitation.pk)]
    settings.EMAIL_PORT = post.port
    invitation_send(invitation_id=invitation.pk)
    assert len(post.taken) == 1


@pytest.mark.parametrize("email", ["ada@example.org", "nobody@example.org"])
def test_a_form_says_that_no_mail_can_be_sent_whoever_asks(
    client: Client, settings: Settings, db: None, email: str
) -> None:
    use(settings, port=1)
    settings.SIGNUP = "open"
    member_create(email="ada@example.org", password="a-long-enough-one")
    fields = {"email": email, "password1": "quite-a-long-one-7", "password2": "quite-a-long-one-7"}
    for address in ("/accounts/password/reset/", "/accounts/signup/"):
        answer = client.post(address, fields)
        page = answer.content.decode()
        assert answer.status_code == 503
        assert "The mail could not be sent just now." in page
        assert f'value="{email}"' in page
    assert Member.objects.count() == 1


def test_other_pages_say_it_too(client: Client, settings: Settings, db: None) -> None:
    member = member_create(email="ada@example.org", password="a-long-enough-one")
    client.force_login(member)
    use(settings, port=1)
    answer = client.post("/accounts/email/", {"email": "moved@example.org", "action_add": ""})
    assert answer.status_code == 503
    assert "The mail could not be sent just now." in answer.content.decode()
    changes = {"oldpassword": "a-long-enough-one", "password1": "quite-a-long-one-7", "password2": "quite-a-long-one-7"}
    assert client.post("/accounts/password/change/", changes).status_code == 302
    member.refresh_from_db()
    assert member.check_password("quite-a-long-one-7")


async def test_the_staff_page_asks_the_server(post: Post, settings: Settings) -> None:
    await mail_ping()
    use(settings, post.port, password="wrong")
    with pytest.raises(OSError, match="535"):
        await mail_ping()
    settings.EMAIL_BACKEND, settings.EMBEDDED = "secondact.mail.TerminalBackend", False
    with pytest.raises(MailNotSent):
        await mail_ping()


def test_without_a_server_mail_is_written_out_for_reading(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.EMAIL_BACKEND, settings.HOME = "secondact.mail.TerminalBackend", tmp_path
    (tmp_path / "log").mkdir()
    mail = NewMail()
    assert mail.text() == ""
    send_mail("Grüße", f"Open\n\n{LINK}\n", None, ["ada@example.org"])
    written = capsys.readouterr().out
    for line in ("To: ada@example.org", "Subject: Grüße", LINK):
        assert line in written.splitlines()
    assert mail.text() == written
    assert mail.text() == ""
    assert stat.S_IMODE((tmp_path / "log" / "mail.log").stat().st_mode) == 0o600


def test_without_a_log_folder_it_is_only_printed(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND, settings.HOME = "secondact.mail.TerminalBackend", tmp_path
    assert EmailMessage("Subject", "Body", to=["ada@example.org"]).send() == 1
    assert list(tmp_path.iterdir()) == []


def test_the_deployment_check_misses_a_mail_server(settings: Settings) -> None:
    assert mail_check(None) == []
    settings.EMAIL_BACKEND = "secondact.mail.TerminalBackend"
    (found,) = mail_check(None)
    assert found.id == "secondact.W001"
    assert "EMAIL_URL" in found.msg
