# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What becomes of jobs: a full queue, priorities, deadlines, cancelling, repetition, keys that make room for each
other, clients that go away, and the end of the service."""

import os

from client import *

SLOW = setup(15)
slow, small = witness_of(SLOW), witness_of(SMALL)
one_at_a_time = ("--in-flight", "1")


def block(service):
    """The one worker waits for a program, until the job is deleted."""
    job = service.begin("slow", b"{}")
    service.until("running", 1)
    return job


def release(service, job):
    service.request("DELETE", f"/jobs/{job}")


# ---- A full queue refuses a job, says when to try again, and takes it then.
s = Service(keys(slow=SLOW, small=SMALL), *one_at_a_time, "--queue", "4", "--patience", "0", "--programs",
            programs(slow="exec sleep 600"))
check(s.prove("slow", slow).code == 200, "a slow proof")
blocking = block(s)
jobs = [s.begin("slow", slow) for _ in range(4)]
for _ in range(3):
    answer = s.prove("small", small)
    check(answer.code == 429 and int(answer.headers["Retry-After"]) >= 1, f"a full queue: {answer.code}")
check(s.metric('refused_total{reason="queue"}') == 3, "what was refused is counted")
release(s, blocking)
for job in jobs:
    check(s.wait(job).json["state"] == "done", "a job that waited")
    check(verify(SLOW, s.job(job)), "its proof")
check(s.prove("small", small).code == 200, "there is room again")

# ---- Larger priorities first, then older ones.
blocking = block(s)
jobs = [s.begin("slow", slow, f"&priority={priority}") for priority in (0, 7, 0, 7)]
release(s, blocking)
ends = [s.wait(job).json for job in jobs]
check([end["state"] for end in ends] == ["done"] * 4, f"jobs with priorities: {ends}")
# The first job waits for two others, the second for none, the third for three, the fourth for one.
order = sorted(range(4), key=lambda i: ends[i]["waited_ms"])
check(order == [1, 3, 0, 2], f"the order of priorities: {order}")

# ---- A deadline that passes while a job waits, and while it runs.
blocking = block(s)
late = s.prove("small", small, "&deadline=0.05")
check(late.code == 504 and "deadline" in late.json["error"]["reason"], f"late: {late.code}")
check(s.get("/status").json["service"]["running"] == 1, "it was told while it waited")
release(s, blocking)
s.until("running", 0)
late = s.prove("slow", slow, "&deadline=0.05")
check(late.code == 504, f"a job that is late while it runs: {late.code} {late.body[:200]}")
check(s.metric("late_total") == 2, "late jobs are counted")
check(s.prove("small", small, "&deadline=100").code == 200, "a deadline that does not pass")

# ---- Cancelling jobs that wait, that run, that have ended, and that do not exist.
blocking = block(s)
waiting = s.begin("slow", slow)
check(s.job(blocking).json["state"] == "running" and s.job(waiting).json["state"] == "waiting", "states")
check(s.request("DELETE", f"/jobs/{waiting}").code == 200, "DELETE of a job that waits")
check(s.job(waiting).code == 409 and s.job(waiting).json["error"]["status"] == "RP_ERR_CANCELLED", "it is cancelled")
release(s, blocking)
check(s.wait(blocking).code == 409, "a job whose program runs is cancelled")
for attempt in range(20):  # the proof may be faster than this client
    running = s.begin("slow", slow)
    eventually(lambda: s.job(running).code != 200 or s.job(running).json["state"] != "waiting", "it begins")
    check(s.request("DELETE", f"/jobs/{running}").code in (200, 202), "DELETE of a job that runs")
    if s.wait(running).code == 409:
        break
check(s.job(running).code == 409, f"it is cancelled: {s.job(running).code}")
done = s.begin("small", small)
check(s.wait(done).code == 200 and s.request("DELETE", f"/jobs/{done}").json["state"] == "done", "it has ended before")
check(s.request("DELETE", "/jobs/" + "0" * 32).code == 404, "a job that is not there")
check(s.prove("small", small).code == 200, "the service goes on")
check(s.request("POST", "/input/slow", b"{}").code == 200, "an input")
s.until("running", 1)
check(s.get("/status").json["status"] == "busy", "it is busy")
check(s.request("POST", "/cancel").code == 200, "POST /cancel")
s.until_idle()
check(s.get("/status").json["status"] == "aborted" and "error" not in s.get("/status").json, "it is aborted")
blocking = block(s)
for circuit, witness in (("slow", slow), ("small", small)):
    check(s.request("POST", f"/input/{circuit}", witness).code == 200, "an input, and another one in its place")
check(s.get("/status").json["service"]["waiting"] == 1, "only the last input waits")
release(s, blocking)
s.until_idle()
check(s.get("/status").json["status"] == "success", "the last input is proved")

# ---- Requests with the same Idempotency-Key are one job: one after another, at the same time, and while the job waits.
once = {"Idempotency_Key": "order-1"}
one, two = s.prove("small", small, **once), s.prove("small", small, **once)
check(one.code == 200 and one.body == two.body, "two requests, one proof")
check(s.prove("small", small).json["id"] != one.json["id"], "without it there is another job")
check(s.prove("small", small + b"x", **once).code == 422, "the same key with another witness")
check(s.prove("slow", slow, **once).code == 422, "the same key with another circuit and its witness")
check(s.prove("slow", small, **once).code == 422, "the same key and witness with another circuit")
before = s.get("/status").json["service"]["proofs"]
same = together(*[lambda: s.prove("slow", slow, Idempotency_Key="order-2")] * 6)
check(len({answer.body for answer in same}) == 1 and same[0].code == 200, "six at once, one proof")
check(s.get("/status").json["service"]["proofs"] == before + 1, "it was proved once")
failed = [s.prove("small", b"no witness", Idempotency_Key="order-3") for _ in range(2)]
check([answer.code for answer in failed] == [422, 422], "a failure, twice")
check(failed[0].json["id"] != failed[1].json["id"], "a failed job is tried again")
running = s.begin("slow", slow, Idempotency_Key="order-4")
s.request("DELETE", f"/jobs/{running}")
check(s.prove("slow", slow, Idempotency_Key="order-4").code == 200, "a cancelled job is tried again")

# ---- Results that nobody asks for are forgotten, the oldest first.
many = [s.prove("small", b"no witness", Idempotency_Key=f"one of many {i}").json["id"] for i in range(1025)]
check(s.job(many[-1]).code == 422 and s.job(many[1]).code == 422, "the latest of many results")
check(s.job(many[0]).code == 404, "the oldest of many results")

# ---- The job of a client that disconnects is cancelled, unless the client can ask for it again.
blocking = block(s)
head = b"POST /prove?key=slow HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
kept = socket.create_connection(("127.0.0.1", s.port))
kept.sendall(head % (b"Idempotency-Key: order-5\r\n", len(slow)) + slow)
s.until("waiting", 1)
listed = s.begin("slow", slow, Idempotency_Key="order-5")
with socket.create_connection(("127.0.0.1", s.port)) as gone:
    gone.sendall(head % (b"", len(slow)) + slow)
    s.until("waiting", 2)
    kept.close()
eventually(lambda: s.metric("clients_gone_total") == 1, "a client that went away is noticed")
check(s.job(listed).json["state"] == "waiting", "a job with an Idempotency-Key outlives its client")
s.request("DELETE", f"/jobs/{listed}")
s.until("waiting", 0)
check(s.get("/status").json["service"]["running"] == 1, "the other job is there")
release(s, blocking)
s.stop()

# ---- Keys that do not all fit into memory: each is evicted for the next one, and loaded again.
s = Service(keys(a=SLOW, b=SLOW, small=SMALL), *one_at_a_time, "--patience", "0")
for name in "aba":
    check(s.prove(name, slow).code == 200, f"without a limit: {name}")
check(s.get("/status").json["service"]["keys_evicted"] == 0, "no key goes where there is memory")
s.stop()
one_and_a_half = str(os.path.getsize(f"{SLOW}/circuit.zkey") * 3 // 2)
s = Service(keys(a=SLOW, b=SLOW, small=SMALL), *one_at_a_time, "--patience", "0", "-m", one_and_a_half)
check([s.prove(name, slow).code for name in "abab"] == [200] * 4, "keys that make room for each other")
check(s.get("/status").json["service"]["keys_evicted"] == 3, f"one has made room: {s.get('/status').body}")
resident = [key["name"] for key in s.get("/keys").json if key["resident"]]
check(resident == ["b"], f"the one that was used last is resident: {resident}")
check(s.prove("small", small).code == 200, "a small key beside it, or in its place")
s.stop()
s = Service(keys(a=SLOW, small=SMALL), *one_at_a_time, "-m", "1M")
answer = s.prove("a", slow)
check(answer.code == 503 and answer.json["error"]["status"] == "RP_ERR_BUDGET", f"a key that never fits: {answer.code}")
check(s.prove("small", small).code == 200, "one that fits")
s.stop()
s = Service(keys(a=SMALL, b=SMALL, c=SMALL), "--resident", "2")
for name in "abcab":
    check(s.prove(name, small).code == 200, f"of two resident keys: {name}")
check(s.get("/status").json["service"]["keys_evicted"] == 3, "the one that was used longest ago goes")
s.stop()
s = Service(keys(a=SLOW, b=SLOW), "--resident", "1", "--patience", "0")  # two workers that want two keys
answers = together(*[lambda name=name: s.prove(name, slow) for name in "abababab"])
check([answer.code for answer in answers] == [200] * 8, f"keys that are in use stay: {answers}")
check(all(verify(SLOW, answer) for answer in answers), "their proofs")
s.stop()

# ---- Resident keys first, for as long as the patience lasts.
s = Service(keys(slow=SLOW, small=SMALL, other=SMALL), *one_at_a_time, "--resident", "2", "--patience", "600",
            "--programs", programs(slow="exec sleep 600"))
s.prove("small", small)
blocking = block(s)
other, resident = s.begin("other", small), s.begin("small", small)
release(s, blocking)
check(s.wait(resident).json["waited_ms"] < s.wait(other).json["waited_ms"], "the resident key is first")
s.stop()

# ---- The end: jobs that run or wait are finished, and new jobs are refused.
GATE = f"{scratch}/gate"
gated = ("--programs", programs(slow=f'until [ -e "{GATE}" ]; do sleep 0.02; done; cat "{SLOW}/witness.wtns" > "$2"'))


def three(service, results):
    """One job whose program waits for the gate, and two that wait; the threads of their clients."""
    def ask(body):
        results.append(service.prove("slow", body))
    clients = [threading.Thread(target=ask, args=(body,)) for body in (b"{}", slow, slow)]
    clients[0].start()
    service.until("running", 1)
    for client in clients[1:]:
        client.start()
    service.until("waiting", 2)
    told = service.get("/metrics").body.decode()
    check("reprise_serve_waiting 2\n" in told and "reprise_serve_running 1\n" in told, "metrics count them apart")
    return clients


def open_gate():
    with open(GATE, "w", encoding="ascii"):
        pass


s = Service(keys(slow=SLOW, small=SMALL), *one_at_a_time, *gated)
idle = http.client.HTTPConnection("127.0.0.1", s.port, timeout=300)
idle.request("GET", "/healthz")
idle.getresponse().read()
results = []
clients = three(s, results)
s.process.send_signal(signal.SIGTERM)
eventually(lambda: "stopping" in s.said(), "it does not stop")
idle.request("POST", "/prove?key=small", small)
answer = idle.getresponse()
check(answer.status == 503 and answer.headers["Retry-After"], f"while it stops: {answer.status}")
answer.read()
idle.request("GET", "/healthz")
check(idle.getresponse().status == 503, "health while it stops")
try:
    s.get("/healthz")
    check(False, "a new connection while it stops")
except OSError:
    pass
open_gate()
for client in clients:
    client.join()
check([answer.code for answer in results] == [200] * 3, f"jobs in flight: {[answer.code for answer in results]}")
check(all(verify(SLOW, answer) for answer in results), "their proofs")
check(s.process.wait(300) == 0, "exit code 0")

# ---- No grace at the end, or a second signal: jobs that wait are refused, and jobs that run are finished.
for options, signals in (((*one_at_a_time, "--grace", "0"), 1), (one_at_a_time, 2)):
    os.unlink(GATE)
    s = Service(keys(slow=SLOW), *options, *gated)
    results = []
    clients = three(s, results)
    s.process.send_signal(signal.SIGINT)
    eventually(lambda: "stopping" in s.said(), "it does not stop")
    if signals > 1:
        s.process.send_signal(signal.SIGINT)
    eventually(lambda: len(results) == 2, "what waits is not refused")
    open_gate()
    for client in clients:
        client.join()
    check(sorted(answer.code for answer in results) == [200, 503, 503], f"after the end: {results}")
    check(s.process.wait(300) == 0, "exit code 0")
finish()
