#!/bin/sh
# The test suite over a build with AddressSanitizer and UndefinedBehaviorSanitizer, in a folder of its own.
#
#     tests/sanitize.sh [FOLDER] [pytest arguments]        default: build/sanitize
#
# PYTHON names the interpreter (default: python3). PYTHONMALLOC=malloc gives every object an allocation of its own, or
# the sanitizer could not see where one ends. Its report goes to the terminal, past pytest's capture. The test that starts
# C programs of its own is left out.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build/sanitize}
[ $# -gt 0 ] && shift
python=${PYTHON:-python3}
compiler=${CC:-gcc}

mkdir -p "$folder"
(
    cd "$root"
    find . \( -name .git -o -name .venv -o -path ./build \) -prune -o -type f ! -name '*.so' -print
) | while read -r file; do
    mkdir -p "$folder/$(dirname "$file")"
    cmp -s "$root/$file" "$folder/$file" || cp "$root/$file" "$folder/$file"
done
cd "$folder"
TOOLWEIR_SANITIZE=1 "$python" setup.py -q build_ext -i

LD_PRELOAD="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libubsan.so)" \
PYTHONPATH="$folder/src" PYTHONMALLOC=malloc \
ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    "$python" -m pytest -p no:cacheprovider --capture=sys --ignore=tests/test_c_layer.py "$@"
