# SPDX-License-Identifier: Apache-2.0 OR MIT
# Makes the tables of docs/performance.md from the files in docs/results, for scripts/tables. Input: these files as one
# array. Output: lines "TABLE<tab>line of the table".

# A figure with four significant digits, without zeros at the end; nothing for a missing figure.
def digits($n): pow(10; $n - 1 - (log10 | floor)) as $scale | (. * $scale | round) / $scale | tostring;
def show: if . == null then "" elif . >= 1000 then round | tostring else digits(4) end;
def noted($field): if . == null then "" else (.[$field] | show) + (if .note then " (\(.note))" else "" end) end;
def size: "2^\(.n | log2 | round)";
def row: "|" + (map(if . == "" then " |" else " \(.) |" end) | add);
def head: row, "|" + (map("---|") | add);
def named: {bn254_g1: "BN254 G1", bn254_g2: "BN254 G2", bls12_381_g1: "BLS12-381 G1", bn254_fr: "BN254 Fr",
  goldilocks: "Goldilocks", babybear: "BabyBear", koalabear: "KoalaBear"}[.type] + " \(size)";

# of(rows; op): the row of `rows` for that operation with the type and size of the input; null if there is none.
def of(rows; $op): . as $a | first(rows[] | select(.op == $op and .type == $a.type and .n == $a.n)) // null;

def machines: (["machine", "what it is"] | head), (.[] | [.machine, .what] | row);

def groth16_cuda($m):
  (["domain", "recording, ms", "whole, ms", "proofs per second", "icicle-snark, ms", "icicle-snark / recording"] | head),
  ($m.cuda[] | select(.op == "groth16" and .type == "bn254_g1") | of($m.peers; "groth16") as $peer
    | [size, (.median_ms | show), (.whole_ms | show), "\(.proofs_per_second_in_flight | show) (\(.in_flight) in flight)",
       ($peer | noted("median_ms")), (if $peer then $peer.median_ms / .median_ms | digits(2) else "" end)] | row);

def groth16_vulkan($m):
  (["domain", "recording, ms", "before, in the same run, ms", "CUDA, ms"] | head),
  ($m.vulkan[] | select(.op == "groth16")
    | [size, (.median_ms, .before_ms, of($m.cuda; "groth16").median_ms | show)] | row);

# Columns of what has not been measured are left out.
def plonk($m):
  ($m.plonk_rounds != null) as $rounds | ($m.plonk_vulkan != null) as $vulkan
  | (["domain", "recording, ms"] + (if $rounds then ["in five rounds, ms", "one graph beside it, ms"] else [] end)
    + (if $vulkan then ["Vulkan, ms"] else [] end) + ["device memory, GiB", "made in, ms"] | head),
  ($m.plonk[]
    | [size, (.median_ms | show)]
      + (if $rounds then of($m.plonk_rounds; "plonk") as $r
          | [($r.rounds.median_ms | show), ($r.one_graph.median_ms | show)] else [] end)
      + (if $vulkan then [of($m.plonk_vulkan; "plonk").median_ms | show] else [] end)
      + [(.device_bytes / 1073741824 | digits(2)), (.record_ms | show)]
    | row);

# One row per circuit and set of kernels, one column per number of threads: rapidsnark, reprise, their ratio.
def processes_by_threads($m):
  ([$m.processes[].threads] | unique) as $threads
  | (["circuit"] + ($threads | map("\(.) threads: rapidsnark, reprise, ms")) | head),
  ($m.processes | group_by([.circuit, .n, .kernels])[] | . as $rows
    | ["\(.[0].circuit) \(.[0] | size)\(if .[0].kernels then ", " + .[0].kernels else "" end)"]
      + ($threads | map(. as $t | first($rows[] | select(.threads == $t)) // null
          | if . then "\(.rapidsnark_ms | show), \(.ms | show) (\(.rapidsnark_ms / .ms | digits(2)) times)" else "" end))
    | row);

# Elapsed and processor time, and how many times that of rapidsnark the latter is.
def elapsed_and_processor($p; $name):
  if $p["\($name)ms"] == null then "" else
    ($p["\($name)ms"] | show) + ($p["\($name)cpu_ms"] as $cpu | if $cpu == null then "" else
      " (\($cpu | show)" + (if $name == "rapidsnark_" then "" else "; \($p.rapidsnark_cpu_ms / $cpu | digits(2)) times" end)
      + ")" end) end;
def processes_by_source($m):
  (["circuit, 2 threads", "rapidsnark, ms", "from the zkey", "from a recorded file", "MULX/ADX only"] | head),
  ($m.processes[] | . as $p | ["\(.circuit) (\(size))",
    (("rapidsnark_", "", "replay_", "adx_") as $name | elapsed_and_processor($p; $name))] | row);

def msm($m):
  (["", "floor, ms", "with tables, ms", "best peer with tables", "without tables, ms", "best peer without"] | head),
  ($m.cuda[] | select(.op == "msm")
    | [named, (.floor_ms, .device_ms, of($m.peers; "msm").device_ms, of($m.cuda; "msm_once").device_ms,
        of($m.peers; "msm_once").device_ms | show)] | row);

def ntt($m):
  (["", "floor, ms", "ms", "sppark"] | head),
  ($m.cuda[] | select(.op == "ntt")
    | [named, (.floor_ms, .in_a_row_ms, of($m.peers; "ntt").in_a_row_ms | show)] | row);

def over_floor($m):
  (["operations", "time / floor"] | head),
  ($m.over_floor[]
    | [.ops, (.least | show) + (if .most != .least then " to \(.most | show)" else "" end)] | row);

def table($name; lines): lines | "\($name)\t\(.)";

(map({key: .machine, value: .}) | from_entries) as $m
| table("machines"; machines),
  table("groth16_cuda"; groth16_cuda($m.H200)),
  table("groth16_vulkan"; groth16_vulkan($m.H200)),
  table("plonk"; plonk($m.H200)),
  table("processes_by_threads"; processes_by_threads($m.Xeon)),
  table("processes_by_source"; processes_by_source($m.EPYC)),
  table("msm"; msm($m.H200)),
  table("ntt"; ntt($m.H200)),
  table("over_floor"; over_floor($m.H200))
