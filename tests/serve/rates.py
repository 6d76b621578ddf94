# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the service costs beside `reprise replay` with the same key and as many witnesses, in turns, so that it can be
seen on a machine that other programs disturb. Over four connections, at every size:

- a proof takes at most 1 / COST of the processor time of one of replay, and 0.3 ms more for the request;
- two proofs are in flight, so that the device's threads always have work: together, proofs take at least 1.75 times the
  time that passes;
- proofs per second are at least WALL of those of replay.

Each is the best of the turns: at least two, and as many as TURNS until all hold.

In the environment SERVE_RATES_COST=0.95 (default: 0.8) and SERVE_RATES_WALL=0.95 (default: 0.6) are the bounds of an
undisturbed machine; on others, even the processor time of the same proof differs by a tenth.
"""
import json
import os
import resource

from client import *

LOAD = sys.argv[3]
COST = float(os.environ.get("SERVE_RATES_COST", "0.8"))
WALL = float(os.environ.get("SERVE_RATES_WALL", "0.6"))
COUNT = {0: 100, 10: 40, 12: 16, 14: 8}
FEW = 2
TURNS = 8


def processor_seconds(pid):
    fields = read(f"/proc/{pid}/stat").decode().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def replay(key, witnesses):
    """Processor seconds, and proofs per second."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(REPRISE, "replay", key, *witnesses, "-o", f"{scratch}/out", "-d", "cpu", "--json")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    check(done.returncode == 0, f"replay: {done.stderr}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, json.loads(done.stdout)["proofs_per_second"]


def load(service, key, witness, connections, count):
    """Processor seconds of the service, seconds, seconds of all proofs."""
    used, proving = processor_seconds(service.process.pid), service.metric("prove_seconds_total")
    done = run(LOAD, str(service.port), f"/prove?key={key}", witness, str(connections), str(count))
    check(done.returncode == 0, f"load: {done.stdout} {done.stderr}")
    used, proving = processor_seconds(service.process.pid) - used, service.metric("prove_seconds_total") - proving
    return used, json.loads(done.stdout)["seconds"], proving


def most(replayed):
    return replayed / COST + 0.3


class Best:
    """The best of the turns of one size. Processor times are milliseconds per proof; what replay takes to open the key
    is not among them. The two of a turn belong together, since others may slow down both."""

    def __init__(self):
        self.few = float("inf")
        self.rate = self.served_rate = self.in_flight = 0
        self.served, self.replayed = float("inf"), 0

    def turn(self, service, key, folder, paths):
        count = len(paths)
        self.few = min(self.few, replay(f"{folder}/circuit.zkey", paths[:FEW])[0])
        used, rate = replay(f"{folder}/circuit.zkey", paths)
        replayed = 1000 * (used - self.few) / (count - FEW)
        self.rate = max(self.rate, rate)
        used, seconds, proving = load(service, key, paths[0], 4, count)
        self.served_rate = max(self.served_rate, count / seconds)
        self.in_flight = max(self.in_flight, proving / seconds)
        if 1000 * used / count - most(replayed) < self.served - most(self.replayed):
            self.served, self.replayed = 1000 * used / count, replayed

    def objections(self):
        if self.served > most(self.replayed):
            yield "a proof takes too much processor time"
        if self.in_flight < 1.75:
            yield "proofs are not in flight together"
        if self.served_rate < WALL * self.rate:
            yield "too few proofs per second"


def size(service, log, folder):
    key, best = f"k{log}", Best()
    many = f"{scratch}/many{log}"
    os.mkdir(many)
    paths = [f"{many}/{i}.wtns" for i in range(COUNT[log])]
    for path in paths:
        shutil.copy(f"{folder}/witness.wtns", path)
    check(service.prove(key, read(paths[0])).code == 200, key)
    for turn in range(TURNS):
        best.turn(service, key, folder, paths)
        if turn > 0 and not list(best.objections()):
            break
    print(f"{key}: {best.served:.2f} ms of processors per proof, {best.replayed:.2f} replayed; {best.in_flight:.2f} in "
          f"flight; {best.served_rate:.1f} per second, {best.rate:.1f} replayed", flush=True)
    for objection in best.objections():
        check(False, f"{key}: {objection}")


folders = {log: setup(log) if log else SMALL for log in COUNT}
s = Service(keys(**{f"k{log}": folder for log, folder in folders.items()}), threads=os.cpu_count())
for log, folder in folders.items():
    size(s, log, folder)
s.stop()
finish()
