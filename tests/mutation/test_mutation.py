"""The tool that mutates: what it finds, how it builds a mutation in, and that every promise and rule has one."""

import ast
import textwrap

import c_source
import catalogue
import pytest
import python_source
from reach import Reach
from spots import by_number, make_mutation
from tree import switched

PROMISES = [f"promise {number}" for number in range(1, 11)]
RULES = [
    "segments",
    "whitespace",
    "end of turn",
    "stray call tags",
    "reasoning",
    "start of a call",
    "quotes never cost a call",
    "a closing tag counts only where the grammar can go on",
    "nothing inside a JSON string is a marker",
    "raw control characters",
    "envelope of JSON calls",
    "tagged calls",
    "arguments are an object",
    "bare JSON",
    "ids",
    "names",
    "repeated keys",
    "calls that are not sent",
    "malformed",
    "finish reason",
    "stop strings",
    "faults inside",
]
"""The rules that all formats share, in the order of the design."""


@pytest.fixture(scope="module")
def named():
    return catalogue.named()  # raises for a mutation whose text is not in the library


def test_every_promise_and_every_rule_has_a_mutation(named):
    known = {each.rule.partition(":")[0] for each in named}
    assert [rule for rule in [*PROMISES, *RULES] if rule not in known] == []


def test_named_mutations_change_something(named):
    assert [each.breaks for each in named if each.mutation.before == each.mutation.after] == []
    assert len({each.mutation.key for each in named}) == len(named)


def test_a_mutation_whose_text_is_gone_is_told(tmp_path, monkeypatch):
    table = tmp_path / "named.toml"
    table.write_text('[[mutation]]\nrule = "r"\nbreaks = "b"\nbefore = "self.nowhere = 1"\nafter = "pass"\n')
    monkeypatch.setattr(catalogue, "NAMED", table)
    with pytest.raises(ValueError, match=r"self\.nowhere = 1.* stands 0 times"):
        catalogue.named()


def test_the_choice_is_the_same_each_time_and_another_for_another_seed():
    some = [each.key for each in catalogue.chosen(1, 40)]
    assert some == [each.key for each in catalogue.chosen(1, 100)][:40]
    assert some != [each.key for each in catalogue.chosen(2, 40)]


def test_every_source_has_mutations_and_no_two_share_a_key():
    keys = [each.key for each in catalogue.all_mutations()]
    assert len(keys) > 10_000
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("file", [file for file in catalogue.sources() if file.endswith(".py")])
def test_all_mutations_of_a_module_fit_into_it_at_once(file):
    found = dict(enumerate(catalogue.mutations_of(file), 1))
    ast.parse(switched(file, catalogue.read(file), found)[0])


# What is changed, and where


def changes(source, of=python_source):
    return [make_mutation("", source, spot, edit).after for spot in of.spots(source) for edit in of.edits(source, spot)]


def test_operators_numbers_and_statements():
    source = textwrap.dedent("""\
        def f(a, b=1):
            "A docstring: 1 < 2."
            c: int = a + 1  # 2 < 3
            if a < -b and not c:
                g("a < b", min(a, 2))
            return True
        """)
    assert changes(source) == [
        "c: int = a - 1",
        "c: int = a + 2",
        "if a <= -b and not c:",
        "if a < -b or not c:",
        "if a < -b and c:",
        "if not (a < -b and not c):",
        'g("a < b", max(a, 2))',
        'g("a < b", min(a, 3))',
        "pass",
        "return False",
    ]


def test_words_that_are_two():
    assert changes("def f():\n    return a is not b, a not in b, [a in c for a in b if a is c]\n") == [
        "return a is b, a not in b, [a in c for a in b if a is c]",
        "return a is not b, a in b, [a in c for a in b if a is c]",
        "return a is not b, a not in b, [a not in c for a in b if a is c]",
        "return a is not b, a not in b, [a in c for a in b if a is not c]",
    ]


def test_casts_and_declarations_of_cython_are_left_alone():
    source = textwrap.dedent("""\
        cdef enum:
            FEW = 3

        cdef struct Pair:
            int a

        cdef int f(const char *p, int n=1) except -1:
            cdef int i, j = <int>n + 1
            for i in range(n):
                j += <unsigned char>p[i]
            return j
        """)
    assert changes(source) == [
        "cdef int i, j = <int>n - 1",
        "cdef int i, j = <int>n + 2",
        "j -= <unsigned char>p[i]",
        "pass",
    ]


def test_c_without_tables_and_macros():
    source = textwrap.dedent("""\
        #define LIMIT (1 + 2)
        static const int table[] = {1, 2};
        static inline int f(int *a, int n)
        {
            int i = 0, *p = &a[n];
            (void)p;
            for (i = 0; i < n; i++)
                if (a[i] == '<' && n)
                    return -1;
            return n;
        }
        """)
    assert changes(source, c_source) == [
        "int i = 1, *p = &a[n];",
        "for (i = 0; i <= n; i++)",
        "for (i = 0; i < n; i--)",
        "if (a[i] != '<' && n)",
        "if (a[i] == '<' || n)",
        "if (!(a[i] == '<' && n))",
        "return -2;",
    ]


def test_a_switch_does_what_its_mutation_does():
    """Every mutation of a function, built in with all others, gives what the function changed by hand gives."""
    source = textwrap.dedent("""\
        def f(numbers):
            total = 0
            for number in numbers:
                if number < 3 or number == 7:
                    total += number
                elif number > 9 and not total:
                    break
                else:
                    total = max(total, 1)
            return total + 1
        """)

    def outcome(text, on=0):
        names = {"tw_mutant": lambda number: number == on}
        exec(text, names)
        try:
            return [names["f"](numbers) for numbers in ([], [1, 5, 7], [10, 2], [3, 12, 2, 9])]
        except UnboundLocalError as error:
            return repr(error)

    found = [
        make_mutation("f.py", source, spot, edit)
        for spot in python_source.spots(source)
        for edit in python_source.edits(source, spot)
    ]
    woven, _ = switched("f.py", source, dict(enumerate(found, 1)))
    woven = woven.partition("\n")[2]  # without the import of the switch
    assert outcome(woven) == outcome(source)
    for number, mutation in enumerate(found, 1):
        by_hand = source[: mutation.start] + mutation.text + source[mutation.end :]
        assert outcome(woven, number) == outcome(by_hand), mutation.after


# Which tests are asked


def test_quick_tests_come_first(tmp_path):
    reach = Reach(by_import={5})
    reach.add("a.py::slow", 1.0, [3])
    reach.add("b.py::slower", 2.0, [3, 5])
    reach.add("a.py::quick", 0.5, [3])
    reach.write(tmp_path / "reach.json")
    for known in (reach, Reach.read(tmp_path / "reach.json")):
        assert known.candidates(3) == ["a.py::quick", "a.py::slow", "b.py::slower"]
        assert known.candidates(5) == ["b.py::slower"]
        assert known.candidates(5, everything=True) == ["b.py::slower", "a.py::quick", "a.py::slow"]
        assert known.candidates(4) == []


def test_numbers_stay_when_other_mutations_come_and_go():
    some = catalogue.chosen(1, 60)
    numbers = {mutation.key: number for number, mutation in by_number(some).items()}
    fewer = {mutation.key: number for number, mutation in by_number(some[:30]).items()}
    assert len(numbers) == 60
    assert 0 not in numbers.values()
    assert fewer == {key: numbers[key] for key in fewer}
