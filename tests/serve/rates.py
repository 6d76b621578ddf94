# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs per second over four connections, beside those of `reprise replay` with the same key and as many witnesses, in
turns. At every size the best turn of the service is at least 0.95 of the best of replay: after two turns, or, if other
programs disturb the machine, after as many as TURNS."""
import json
import os

from client import *

LOAD = sys.argv[3]
COUNT = {8: 200, 10: 100, 12: 32, 14: 12}
TURNS = 8
folders = {log: setup(log) for log in COUNT}
s = Service(keys(**{f"k{log}": folder for log, folder in folders.items()}), threads=os.cpu_count())
for log, count in COUNT.items():
    folder, key = folders[log], f"k{log}"
    witness = f"{folder}/witness.wtns"
    many = f"{scratch}/many{log}"
    os.mkdir(many)
    for i in range(count):
        os.link(witness, f"{many}/{i}.wtns")
    paths = [f"{many}/{i}.wtns" for i in range(count)]
    check(s.prove(key, read(witness)).code == 200, f"2^{log}")
    served, replayed = 0, 0
    for turn in range(TURNS):
        done = run(REPRISE, "replay", f"{folder}/circuit.zkey", *paths, "-o", f"{scratch}/out", "-d", "cpu", "--json")
        check(done.returncode == 0, f"replay: {done.stderr}")
        replayed = max(replayed, json.loads(done.stdout)["proofs_per_second"])
        done = run(LOAD, str(s.port), f"/prove?key={key}", witness, "4", str(count))
        check(done.returncode == 0, f"load: {done.stdout} {done.stderr}")
        served = max(served, json.loads(done.stdout)["per_second"])
        if turn > 0 and served >= 0.95 * replayed:
            break
    print(f"2^{log}: {served:.1f} a second served, {replayed:.1f} replayed: {served / replayed:.2f}", flush=True)
    check(served >= 0.95 * replayed, f"2^{log} is too slow")
s.stop()
finish()
