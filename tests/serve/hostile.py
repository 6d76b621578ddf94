# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Clients that lie, dawdle, or attack: the service answers or disconnects them, keeps its memory, and goes on. It takes
a minute, nearly all of which is waiting for the service to disconnect clients that are too slow."""
import json
import random

from client import *

folder = keys(small=SMALL, merkle=MERKLE)
with open(f"{scratch}/secret.zkey", "wb") as outside:
    outside.write(read(f"{SMALL}/circuit.zkey"))
small = witness_of(SMALL)
s = Service(folder, "--body-bytes", "1M", "--witness-bytes", "3M", "--timeout", "8", "--connections", "64")


def head(method="POST", path="/prove?key=small", *lines):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def code(came):
    return int(came.split(b" ")[1]) if came.startswith(b"HTTP/1.1 ") else 0


def alive(what):
    """A connection may be refused as long as others are not closed yet."""
    def proves():
        try:
            return s.prove("small", small).code == 200
        except OSError:
            return False
    eventually(proves, f"no proof after {what}")


# ---- False lengths.
def answers(requests):
    """What comes of each, all at the same time, since the service waits for more of some of them."""
    return zip(requests, together(*[lambda data=data: s.raw(data, 60) for data in requests]))


lengths = ("1048577", "99999999999", "18446744073709551615", "18446744073709551616", "9" * 40, "-1", "1x", "0x10")
for sent, came in answers([head("POST", "/prove?key=small", f"Content-Length: {n}") + b"x" for n in lengths]):
    check(code(came) in (0, 400, 413), f"{sent}: {came[:60]}")
check(code(s.raw(head("POST", "/prove?key=small", "Content-Length: 1048577"))) == 413, "a body that is too large")
chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
came = s.raw(head("POST", "/prove?key=small", "Transfer-Encoding: chunked") + chunk * 20 + b"0\r\n\r\n")
check(code(came) in (0, 413), f"chunks that are too large together: {came[:60]}")
came = s.raw(head("POST", "/prove?key=small", "Transfer-Encoding: chunked") + b"zz\r\nxx\r\n")
check(code(came) in (0, 400), "no chunk")
begin = time.time()
came = s.raw(head("POST", "/prove?key=small", f"Content-Length: {len(small)}") + small[:100], 300)
check(code(came) in (0, 400, 408) and time.time() - begin < 200, f"a truncated body: {came[:60]}")
came = s.raw(head("POST", "/prove?key=small", f"Content-Length: {len(small)}", "Content-Encoding: gzip") + small)
check(code(came) == 415, "an encoded body")
check(code(s.raw(head("GET", "/keys", "Content-Length: 5", "Connection: close") + b"hello")) == 400, "a body of GET")
alive("wrong lengths")
check(s.metric("witness_bytes") == 0, "a body is left")

# ---- Bytes that are not requests.
nonsense = (b"", b"\0" * 1000, b"GET\r\n\r\n", b"GET /healthz HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00" * 50,
            b"A" * 200000, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20000 + b"\r\n",
            b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
            b"GET /keys HTTP/1.1\r\nHost: localhost\r\n: \r\n\r\n", b"POST /verify HTTP/1.1\r\n\r\n")
for data, came in answers(nonsense):
    check(code(came) in (0, 200, 400, 403, 404, 413, 414, 422, 431, 501, 505), f"{data[:30]}: {came[:60]}")
alive("what is no request")
rng = random.Random(1)


def changed():
    data = bytearray(head("POST", "/prove?key=small", f"Content-Length: {len(small)}", "Connection: close") + small)
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(len(data) - len(small) if rng.random() < 0.5 else len(data))] = rng.randrange(256)
    return bytes(data)


for _ in range(4):
    for came in together(*[lambda data=changed(): s.raw(data, 5) for _ in range(40)]):
        check(isinstance(came, bytes) and code(came) != 500, f"a changed request: {came[:60]}")
alive("changed requests")

# ---- Paths that lead out of the folder.
for path in ("/keys/../secret", "/keys/..%2fsecret", "/keys/%2e%2e%2fsecret", "/keys/..\\secret", "/keys/%00small",
             "/keys/small%00.zkey", "//keys", "/keys/", "/keys/.", "/keys/..", "/jobs/../keys",
             f"/keys/{scratch}/secret",
             "/keys/%2fetc%2fpasswd", "/input/../keys", "/keys/small/../small"):
    came = s.raw(head("GET", path, "Connection: close"))
    check(code(came) in (400, 404, 405), f"GET {path}: {came[:60]}")
    came = s.raw(head("PUT", path, "Content-Length: 0", "Connection: close"))
    check(code(came) in (400, 404, 405), f"PUT {path}: {came[:60]}")
for file in ("../secret.zkey", f"{scratch}/secret.zkey", "..", ".", "", "small.zkey/", "./small.zkey", "small.zkey\0",
             "a" * 5000):
    body = json.dumps({"name": "out", "file": file}).encode()
    answer = s.request("POST", "/keys", body)
    check(answer.code in (400, 404, 422), f"a file {file[:30]!r}: {answer.code}")
check(s.get("/keys/out").code == 404, "a key from outside")

# ---- Invalid JSON, and too much JSON.
for body in (b"", b"{", b"[]", b"nul", b"{}", b'{"name": 7}', b'{"name": "small", "name": "small"}', b"\xff\xfe{}",
             b"[" * 50000,
             b'{"name": "a\\u0000b"}', b'{"name": "small", "sha256": "zz"}', b'{"name": "small"} {}', b'{"proof": {}}',
             b'{"proof": {}, "public": []}', b'{"proof": [], "public": {}}', b'{"proof": {}, "public": [], "vkey": {}}',
             b'{"proof": {"pi_a": ["1"]}, "public": ["1"]}', b'{"proof": {"a": "}]\\""}, "public": ["]"]}',
             b'{"proof": {}, "public": [' + b'"1",' * 100000 + b'"1"]}'):
    for path in ("/keys", "/verify?key=small"):
        answer = s.request("POST", path, body)
        check(answer.code in (400, 404, 422, 200), f"{path} {body[:40]}: {answer.code}")
        check(answer.code != 200 or not answer.json.get("valid"), f"{path} {body[:40]}: accepted")
    answer = s.prove("small", body)
    check(answer.code == 422, f"a witness {body[:40]}: {answer.code}")
check(s.prove("small", small, Idempotency_Key="x" * 129).code == 400, "an Idempotency-Key that is too long")
alive("bad JSON")

# ---- Clients that are slow: with the head, with the body, and one byte at a time.
def dawdle(first, pause, rest=b"x"):
    """Seconds until the service disconnects somebody who sends a byte after every pause."""
    began = time.time()
    with socket.create_connection(("127.0.0.1", s.port), timeout=pause) as one:
        try:
            one.sendall(first)
            while time.time() - began < 150:
                one.sendall(rest)
                try:
                    if not one.recv(65536):
                        break
                except socket.timeout:
                    pass
        except OSError:
            pass
    return time.time() - began


waits = together(lambda: dawdle(b"POST /prove HTTP/1.1\r\nX: ", 0.3), lambda: dawdle(b"", 0.3, b"\r\n"),
                 lambda: dawdle(head("POST", "/prove?key=small", "Content-Length: 268"), 0.3),
                 lambda: dawdle(head("POST", "/prove?key=small", "Transfer-Encoding: chunked"), 0.3, b"1\r\nx\r\n"),
                 lambda: dawdle(b"GET /healthz HT", 160))
check(all(wait < 100 for wait in waits), f"slow clients stay: {waits}")
check(s.metric("clients_slow_total") >= 2, "slow clients are not counted")
alive("slow clients")

# ---- More connections than there may be, and more memory.
many = []
for _ in range(200):
    try:
        many.append(socket.create_connection(("127.0.0.1", s.port), timeout=5))
    except OSError:
        break
time.sleep(0.2)
for one in many:
    one.close()
alive("many connections")
holding = []
for _ in range(3):
    one = socket.create_connection(("127.0.0.1", s.port), timeout=5)
    one.sendall(head("POST", "/prove?key=small", "Content-Length: 1000000"))
    holding.append(one)
eventually(lambda: s.metric("witness_bytes") >= 3000000, "memory for bodies is not taken")
answer = s.request("POST", "/prove?key=merkle", witness_of(MERKLE))
check(answer.code == 429 and answer.headers["Retry-After"], f"all memory for bodies is taken: {answer.code}")
for one in holding:
    one.close()
s.until("witness_bytes", 0)
check(s.prove("merkle", witness_of(MERKLE)).code == 200, "memory for bodies is given back")
check(s.metric("witness_bytes") == 0, "a body is left")

# ---- Requests one after the other on one connection, sent at once.
came = s.raw(head("POST", "/prove?key=small", f"Content-Length: {len(small)}") + small +
             head("GET", "/healthz", "Connection: close"))
check(came.count(b"HTTP/1.1 200") == 2, f"two requests at once: {came.count(b'HTTP/1.1')}")
s.stop()
finish()
