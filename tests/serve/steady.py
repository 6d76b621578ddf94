# SPDX-License-Identifier: Apache-2.0 OR MIT
"""2,000 proofs over several connections leave the service's memory as it was after the first 200."""
import json

from client import *

LOAD = sys.argv[3]


def resident_kib(service):
    for line in read(f"/proc/{service.process.pid}/status").decode().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def load(service, requests, query=""):
    done = run(LOAD, str(service.port), f"/prove?key=small{query}", f"{SMALL}/witness.wtns", "4", str(requests))
    check(done.returncode == 0, f"load: {done.stdout} {done.stderr}")
    return json.loads(done.stdout)


s = Service(keys(small=SMALL, plonk=PLONK, fflonk=FFLONK), "--queue", "2000")
for key, of in (("plonk", PLONK), ("fflonk", FFLONK)):
    check(s.prove(key, witness_of(of)).code == 200, key)
check(load(s, 200)["good"] == 200, "200 proofs")
before = resident_kib(s)
check(load(s, 2000)["good"] == 2000, "2,000 proofs")
after = resident_kib(s)
print(f"resident: {before} KiB after 200 proofs, {after} KiB after 2,200")
check(after - before < 1024, f"{after - before} KiB more")
check(s.metric('jobs_total{kind="prove",end="done"}') == 2202, "they are counted")
check(s.metric("witness_bytes") == 0 and s.metric("waiting") == 0, "nothing is left")
# Results that can be asked for later are bounded: after twice as many as are kept there are no more than after once.
for _ in range(1100):
    s.begin("small", witness_of(SMALL))
s.until_idle()
before = resident_kib(s)
for _ in range(1100):
    s.begin("small", witness_of(SMALL))
s.until_idle()
after = resident_kib(s)
print(f"resident: {before} KiB after 1,100 kept results, {after} KiB after 2,200")
check(after - before < 1024, f"{after - before} KiB more for results")
s.stop()
finish()
