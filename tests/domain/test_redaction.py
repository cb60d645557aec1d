"""What is a secret and what only looks like one: a table per kind, in three languages (issue 4, point 6).

Secrets are put together at run time: no file of ours holds anything that looks like a key.
"""

import random
import string
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.domain.redaction import MARK, findings, mask, name_of

_CHANCE = random.Random(20260305)  # noqa: S311 - the same each time
_MIXED = string.ascii_letters + string.digits
_CAPITALS = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"


def drawn(count, letters=_MIXED):
    return (
        "a1" + "".join(_CHANCE.choices(letters, k=count - 2))
        if letters == _MIXED
        else "".join(_CHANCE.choices(letters, k=count))
    )


def block(kind="RSA ", lines=3, *, end=True):
    body = "\n".join(drawn(64) for _ in range(lines))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n" + (
        f"-----END {kind}PRIVATE KEY-----" if end else ""
    )


# kind, what stands before it, the secret, what stands behind it
SECRETS = [
    ("private-key", "", block(), "\nnext"),
    ("private-key", "khóa:\n", block("OPENSSH "), ""),
    ("private-key", "密钥如下\n", block("", end=False).rstrip(), ""),
    ("private-key", '{"key": "', block("EC ").replace("\n", "\\n"), '"}'),
    ("aws-access-key-id", "AWS_ACCESS_KEY_ID=", "AKIA" + drawn(16, _CAPITALS), "\n"),
    ("aws-access-key-id", "dùng ", "ASIA" + drawn(16, _CAPITALS), " nhé"),
    ("aws-access-key-id", '"log\\n', "AKIA" + drawn(16, _CAPITALS), '\\n"'),
    ("github-token", "Bearer ", "ghp_" + drawn(36), '"'),
    ("github-token", "令牌是", "github_pat_" + drawn(82), "。"),
    ("gitlab-token", "token: ", "glpat-" + drawn(20), ""),
    ("anthropic-key", "khóa thử: ", "sk-ant-api03-" + drawn(93), ""),
    ("openai-key", "OPENAI_API_KEY=", "sk-proj-" + drawn(100), "\n"),
    ("openai-key", "密钥：", "sk-" + drawn(48), ""),
    ("provider-key", "", "sk-or-v1-" + drawn(64, _HEX), ""),
    ("provider-key", "key=", "gsk_" + drawn(52), ""),
    ("provider-key", "key=", "hf_" + drawn(34), ""),
    ("provider-key", "key=", "xai-" + drawn(80), ""),
    ("google-api-key", "?key=", "AIza" + drawn(35), "&x=1"),
    ("google-oauth", "", "GOCSPX-" + drawn(28), ""),
    ("stripe-key", "", "sk_live_" + drawn(24), ""),
    ("stripe-key", "", "rk_test_" + drawn(24), ""),
    ("slack-token", "", "xoxb-123456789012-123456789012-" + drawn(24), ""),
    ("slack-token", "", "xapp-1-A01-" + drawn(60), ""),
    ("slack-token", "", "https://hooks.slack.com/services/T0A1B2C3/B0A1B2C3/" + drawn(24), ""),
    ("webhook", "https://discord.com/api/webhooks/", "123456789012345678/" + drawn(68), ""),
    ("sendgrid-key", "", "SG." + drawn(22) + "." + drawn(43), ""),
    ("npm-token", "//registry/:_authToken=", "npm_" + drawn(36), ""),
    ("pypi-token", "", "pypi-AgEIcHlwaS" + drawn(80), ""),
    ("telegram-token", "bot12345678", ":AA" + drawn(33), "/getMe"),
    ("twilio-key", "twilio ", "SK" + drawn(32, _HEX), ""),
    ("mailchimp-key", "mailchimp ", drawn(32, _HEX) + "-us12", ""),
    ("digitalocean-token", "", "dop_v1_" + drawn(64, _HEX), ""),
    ("shopify-token", "", "shpat_" + drawn(32, _HEX), ""),
    ("service-token", "", "hvs." + drawn(90), ""),
    ("jwt", "Cookie: a=", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + drawn(43), ""),
    ("bearer-token", "Authorization: Bearer ", drawn(40), "'"),
    ("basic-auth", "Authorization: Basic ", "dXNlcjpwNHNzdzByZA==", ""),
    ("connection-string", "postgres://app:", "s3cr3t-pw", "@db.example/app"),
    ("connection-string", "redis://:", "abcdefg", "@cache:6379"),
    ("connection-string", "mongodb+srv://app:", "p4ss%40word", "@c0.example.net"),
    ("connection-string", "https://user:", "hunter22", "@example.net/repo.git"),
    ("password", "password: ", "hunter2hunter2", ""),
    ("password", 'Password = "', "S3cure!pass", '"'),
    ("password", '{"password": "', "letmein99", '"}'),
    ("password", '{\\"password\\": \\"', "letmein99", '\\"}'),
    ("password", "**Password:** `", "hunter22", "`"),
    ("password", "DB_PASSWORD=", "Tr0ub4dor&3", "\n"),
    ("password", "DB_PASS=", "Tr0ub4dor&3", "\n"),
    ("password", "Server=db;User Id=app;Password=", "Qwerty!2345", ";"),
    ("password", "password: ", "12345678", ""),
    ("password", "the password is ", "hunter2hunter2", "."),
    ("password", "mật khẩu: ", "hunter2hunter2", ""),
    ("password", "Mật khẩu database: ", "Abcd@1234", ""),
    ("password", "mật khẩu là ", "abc123def", ", nhớ nhé"),
    ("password", "MẬT KHẨU: ", "abc123def", ""),
    ("password", unicodedata.normalize("NFD", "mật khẩu: "), "abc123def", ""),
    ("password", "mat khau la ", "abc123def", ""),
    ("password", "MK: ", "abc12345", ""),
    ("password", "密码：", "p@ssw0rd-dài-lắm", ""),
    ("password", "密码是", "hunter2222", "。"),
    ("password", "口令: ", "q1w2e3r4", "，请保密"),
    ("secret", 'api_key = "', "a1b2c3d4e5f6a7b8c9d0e1f2", '"'),
    ("secret", "X-Api-Key: ", "9f8e7d6c5b4a39281706f5e4d3c2b1a0", ""),
    ("secret", "client_secret: '", "Zx81LpW4f9Kq2mZx81LpW", "'"),
    ("secret", "&access_token=", "4f9Kq2mZx81LpWabc7", "&x=1"),
    ("secret", "密钥：", "4f9Kq2mZx81LpWabc7", ""),
    ("secret", "khóa bí mật: ", "4f9Kq2mZx81LpWabc7", ""),
    ("secret", "aws_secret_access_key = ", "wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzKEY12345", ""),
]

NO_SECRETS = [
    "commit 3f2a9c1e7b6d5a4f3e2d1c0b9a8f7e6d5c4b3a29",
    "path /home/user/.config/xai-kebab-case-name/file.py",
    "uuid 123e4567-e89b-42d3-a456-426614174000",
    "token: 123e4567-e89b-42d3-a456-426614174000",
    "userSha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"metadataSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    "sha512-" + drawn(86) + "==",
    "publishable: pk_live_" + drawn(24),
    "AKIAIOSFODNN7EXAMPLE",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "sk-learn-pipeline-component-2",
    "task-runner-abcdefghij1234567890",
    "ghp_ is how a token begins",
    "-----BEGIN RSA PRIVATE KEY----- is the first line of a key",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "Authorization: Bearer ${TOKEN}",
    "a Bearer token-authentication-required answer",
    "postgres://user:password@localhost/db",
    "postgres://${USER}:${PASS}@host/db",
    "https://example.com:8080/path@2x.png",
    "git@example.com:org/repo.git",
    "password: string",
    "password: required",
    "password: str = Field(min_length=8)",
    "password: process.env.DB_PASSWORD",
    "password=$DB_PASSWORD",
    "password: ${{ secrets.PW }}",
    "password: {{ vault_password_2 }}",
    "password: <your password>",
    "password: ********",
    "password: %s",
    "Password:\n",
    '"password": "Password is required"',
    "PWD=/home/user/project1",
    "password_hash: 5f4dcc3b5aa765d61d8327deb882cf99",
    "hash the password: sha256",
    "if password == password2:",
    "password = user.password1",
    "password: hash_password(value1)",
    "test_password.py: 12 passed",
    "password reset in 2024",
    "see password: docs/passwords2.md",
    "tokens: 123456",
    "token: config.auth.token2",
    "token = tokens[i+1]",
    "secret: secrets.token_urlsafe(32)",
    "the token is expired",
    "cache key: abc12345def67890abc1",
    "mật khẩu: tối thiểu 8 ký tự",
    "mật khẩu của tôi là gì?",
    "Mật khẩu: bắt buộc",
    "nhập mật khẩu: ",
    "bookmk: abc12345x",
    "密码：至少8位，包含字母和数字",
    "密码重置链接: https://x.example/reset1",
    "请输入密码：",
    "password: [REDACTED:password]",
]


@pytest.mark.parametrize(("kind", "before", "secret", "after"), SECRETS)
def test_a_secret_is_masked_and_nothing_around_it(kind, before, secret, after):
    masked, kinds = mask(f"{before}{secret}{after}")

    assert masked == f"{before}[REDACTED:{kind}]{after}"
    assert kinds == {kind: 1}


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_only_looks_like_a_secret_stays(text):
    assert mask(text) == (text, {})


@pytest.mark.parametrize(("_kind", "before", "secret", "after"), SECRETS)
def test_a_masked_text_has_no_more_findings(_kind, before, secret, after):
    masked, _ = mask(f"{before}{secret}{after}")

    assert findings(masked) == ()


def test_every_kind_of_ours_and_of_the_library_stands_in_a_table_of_the_docs():
    from awf_archive.domain.secret_patterns import RULES
    from awf_archive.domain.secret_patterns_library import LIBRARY_RULES

    page = (Path(__file__).parents[2] / "docs/secrets.md").read_text(encoding="utf-8")
    kinds = {rule.kind for rule in (*RULES, *LIBRARY_RULES)} | {"password", "secret"}

    assert {kind for kind in kinds if f"| `{kind}` |" not in page} == set()


def test_a_finding_that_is_allowed_by_name_stays():
    text = "password: hunter2hunter2 and password: other4other4"
    allowed = {name_of("password", "hunter2hunter2")}

    assert mask(text, allowed)[0] == "password: hunter2hunter2 and password: [REDACTED:password]"


def test_findings_tell_where_and_what_kind_but_never_the_secret():
    (found,) = findings("mật khẩu: hunter2hunter2")

    assert (found.kind, found.start, found.end) == ("password", 10, 24)
    assert "hunter2" not in repr(found)


@given(st.text(max_size=300))
def test_any_text_is_masked_once_and_for_all(text):
    masked, kinds = mask(text)

    assert masked.count(MARK) == text.count(MARK) + kinds.total()
    assert mask(masked)[0] == masked


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----\n" + "Version\n" * 20_000,
        "password" + " a" * 50_000,
        "eyJ" * 50_000,
        "://a:" * 50_000,
        "xox" * 50_000,
        "azure " * 5_000,
        "password: İ" * 5_000,
        "a" * 300_000,
    ],
    ids=lambda text: text[:12].strip(),
)
def test_a_hostile_text_takes_no_longer_than_its_size(text):
    import time

    start = time.process_time()
    mask(text)

    assert time.process_time() - start < 3
