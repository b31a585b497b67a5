#!/bin/sh
# Every fuzz target, so many seconds each: those of the C layer with libFuzzer, the others with atheris, all guided by what
# the compiled code does and watched by AddressSanitizer and UndefinedBehaviorSanitizer.
#
#     tests/fuzzing/run.sh [SECONDS] [TARGET ...]        default: 60, all of them
#
# Needs clang with its runtime and, for the targets that are not C, a CPython for which atheris has a wheel; it goes into
# an environment of its own. PYTHON names the interpreter. What is found lies in build/fuzzing, as do the corpora, which
# the next run goes on with. Exit status 1 if anything was found.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$root/build/fuzzing
seconds=${1:-60}
[ $# -gt 0 ] && shift
python=${PYTHON:-python3}
compiler=${CC:-clang}
in_c="json_scanner marker_matcher json_escape utf8"
in_python="json_object header_json tagged literals channels host wire dispatcher undecoded chunks_of_any_shape
server_sent_events"
targets=${*:-$in_c $in_python}
options="-max_total_time=$seconds -len_control=0 -print_final_stats=1"
status=0

build_python() {
    [ -d "$folder/venv" ] || "$python" -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet "atheris>=2.3" "setuptools>=80" "Cython>=3.2,<3.3" pytest numpy rich pysimdjson
    (
        cd "$root"
        find src include tests setup.py pyproject.toml README.md LICENSE -type f ! -name '*.so' -print
    ) | while read -r file; do
        mkdir -p "$folder/tree/$(dirname "$file")"
        cmp -s "$root/$file" "$folder/tree/$file" || cp "$root/$file" "$folder/tree/$file"
    done
    (
        cd "$folder/tree"
        CC=$compiler LDSHARED="$compiler -shared" TOOLWEIR_SANITIZE=1 CFLAGS="-fsanitize=fuzzer-no-link -w" \
            "$folder/venv/bin/python" setup.py -q build_ext -i
    )
    runtime=$(find "$folder/venv" -name asan_with_fuzzer.so | head -n 1)
}

mkdir -p "$folder"
for target in $targets; do
    corpus=$folder/corpus/$target
    mkdir -p "$corpus"
    printf '\n== %s\n' "$target"
    if [ -f "$root/tests/fuzzing/$target.c" ]; then
        "$compiler" -std=c99 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
            -I"$root/include" "$root/tests/fuzzing/$target.c" -o "$folder/$target"
        "$folder/$target" $options -max_len=1500 -artifact_prefix="$folder/found-$target-" "$corpus" || status=1
    else
        [ -n "${runtime:-}" ] || build_python
        LD_PRELOAD=$runtime PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
            PYTHONPATH="$folder/tree/src:$folder/tree/tests" \
            "$folder/venv/bin/python" "$folder/tree/tests/fuzzing/run.py" "$target" $options -max_len=200 \
            -artifact_prefix="$folder/found-$target-" "$corpus" || status=1
    fi
done
exit $status
