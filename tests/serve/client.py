# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared by the tests of reprise serve: a service of the test's own, requests, expectations, and the verdict."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

REPRISE, DATA = sys.argv[1], sys.argv[2]
SMALL = f"{DATA}/fixtures/multiplier_bn254"
MERKLE = f"{DATA}/fixtures/poseidon_merkle"
PLONK = f"{DATA}/plonk/multiplier"
FFLONK = f"{DATA}/fflonk/multiplier"
scratch = tempfile.mkdtemp()
checks, failures = 0, 0
services = []


def check(good, what):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print(f"OBJECTION: {what}", flush=True)
    return bool(good)


def finish():
    for service in services:
        if service.process.poll() is None:
            service.process.kill()
            service.process.wait()
    shutil.rmtree(scratch, ignore_errors=True)
    print(f"{checks} checks, {failures} objections")
    sys.exit(failures != 0)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def witness_of(folder):
    return read(f"{folder}/witness.wtns")


def values_of(wtns):
    """The values of a .wtns file with elements of 32 bytes, as integers."""
    at, values = 12, b""
    while at < len(wtns):
        section, size = int.from_bytes(wtns[at:at + 4], "little"), int.from_bytes(wtns[at + 4:at + 12], "little")
        if section == 2:
            values = wtns[at + 12:at + 12 + size]
        at += 12 + size
    return [int.from_bytes(values[i:i + 32], "little") for i in range(0, len(values), 32)]


def run(*command):
    return subprocess.run(command, capture_output=True, check=False, timeout=300)


def setup(log_domain):
    """An insecure key of 2^log_domain; the folder with it and a witness."""
    folder = f"{scratch}/setup{log_domain}"
    done = run(REPRISE, "setup", "--insecure", "-l", str(log_domain), "-d", "cpu", folder)
    check(done.returncode == 0, f"setup: {done.stderr}")
    return folder


def keys(**folders):
    """A folder of keys, by name."""
    folder = tempfile.mkdtemp(dir=scratch)
    for name, of in folders.items():
        shutil.copy(f"{of}/circuit.zkey", f"{folder}/{name}.zkey")
    return folder


def programs(**lines):
    """A folder of programs that compute witnesses, by name of the key: the lines of shell scripts."""
    folder = tempfile.mkdtemp(dir=scratch)
    for name, text in lines.items():
        with open(f"{folder}/{name}", "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(f"{folder}/{name}", 0o700)
    return folder


def eventually(holds, what, seconds=120):
    """Waits until a condition holds; the limit only ends a test that hangs."""
    until = time.time() + seconds
    while not holds():
        if time.time() > until:
            return check(False, f"after {seconds} seconds: {what}")
        time.sleep(0.005)
    return True


class Answer:
    def __init__(self, code, headers, body):
        self.code, self.headers, self.body = code, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Service:
    """A service on a free port; stopped by stop()."""

    def __init__(self, folder, *options, token=None, threads=1, env=None):
        env = dict(os.environ, **(env or {}))
        if token and "--token-file" not in options:
            env["REPRISE_SERVE_TOKEN"] = token
        self.token = token
        self.log = tempfile.NamedTemporaryFile(dir=scratch, mode="w+b", delete=False)
        command = [REPRISE, "serve", folder, "-l", "127.0.0.1:0", "-d", "cpu", "-t", str(threads), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, env=env)
        services.append(self)
        line = self.process.stdout.readline().decode()
        found = re.match(r"http://127\.0\.0\.1:(\d+)\n$", line)
        if not check(found, f"the service does not say where it listens: {line!r} {self.said()!r}"):
            finish()
        self.port = int(found.group(1))

    def said(self):
        return read(self.log.name).decode()

    def request(self, method, path, body=None, headers=None, timeout=300):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = dict(headers or {})
        if self.token and "Authorization" not in headers:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path):
        return self.request("GET", path)

    def prove(self, key, witness, query="", **headers):
        return self.request("POST", f"/prove?key={key}{query}", witness,
                            {name.replace("_", "-"): value for name, value in headers.items()})

    def begin(self, key, witness, query="", **headers):
        """Asks without waiting; the id."""
        answer = self.prove(key, witness, "&wait=0" + query, **headers)
        check(answer.code in (200, 202), f"wait=0: {answer.code} {answer.body}")
        return answer.json["id"]

    def job(self, job):
        return self.get(f"/jobs/{job}")

    def wait(self, job, seconds=300):
        """Until the job has ended: its answer."""
        until = time.time() + seconds
        while True:
            answer = self.job(job)
            if answer.code != 200 or answer.json["state"] not in ("waiting", "running") or time.time() > until:
                return answer
            time.sleep(0.01)

    def until(self, what, value):
        """Until a figure of /status has a value."""
        return eventually(lambda: self.get("/status").json["service"][what] == value, f"{what} is not {value}")

    def until_idle(self):
        def is_idle():
            status = self.get("/status").json["service"]
            return status["running"] == 0 and status["waiting"] == 0
        return eventually(is_idle, "it is not idle")

    def metric(self, name):
        for line in self.get("/metrics").body.decode().splitlines():
            if line.startswith(f"reprise_serve_{name} "):
                return float(line.split()[1])
        return None

    def raw(self, data, seconds=20):
        """Sends bytes and reads until the service closes the connection, or for so long; what came."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as s:
            came = b""
            try:
                s.sendall(data)
                while True:
                    part = s.recv(65536)
                    if not part:
                        break
                    came += part
            except (ConnectionError, socket.timeout):
                pass
            return came

    def stop(self, expect=0):
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(120)
        except subprocess.TimeoutExpired:
            code = "nothing"
            self.process.kill()
        said = self.said()
        check(code == expect, f"the service ends with {code}: {said[-600:]}")
        check("Sanitizer" not in said and "runtime error" not in said, f"sanitizer report: {said[-3000:]}")


def verify(folder, answer):
    """The proof of an answer is good, by the command."""
    with open(f"{scratch}/proof.json", "w", encoding="ascii") as file:
        json.dump(answer.json["proof"], file)
    with open(f"{scratch}/public.json", "w", encoding="ascii") as file:
        json.dump(answer.json["public"], file)
    done = run(REPRISE, "verify", f"{folder}/verification_key.json", f"{scratch}/public.json", f"{scratch}/proof.json")
    return done.returncode == 0


def together(*calls):
    """Calls at the same time; their results."""
    results = [None] * len(calls)

    def one(i):
        try:
            results[i] = calls[i]()
        except OSError as error:
            results[i] = error
    threads = [threading.Thread(target=one, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
