# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What can be asked, answered rightly: proofs of every protocol, both forms of a witness, verification, keys, figures,
what clients of rapidsnark's server ask, tokens, addresses."""
import hashlib
import json
import os
import re
import shutil

from client import *

folder = keys(small=SMALL, bls=f"{DATA}/fixtures/multiplier_bls12381", merkle=MERKLE, plonk=PLONK, fflonk=FFLONK)
with open(f"{folder}/notes.zkey", "w", encoding="ascii") as file:
    file.write("no key\n")
s = Service(folder)
check("notes.zkey" in s.said(), "nothing says that a file is no key")

# ---- Proofs: by name, by digest, binary and JSON.
for name, of in (("small", SMALL), ("bls", f"{DATA}/fixtures/multiplier_bls12381"), ("merkle", MERKLE),
                 ("plonk", PLONK), ("fflonk", FFLONK)):
    answer = s.prove(name, witness_of(of))
    if check(answer.code == 200 and answer.json["state"] == "done", f"{name}: {answer.code} {answer.body[:300]}"):
        check(verify(of, answer), f"the proof of {name} does not verify")
        check(answer.json["public"] == json.loads(read(f"{of}/public.json")), f"{name}: other public signals")
    # JSON on one line, or with the line breaks of snarkjs
    values = [str(value) for value in values_of(witness_of(of))]
    for text in (json.dumps(values), "\n " + json.dumps(values, indent=1)):
        answer = s.prove(name, text.encode())
        check(answer.code == 200 and verify(of, answer), f"{name} from JSON: {answer.code} {answer.body[:300]}")
digest = hashlib.sha256(read(f"{SMALL}/circuit.zkey")).hexdigest()
check(s.prove(digest, witness_of(SMALL)).code == 200, "a key by its digest")
check(s.prove("0" * 64, witness_of(SMALL)).code == 404, "a key that is not there, by digest")
check(s.request("POST", "/prove", witness_of(SMALL)).code == 400, "no key is named, and there are several")
chunks = (witness_of(MERKLE)[at:at + 1000] for at in range(0, len(witness_of(MERKLE)), 1000))
check(s.request("POST", "/prove?key=merkle", chunks).code == 200, "a body in chunks")
check(s.prove("merkle", witness_of(MERKLE), Content_Encoding="gzip").code == 415, "a body that is encoded")

# ---- Bodies that are not witnesses.
wrong = bytearray(witness_of(SMALL))
wrong[-1] = 255
for what, body, status in (("of another circuit", witness_of(MERKLE), "RP_ERR_MISMATCH"),
                           ("empty", b"", "RP_ERR_FORMAT"), ("no file", b"xyz", "RP_ERR_FORMAT"),
                           ("truncated", witness_of(SMALL)[:100], "RP_ERR_FORMAT"),
                           ("not below r", bytes(wrong), "RP_ERR_FORMAT"), ("short JSON", b'["1"]', "RP_ERR_MISMATCH"),
                           ("not even JSON", b'["1", 7', "RP_ERR_FORMAT"), ("inputs", b'{"a": 1}', "RP_ERR_FORMAT"),
                           ("long JSON", json.dumps(["1"] * 100).encode(), "RP_ERR_MISMATCH"),
                           ("not satisfying", json.dumps(["1", "5", "3", "7", "2", "2"]).encode(), "RP_ERR_VERIFY")):
    answer = s.prove("small", body)
    check(answer.code == 422 and answer.json["error"]["status"] == status, f"{what}: {answer.code} {answer.body}")

# ---- Verification, with the service's keys and with the client's.
for name, of in (("small", SMALL), ("plonk", PLONK), ("fflonk", FFLONK)):
    proof, public = json.loads(read(f"{of}/proof.json")), json.loads(read(f"{of}/public.json"))
    vkey = json.loads(read(f"{of}/verification_key.json"))
    good, bad = {"proof": proof, "public": public}, {"proof": proof, "public": ["34"]}
    ask = lambda body, key=f"?key={name}": s.request("POST", f"/verify{key}", json.dumps(body).encode())
    check(ask(good).code == 200 and ask(good).json["valid"] is True, f"{name}: {ask(good).body}")
    check(ask(bad).code == 200 and ask(bad).json["valid"] is False, f"{name}: a wrong proof: {ask(bad).body}")
    check(ask(dict(good, public=public * 2)).json["valid"] is False, f"{name}: too many signals")
    check(ask(dict(good, vkey=vkey), "").json["valid"] is True, f"{name}: its own key")
    check(ask(dict(bad, vkey=vkey), "").json["valid"] is False, f"{name}: its own key, a wrong proof")
    check(ask(good, "").code == 422, f"{name}: no key: {ask(good, '').code}")
    check(ask({"proof": proof}).code == 422, f"{name}: no signals")
check(s.request("POST", "/verify?key=nobody", b"{}").code == 404, "verification with no key")

# ---- Keys: the list of them, and more of them from the folder.
listed = s.get("/keys").json
check([key["name"] for key in listed] == ["bls", "fflonk", "merkle", "plonk", "small"], f"keys: {listed}")
check({key["protocol"] for key in listed} == {"groth16", "plonk", "fflonk"}, "protocols of keys")
check(s.get("/keys/small").json["sha256"] == digest, "the digest of a key")
check(s.get("/keys/nobody").code == 404, "a key that is not there")
shutil.copy(f"{SMALL}/circuit.zkey", f"{folder}/later.zkey")
check(s.prove("later", witness_of(SMALL)).code == 404, "a file that nobody named")
check(s.request("PUT", "/keys/later").code == 201, "PUT of a key")
check(s.request("PUT", "/keys/later").code == 200, "PUT of it again")
check(s.prove("later", witness_of(SMALL)).code == 200, "a proof with it")
put = lambda body: s.request("POST", "/keys", json.dumps(body).encode())
check(put({"name": "other", "file": "later.zkey", "sha256": digest}).code == 201, "POST of a key")
check(put({"name": "other", "file": "later.zkey", "sha256": "0" * 64}).code == 422, "a key with another digest")
check(put({"name": "other", "file": "later.zkey", "sha256": digest + "00"}).code == 422, "a digest that is too long")
check(put({"name": digest, "file": "merkle.zkey"}).code == 201, "a key that is called like the digest of another one")
check(verify(SMALL, s.prove(digest, witness_of(SMALL))), "a digest names the key that has it")
check(put({"name": "notes"}).code == 422, "a file that is no key")
check(put({"name": "missing"}).code == 404, "a file that is not there")
for name in ("../small", "a/b", ".hidden", "", "a" * 200, "caf\u00e9"):
    check(put({"name": name, "file": "small.zkey"}).code in (400, 422), f"a key named {name!r}")
    check(name == "" or put({"name": "x", "file": name}).code in (400, 404, 422), f"a file named {name!r}")
check(s.get("/keys/x").code == 404, "a key of a wrong file")
shutil.copy(f"{PLONK}/circuit.zkey", f"{folder}/later.zkey")  # a resident key of the file stays, others are refused
check(put({"name": "again", "file": "later.zkey"}).code == 201, "the file is another one now")
check(s.prove("again", witness_of(PLONK)).code == 200, "a proof with the new file")
answer = s.prove("other", witness_of(SMALL))
check(answer.code == 422 and b"was changed" in answer.body, f"the file of a key was changed: {answer.body}")
proof, public = (json.loads(read(f"{SMALL}/{of}.json")) for of in ("proof", "public"))
answer = s.request("POST", "/verify?key=other", json.dumps({"proof": proof, "public": public}).encode())
check(answer.code == 422 and b"was changed" in answer.body, f"verified by a file that was changed: {answer.body}")
recorded = run(REPRISE, "record", f"{SMALL}/circuit.zkey", f"{folder}/recorded.rpk", "-d", "cpu")
check(recorded.returncode == 0, f"record: {recorded.stderr}")
check(put({"name": "recorded", "file": "recorded.rpk"}).code == 201, "a recorded key")
check(verify(SMALL, s.prove("recorded", witness_of(SMALL))), "a proof with a recorded key")

# ---- A recorded key of gnark: bodies are solutions, in either form; public signals are a list, as for other keys.
RANGE = f"{DATA}/gnark/bn254/range"
with open(f"{scratch}/info.json", "w", encoding="ascii") as file:
    json.dump(json.loads(read(f"{RANGE}/facts.json"))["commitment_info"], file)
recorded = run(REPRISE, "record", f"{RANGE}/pk.raw", f"{folder}/range.rpk", "-d", "cpu", "--vkey", f"{RANGE}/vk.bin",
               "--commitments", f"{scratch}/info.json")
check(recorded.returncode == 0, f"record: {recorded.stderr}")
check(put({"name": "range", "file": "range.rpk"}).code == 201, "a key of gnark")
for form in ("bin", "mont"):
    answer = s.prove("range", read(f"{RANGE}/solution.{form}"))
    if check(answer.code == 200, f"solution.{form}: {answer.code} {answer.body[:300]}"):
        with open(f"{scratch}/proof.bin", "wb") as file:
            file.write(bytes.fromhex(answer.json["proof"]["gnark_proof"]))
        verified = run(REPRISE, "verify", f"{RANGE}/vk.raw", f"{RANGE}/witness.pub", f"{scratch}/proof.bin")
        check(verified.returncode == 0, f"a proof of gnark: {verified.stderr}")
        body = {"proof": answer.json["proof"], "public": answer.json["public"]}
        ask = lambda body: s.request("POST", "/verify?key=range", json.dumps(body).encode())
        check(ask(body).json["valid"] is True, f"verified here: {ask(body).body}")
        check(ask(dict(body, public=["34"])).json["valid"] is False, "another signal")
        for wrong in ("", "0", "0g", "AB", "00" * 5000, answer.json["proof"]["gnark_proof"][:-2]):
            check(ask(dict(body, proof={"gnark_proof": wrong})).code == 422, f"no proof of gnark: {wrong[:20]}")
for what, body, status in (("a witness of circom", witness_of(SMALL), "RP_ERR_FORMAT"),
                           ("JSON", b'["1"]', "RP_ERR_FORMAT"), ("inputs", b'{"a": 1}', "RP_ERR_FORMAT"),
                           ("empty", b"", "RP_ERR_FORMAT"),
                           ("of another circuit", read(f"{DATA}/gnark/bn254/cubic/solution.bin"), "RP_ERR_MISMATCH")):
    answer = s.prove("range", body)
    check(answer.code == 422 and answer.json["error"]["status"] == status, f"{what}: {answer.code} {answer.body}")

# ---- Paths and methods.
check(s.get("/").code == 404 and s.get("/nothing").code == 404, "a path that is not there")
check(s.get("/prove").code == 405 and s.get("/prove").headers["Allow"] == "POST", "a method that is not allowed")
check(s.request("HEAD", "/healthz").code == 200, "HEAD")
check(s.get("/healthz").body == b"ok\n", "health")
for query in ("&priority=-1", "&priority=1001", "&priority=x", "&deadline=0", "&deadline=soon", "&deadline=nan"):
    check(s.prove("small", witness_of(SMALL), query).code == 400, query)

# ---- Figures.
metrics = s.get("/metrics")
check(metrics.headers["Content-Type"].startswith("text/plain; version=0.0.4"), "the type of metrics")
for line in metrics.body.decode().splitlines():
    check(re.match(r'# (HELP|TYPE) reprise_serve_[a-z_]+ .+$|'
                   r'reprise_serve_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$', line),
          f"no line of metrics: {line}")
check(s.metric('jobs_total{kind="prove",end="done"}') > 15, "proofs are counted")
check(s.metric("witness_bytes") == 0, "all bodies are gone")

# ---- Clients of rapidsnark's server.
check(s.get("/status").json["status"] == "ready", "status at the beginning")
for body, want in ((witness_of(SMALL), "success"), (witness_of(MERKLE), "failed")):
    check(s.request("POST", "/input/small", body).code == 200, "POST /input")
    eventually(lambda: s.get("/status").json["status"] != "busy", "it is busy")
    answer = s.get("/status").json
    check(answer["status"] == want, f"{answer['status']} and not {want}")
    if want == "success":
        check(json.loads(answer["pubData"]) == ["33"], "pubData")
        check(json.loads(answer["proof"])["protocol"] == "groth16", "proof")
    else:
        check(answer["error"], "error")
once = {"Idempotency-Key": "an input"}
for path in ("/prove?key=small", "/input/small", "/input/small"):
    check(s.request("POST", path, witness_of(SMALL), once).code == 200, f"POST {path} with an Idempotency-Key")
s.until_idle()
answer = s.get("/status").json
check(answer["status"] == "success" and json.loads(answer["pubData"]) == ["33"], f"an input that repeats: {answer}")
check(s.request("POST", "/input/nobody", b"x").code == 404, "an input of no circuit")
check(s.request("POST", "/cancel").code == 200, "POST /cancel")
s.stop()

# ---- Programs that compute witnesses: this one takes {"witness": FILE}.
script = """[ -z "$REPRISE_SERVE_TOKEN" ] || exit 1
file=$(sed -n 's/.*"witness": "\\(.*\\)".*/\\1/p' "$1")
[ "$file" != slow ] || exec sleep 600
cat "$file" > "$2\""""
s = Service(keys(small=SMALL, merkle=MERKLE), "--programs", programs(small=script), token="0123456789abcdef")
inputs = lambda file: json.dumps({"witness": file}).encode()
answer = s.prove("small", inputs(f"{SMALL}/witness.wtns"))
check(answer.code == 200 and verify(SMALL, answer), f"from inputs: {answer.code} {answer.body[:300]}")
check(s.prove("small", inputs(f"{scratch}/nothing")).code == 422, "inputs that the program does not accept")
check(s.prove("small", inputs(f"{SMALL}/input.json")).code == 422, "what the program makes is no witness")
check(s.prove("merkle", inputs("x")).code == 404, "there is no program")
check(s.prove("small", inputs("slow"), "&deadline=0.5").code == 504, "a program that is too slow")
check(s.request("POST", "/input/small", inputs(f"{SMALL}/witness.wtns")).code == 200, "POST /input with inputs")
s.stop()

# ---- Tokens, from a file and from the environment: no other token is accepted.
token = "k" * 40
with open(f"{scratch}/token", "w", encoding="ascii") as file:
    file.write(f"{token}\n")
s = Service(keys(small=SMALL), "--token-file", f"{scratch}/token", token=token)
check(s.request("POST", "/prove", witness_of(SMALL)).code == 200, "the right token, and the only key")
for value in ("", "Bearer", "Bearer x", f"Bearer {token[:-1]}", f"Bearer {token}x", f"Basic {token}", f"Digest {token}",
              token):
    for method, path in (("POST", "/prove"), ("GET", "/keys"), ("GET", "/status"), ("GET", "/metrics"), ("GET", "/x")):
        answer = s.request(method, path, witness_of(SMALL) if method == "POST" else None, {"Authorization": value})
        check(answer.code == 401 and answer.headers["WWW-Authenticate"] == "Bearer", f"{value!r}: {answer.code}")
# For each byte of the token's SHA-256, a wrong token whose SHA-256 has the same one there.
right = hashlib.sha256(token.encode()).digest()
for place in range(len(right)):
    wrong = next(text for text in (f"{k:040}" for k in range(100000))
                 if hashlib.sha256(text.encode()).digest()[place] == right[place])
    check(s.request("GET", "/keys", None, {"Authorization": f"Bearer {wrong}"}).code == 401, f"the same byte {place}")
check(s.request("GET", "/healthz", None, {"Authorization": "no"}).code == 200, "health needs no token")
check(s.metric('refused_total{reason="token"}') >= 35, "wrong tokens are counted")
check(s.request("GET", "/keys", None, {"Origin": "http://example.com"}).code == 200, "a page that has the token")
check(token not in " ".join(read(f"/proc/{s.process.pid}/{of}").decode() for of in ("cmdline", "environ")),
      "the token can be seen")
s.stop()
s = Service(keys(small=SMALL), token=token)
check(s.get("/keys").code == 200 and s.request("GET", "/keys", None, {"Authorization": ""}).code == 401, "environment")
check(token not in read(f"/proc/{s.process.pid}/environ").decode(), "the token can be seen in the environment")
s.stop()

# ---- Without a token, requests of web pages and with other names for this machine are refused.
s = Service(keys(small=SMALL))
check(s.request("GET", "/keys", None, {"Origin": "http://example.com"}).code == 403, "a page")
for host, code in (("example.com", 403), ("localhost.example.com", 403), ("127.0.0.1.example.com:80", 403),
                   ("localhost:80", 200), ("127.0.0.1", 200), ("[::1]:8", 200)):
    check(s.request("GET", "/keys", None, {"Host": host}).code == code, f"Host: {host}")
s.stop()

# ---- What is refused at the beginning.
def refused(code, what, *options, env=None):
    done = subprocess.run([REPRISE, "serve", *options, "-d", "cpu"], capture_output=True, timeout=300, check=False,
                          env=dict(os.environ, **(env or {})))
    check(done.returncode == code and done.stderr.count(b"\n") == 1, f"{what}: {done.returncode} {done.stderr}")

some = keys(small=SMALL)
refused(2, "an address for others without a token", some, "-l", "0.0.0.0:0")
refused(2, "no address", some, "-l", "nowhere")
refused(2, "no port", some, "-l", "127.0.0.1:70000")
refused(2, "a token that is too short", some, "-l", "127.0.0.1:0", env={"REPRISE_SERVE_TOKEN": "short"})
refused(4, "no token file", some, "--token-file", f"{scratch}/nothing")
refused(4, "no folder", f"{scratch}/nothing")
shutil.copy(f"{SMALL}/circuit.zkey", f"{some}/small.rpk")
refused(2, "two files of one name", some)
finish()
