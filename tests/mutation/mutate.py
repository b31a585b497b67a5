"""Mutation testing: what the suite notices of faults that are put into the library.

    python tests/mutation/mutate.py                      all named mutations and 200 random ones
    python tests/mutation/mutate.py --list               what would be run
    python tests/mutation/mutate.py --show KEY           one mutation
    python tests/mutation/mutate.py --only KEY [KEY ..]  these alone
    python tests/mutation/mutate.py --seed 2 --count 50  other random ones

One build holds all of them (spots.py), one run of the suite tells which tests reach which mutation, then each is turned on
for those tests. It fails if one survives that equivalent.toml does not explain. Needs a POSIX system, gcc or clang.
"""

import argparse
import json
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from catalogue import ROOT, all_mutations, chosen, equivalents, named
from spots import Mutation, by_number
from suite import Suite
from tree import Tree


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="random mutations (default: 200)")
    parser.add_argument("--only", nargs="+", metavar="KEY", help="mutations by key")
    parser.add_argument("--list", action="store_true", help="print what would be run")
    parser.add_argument("--show", metavar="KEY", help="print one mutation")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutation", help="where the copy is built")
    parser.add_argument("--lenient", action="store_true", help="leave out tests that fail with no mutation on")
    parser.add_argument("--report", type=Path, help="write the verdicts there, as JSON")
    arguments = parser.parse_args()
    if arguments.show:
        print(*[short(each) for each in all_mutations() if each.key.startswith(arguments.show)], sep="\n")
        return 0
    rules = {each.mutation.key: each for each in named()}
    mutations = [each.mutation for each in rules.values()]
    mutations += [each for each in chosen(arguments.seed, arguments.count) if each.key not in rules]
    wanted = mutations
    if arguments.only:  # the others are built in all the same: what is compiled stays as it is
        known = {each.key: each for each in [*all_mutations(), *mutations]}
        wanted = [each for each in known.values() if each.key.startswith(tuple(arguments.only))]
        mutations = list({each.key: each for each in [*mutations, *wanted]}.values())
    if arguments.list:
        for each in wanted:
            rule = f"{rules[each.key].rule}: {rules[each.key].breaks}\n    " if each.key in rules else ""
            print(f"{each.key}  {rule}{short(each)}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))  # so that the tests end too
    entries = run(mutations, {each.key for each in wanted}, arguments.folder, lenient=arguments.lenient)
    if arguments.report:
        arguments.report.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", "utf-8")
    by_hand = [entry for entry in entries if entry["key"] in rules]
    print(summary("named", by_hand))
    print(summary(f"seed {arguments.seed}", [entry for entry in entries if entry["key"] not in rules]))
    bad = [entry for entry in entries if entry["verdict"] == "survived"]
    bad += [entry for entry in by_hand if entry["verdict"] in ("refused", "equivalent")]
    for entry in bad:
        print(f"{entry['verdict']}: {entry['key']} in {entry['file']}")
    return 1 if bad else 0


def run(mutations: list[Mutation], wanted: set[str], folder: Path, *, lenient: bool) -> list[dict[str, Any]]:
    """Builds all and runs those that are wanted; what became of each."""
    tree = Tree(folder)
    print(f"building {len(mutations)} mutations in {folder}", flush=True)
    numbers = by_number(mutations)
    refused = tree.build(numbers)
    explained = equivalents()
    asked = [number for number, each in numbers.items() if each.key in wanted]
    entries = [entry_of(numbers[number], "refused", "it does not compile") for number in asked if number in refused]
    suite = Suite(tree, lenient=lenient)
    print("running the suite with no mutation on, then with each", flush=True)
    for number, verdict, why, seconds in suite.verdicts([number for number in asked if number not in refused]):
        mutation = numbers[number]
        if verdict == "survived" and mutation.key in explained:
            verdict, why = "equivalent", explained[mutation.key]
        entries.append(entry_of(mutation, verdict, why))
        print(f"{len(entries):4} {mutation.key} {verdict:10} {seconds:6.1f} s  {why}", flush=True)
        if verdict == "survived":
            print(short(mutation), flush=True)
    return entries


def summary(what: str, entries: list[dict[str, Any]]) -> str:
    counts = Counter(entry["verdict"] for entry in entries)
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    ran = counts.total() - counts["refused"] - counts["equivalent"]
    return f"{what}: {counts.total()} mutations, {told}; the suite notices {ran - counts['survived']} of {ran}"


def entry_of(mutation: Mutation, verdict: str, why: str) -> dict[str, Any]:
    return {
        "key": mutation.key,
        "file": mutation.file,
        "where": mutation.spot.where,
        "before": mutation.before,
        "after": mutation.after,
        "again": mutation.again,
        "verdict": verdict,
        "why": why,
    }


def short(mutation: Mutation) -> str:
    return f"{mutation.file}: {mutation.spot.where}\n    - {mutation.before}\n    + {mutation.after}"


if __name__ == "__main__":
    sys.exit(main())
