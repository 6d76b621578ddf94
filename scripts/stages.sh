# SPDX-License-Identifier: Apache-2.0 OR MIT
# For scripts/test: counts what passes, fails and is skipped, and the time that everything takes. Each build and each
# run of ctest is a row of the table of stages, and each test a row of the table of tests; both tables are in $times,
# and printed at the end.
# shellcheck shell=bash
passed=0 failed=0 skipped=0
summaries=() problems=()
logs=build/test-logs
times=build/test-times.txt

begin_times() {
  mkdir -p "$logs"
  rm -f "$logs"/*.log
  : > "$logs/stages"
  : > "$logs/tests"
  started=$SECONDS
}

# Sets $cpu to the processor seconds of all processes that this shell has waited for, which a subshell cannot ask for.
processor() {
  times > "$logs/times"
  cpu=$(awk 'NR == 2 { for (i = 1; i <= NF; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } printf "%.1f", s }' \
    "$logs/times")
}

# row NAME TESTS WALL BEFORE: adds a row to the table of stages; BEFORE is the value of $cpu when the stage began.
row() {
  processor
  awk -v name="$1" -v tests="$2" -v wall="$3" -v before="$4" -v now="$cpu" \
    'BEGIN { printf "%s\t%d\t%.1f\t%s\n", name, wall, now - before, tests }' >> "$logs/stages"
}

# check NAME COMMAND... : runs the command, which counts as one pass or failure.
check() {
  local name=$1 begin=$SECONDS before
  shift
  processor
  before=$cpu
  if "$@"; then
    passed=$((passed + 1))
    row "$name" "" $((SECONDS - begin)) "$before"
    echo "passed: $name ($((SECONDS - begin)) s)"
  else
    failed=$((failed + 1))
    problems+=("$name")
    row "$name" "" $((SECONDS - begin)) "$before"
    echo "FAILED: $name"
    return 1
  fi
}

# build PRESET [-D...] [TARGET ...]
build() {
  local preset=$1 options=()
  shift
  while [[ ${1:-} = -D* ]]; do
    options+=("$1")
    shift
  done
  configure "$preset" "${options[@]}" && cmake --build --preset "$preset" ${1:+--target "$@"} -- -k 0
}

# tests NAME BUILD [ctest arguments]: runs ctest and adds its verdicts to the totals.
tests() {
  local name=$1 dir=$2 log=$logs/${1//\//-}.log begin=$SECONDS before ran bad skips
  shift 2
  : > "$dir/test-times.log"
  processor
  before=$cpu
  # shellcheck disable=SC2086  # the prefix is a command and its option
  ${ctest_prefix:-} ctest --test-dir "$dir" --output-on-failure --no-tests=error -j "$test_jobs" "$@" \
    2>&1 < /dev/null | tee "$log" || true
  ran=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#' "$log" || true)
  skips=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.*\*\*\*(Skipped|Not Run)' "$log" || true)
  bad=$(grep -E '^ *[0-9]+/[0-9]+ Test +#' "$log" | grep -cvE ' Passed |\*\*\*(Skipped|Not Run)' || true)
  # A test that could not be started counts as a failure: ctest calls it "Not Run" when its program is missing.
  local absent
  absent=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.*\*\*\*Not Run' "$log" || true)
  bad=$((bad + absent)) skips=$((skips - absent))
  passed=$((passed + ran - bad - skips)) failed=$((failed + bad)) skipped=$((skipped + skips))
  row "$name" "$ran" $((SECONDS - begin)) "$before"
  awk -v stage="$name" 'NF == 4 { printf "%s/%s\t%.1f\t%.1f\n", stage, $4, $1, $2 + $3 }' "$dir/test-times.log" \
    >> "$logs/tests"
  if [ "$ran" = 0 ]; then # a selection without any test counts as a failure
    failed=$((failed + 1))
    problems+=("$name (no tests)")
  fi
  summaries+=("$name: $(grep -E '^[0-9]+% tests passed' "$log" || echo 'no tests')")
  if [ "$bad" != 0 ]; then
    problems+=("$(grep -E '^ *[0-9]+/[0-9]+ Test +#' "$log" | grep -vE ' Passed |\*\*\*Skipped' |
      sed -E "s|.*Test +#[0-9]+: ([^ ]+).*|$name/\1|" | paste -sd' ')")
  fi
  if [ "$skips" != 0 ]; then
    echo "skipped, and why:"
    sed -n 's/^SKIP: /  /p' "$dir/Testing/Temporary/LastTest.log" | sort -u
  fi
}

# Writes the tables to $times, with the longest tests first, and prints them: only tests of more than 30 processor
# seconds, and then the stages, next to the summary.
print_times() {
  {
    printf '%-40s %8s %12s %6s\n' stage 'wall s' 'processor s' tests
    awk -F '\t' '{ printf "%-40s %8d %12.0f %6s\n", $1, $2, $3, $4; cpu += $3; tests += $4 }
      END { printf "%-40s %8d %12.0f %6d\n", "all", wall, cpu, tests }' wall=$((SECONDS - started)) "$logs/stages"
    printf '\n%-60s %8s %12s\n' test 'wall s' 'processor s'
    sort -t "$(printf '\t')" -k 3,3nr "$logs/tests" | awk -F '\t' '{ printf "%-60s %8.1f %12.1f\n", $1, $2, $3 }'
  } > "$times"
  awk '/^test / { below = 1 } below && (/^test / || $3 > 30)' "$times"
  echo "(all of it: $times)"
  awk '/^test / { exit } { print }' "$times"
}

# Prints the last lines that each failed test wrote.
print_failures() {
  local log
  for log in "$logs"/*.log; do
    [ -e "$log" ] || continue # a build may have failed before any test
    awk -v stage="$(basename "$log" .log)" '
      function flush(  i) {
        if (of_failed) print of_failed
        for (i = n > 25 ? n - 24 : 1; i <= n; i++) print line[i]
        n = 0
        of_failed = ""
      }
      /^ *[0-9]+\/[0-9]+ Test +#/ || /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ {
        flush()
        if (/\*\*\*/ && !/\*\*\*Skipped/) of_failed = "-- " stage ":" $0
        next
      }
      of_failed && NF { line[++n] = $0 }' "$log"
  done
}
