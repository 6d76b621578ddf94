# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whatever became of a witness, no value of it is left in the memory of the service, nor in what it says: the memory of
the process is searched for values as they are sent, in binary and as text, and as fields have them in memory."""
import json

from client import *

R = 21888242871839275222246405745257275088548364400416034343698204186575808495617
witness = witness_of(MERKLE)
values = values_of(witness)
N_PUBLIC = len(json.loads(read(f"{MERKLE}/public.json")))
# Values of full width that are neither public nor, with high probability, anywhere else.
private = [value for value in values[1 + N_PUBLIC:] if value >> 240][::700]
check(len(private) > 4, "there are private values of full width")


def forms(value):
    return {"as it is": value.to_bytes(32, "little"), "as text": str(value).encode(),
            "in memory form": ((value << 256) % R).to_bytes(32, "little")}


wanted = [(form, data) for value in private for form, data in forms(value).items()]


def found_in(data):
    return sorted({form for form, one in wanted if one in data})


def pieces(service):
    """The memory of the process that can be written, in pieces that overlap, so that no value is cut in two."""
    with open(f"/proc/{service.process.pid}/maps", encoding="ascii") as maps, \
            open(f"/proc/{service.process.pid}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights, *_ = line.split()
            if "w" not in rights:
                continue
            begin, end = (int(part, 16) for part in span.split("-"))
            while begin < end:
                size = min(end - begin, 64 << 20)
                try:
                    memory.seek(begin)
                    yield memory.read(size)
                except OSError:
                    pass
                begin += size if begin + size == end else size - 128


def found(service):
    """The forms in which values are in the memory of the process."""
    return sorted({form for piece in pieces(service) for form in found_in(piece)})


def nothing_left(service, what):
    """Devices wipe in the background, so that it may take a moment."""
    service.until_idle()
    service.until("witness_bytes", 0)
    until = time.time() + 30
    while (left := found(service)) and time.time() < until:
        time.sleep(0.1)
    check(not left, f"after {what}: values are left {left}")


scripts = programs(slow="exec sleep 600", merkle=f'cat "$1" > /dev/null\ncat "{MERKLE}/witness.wtns" > "$2"')
slow = setup(15)
s = Service(keys(merkle=MERKLE, slow=slow), "--in-flight", "1", "--queue", "2", "--timeout", "15", "--patience", "0",
            "--programs", scripts)
try:
    check(not found(s), "values are there before any witness")
except PermissionError:
    print("SKIP: the memory of another process cannot be read here")
    s.stop()
    sys.exit(77)

check(s.prove("merkle", witness).code == 200, "a proof")
nothing_left(s, "a proof")
check(s.prove("merkle", witness, Idempotency_Key="one").code == 200, "a proof that is kept")
nothing_left(s, "a proof that is kept")
text = json.dumps([str(value) for value in values]).encode()
check(s.prove("merkle", text).code == 200, "a proof from JSON")
nothing_left(s, "a proof from JSON")
# On connections that stay open, whose memory stays as well.
kept = [http.client.HTTPConnection("127.0.0.1", s.port, timeout=300) for _ in range(3)]
for i, (connection, body) in enumerate(zip(kept, (witness, text, witness[:-1]))):
    connection.request("POST", "/prove?key=merkle", body)
    answer = connection.getresponse()
    answer.read()
    check(answer.status == (200, 200, 422)[i], f"a proof on connection {i}: {answer.status}")
nothing_left(s, "proofs on connections that stay open")
chunks = (witness[at:at + 3000] for at in range(0, len(witness), 3000))
check(s.request("POST", "/prove?key=merkle", chunks).code == 200, "a body in chunks")
nothing_left(s, "a body in chunks")
inputs = json.dumps({"in": [str(value) for value in private]}).encode()
check(s.prove("merkle", inputs).code == 200, "a proof from inputs")
nothing_left(s, "a proof from inputs")
check(s.request("POST", "/input/merkle", witness).code == 200, "an input")
nothing_left(s, "an input")
# Bad witnesses: one value too many, a value that does not satisfy the circuit, truncated text, another circuit.
check(s.prove("merkle", json.dumps([str(value) for value in values + [1]]).encode()).code == 422, "one value more")
nothing_left(s, "one value more")
wrong = values[:-2] + [(values[-2] + 1) % R, values[-1]]
answer = s.prove("merkle", json.dumps([str(value) for value in wrong]).encode())
check(answer.code == 422 and not found_in(answer.body), f"values that do not satisfy the circuit: {answer.code}")
nothing_left(s, "values that do not satisfy the circuit")
answer = s.prove("merkle", text[:-3])
check(answer.code == 422 and not found_in(answer.body), "text that breaks off")
nothing_left(s, "text that breaks off")
for place in (2, len(values) // 2):
    answer = s.prove("merkle", json.dumps([str(v) for v in values[:place]] + [str(private[0]) + "x"]).encode())
    check(answer.code == 422 and not found_in(answer.body), f"a reason tells a value: {answer.body[:300]}")
check(s.prove("slow", witness).code == 422, "the witness of another circuit")
nothing_left(s, "the witness of another circuit")
check(s.prove("nobody", witness).code == 404, "no key")
nothing_left(s, "a request without a key")
check(s.prove("merkle", witness, "&priority=x").code == 400, "a wrong request")
nothing_left(s, "a wrong request")
check(s.request("POST", "/verify?key=merkle", text).code == 422, "a witness in the wrong place")
nothing_left(s, "a witness in the wrong place")
# While the job waits there is one copy of the witness, and none where the connection received it.
running = s.begin("slow", b"{}")
s.until("running", 1)
asking = threading.Thread(target=lambda: check(s.prove("merkle", witness).code == 200, "a proof that waited"))
asking.start()
s.until("waiting", 1)
copies = sum(piece.count(private[-1].to_bytes(32, "little")) for piece in pieces(s))
check(copies == 1, f"{copies} copies of a witness that waits")
s.request("DELETE", f"/jobs/{running}")
asking.join()
nothing_left(s, "a proof that waited")
# A full queue, jobs that are cancelled or late, and a client that disconnects in the middle of a request.
running = s.begin("slow", b"{}")
s.until("running", 1)
waiting = s.begin("merkle", witness)
check(found(s) == ["as it is"], "the search does not find a witness that waits")
late = s.begin("merkle", witness, "&deadline=0.01")
s.until("waiting", 1)
s.begin("merkle", witness)
answer = s.prove("merkle", witness)
check(answer.code == 429, f"a full queue: {answer.code} {answer.body[:100]}")
s.request("DELETE", f"/jobs/{waiting}")
s.request("DELETE", f"/jobs/{running}")
nothing_left(s, "a full queue, a cancelled and a late job")
running = s.begin("merkle", witness)
s.request("DELETE", f"/jobs/{running}")
nothing_left(s, "a job that was cancelled while it ran")
with socket.create_connection(("127.0.0.1", s.port)) as one:
    one.sendall(b"POST /prove?key=merkle HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(witness))
    one.sendall(witness[:-1000])
    eventually(lambda: s.metric("witness_bytes") > 0, "the body does not arrive")
eventually(lambda: s.metric("witness_bytes") == 0, "the body stays")
nothing_left(s, "a client that broke off")
said = s.said().encode()
check(not found_in(said), "a value is in the log")
for connection in kept:
    connection.close()
s.stop()
check(not found_in(s.said().encode()), "a value is in the log")
finish()
