#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""listings.py WEIRCXX WEIR FOLDER...: whether SYCL programs are what a table says.

FOLDER has NAME.cpp and expect.tsv, whose columns are

  name     of the program
  args     with which it runs
  flags    of the compiler
  exit     its status, or * for any, a signal and the limit of 10 seconds among them
  print    a regular expression of what it prints; empty: anything
  verdict  clean, or the findings of weir check, joined by ;
  source   what the program is; not read

A finding is KIND or KIND/KIND, with @A for a line of it, @A,B for two, or @* for any; a
line may be a range, as 60-62. With ? before it, it need not be found. A kind that no
finding of the row has is wrong. Lines that begin with # are left out.

Each program is compiled by each compiler of the environment variable LISTINGS_CXX
(default: g++ and clang++, as far as they are there). Exit status: 0 if all rows are as
expected, 1 if not, 2 if there is nothing to judge."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SECONDS = 120


def run(command, seconds, **more):
    """The status, None where the limit has ended it, and the two outputs."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True,
                          errors="replace", **more) as process:
        status = None
        try:
            out, errors = process.communicate(timeout=seconds)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, errors = process.communicate()
        return status, out, errors


def rows_of(folder):
    for line in (folder / "expect.tsv").read_text(encoding="utf8").splitlines():
        cells = (line + "\t" * 6).split("\t")[:6]
        if line and not line.startswith("#") and cells[0] != "name":
            yield cells


def rules_of(verdict):
    """Triples: whether it is needed, its kinds, and its lines as pairs of numbers."""
    for text in filter(None, map(str.strip, verdict.split(";"))):
        kinds, _, lines = text.lstrip("?").partition("@")
        ranges = [] if lines in ("", "*") else lines.split(",")
        yield (not text.startswith("?"), kinds.split("/"),
               [(int(r.split("-")[0]), int(r.split("-")[-1])) for r in ranges])


def findings_of(value):
    if isinstance(value, list):
        for one in value:
            yield from findings_of(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key == "findings" and isinstance(one, list):
                yield from (found for found in one if not found.get("note"))
            else:
                yield from findings_of(one)


def lines_of(found, source):
    places = [found.get("first"), found.get("second"), *(found.get("sites") or [])]
    return [place["line"] for place in places
            if place and pathlib.Path(place.get("file") or "").name == source.name]


def is_found(rule, findings, source):
    _, kinds, ranges = rule
    for found in findings:
        lines = lines_of(found, source)
        pairs = [lines[i:i + 1] + lines[k:k + 1] for i in range(len(lines))
                 for k in range(len(lines)) if i != k] + [[line] for line in lines] + [[]]
        if found["kind"] in kinds and any(
                len(pair) == len(ranges)
                and all(low <= line <= high for line, (low, high) in zip(pair, ranges))
                for pair in pairs):
            return True
    return False


def differences(source, verdict, findings):
    rules = [] if verdict.strip() == "clean" else list(rules_of(verdict))
    for rule in rules:
        if rule[0] and not is_found(rule, findings, source):
            yield f"not found: {'/'.join(rule[1])} {rule[2] or ''}"
    for found in findings:
        mine = [rule for rule in rules if found["kind"] in rule[1]]
        if not any(rule[0] or is_found(rule, [found], source) for rule in mine):
            yield f"found: {found['kind']} {lines_of(found, source)}"


def judge(tools, cxx, folder, row, scratch):
    name, args, flags, status, pattern, verdict = row
    source, program = folder / f"{name}.cpp", scratch / "program"
    command = [tools[0], "-std=c++17", "-g", "-O1", "-w", *flags.split(), str(source),
               "-o", str(program)]
    ended, _, errors = run(command, SECONDS, env=dict(os.environ, CXX=cxx))
    if ended != 0:
        lines = errors.splitlines() or ["no reason"]
        return ["does not compile: " + next((l for l in lines if "error" in l), lines[0])]
    words = [str(program), *args.split()]
    ended, out, _ = run(words, 10 if status == "*" else SECONDS)
    wrong = []
    if status not in ("*", str(ended)):
        wrong.append(f"ended with {ended}, not {status}")
    if not re.search(pattern, out):
        wrong.append(f"printed {out[-80:]!r}")
    ended, out, errors = run([tools[1], "check", "--json", "--", *words], SECONDS)
    try:
        findings = list(findings_of(json.loads(out)))
    except ValueError:
        return [*wrong, f"weir check ended with {ended}: {errors[-200:]!r}"]
    allowed = {1} if findings else {0} if status == "0" else {0, 2}
    if ended not in allowed:
        wrong.append(f"weir check ended with {ended}")
    return [*wrong, *differences(source, verdict, findings)]


def main():
    tools, folders = sys.argv[1:3], [pathlib.Path(word) for word in sys.argv[3:]]
    compilers = [word for word in os.environ.get("LISTINGS_CXX", "g++ clang++").split()
                 if shutil.which(word)]
    n = right = 0
    for folder in folders:
        for row in rows_of(folder):
            for cxx in compilers:
                with tempfile.TemporaryDirectory() as scratch:
                    wrong = judge(tools, cxx, folder, row, pathlib.Path(scratch))
                n += 1
                right += not wrong
                print(f"{'DIFFERS' if wrong else 'ok':8}{row[0]:34}{cxx:10}"
                      + ("; ".join(wrong) or row[5]), flush=True)
    print(f"{right} of {n} rows are as expected")
    return 2 if n == 0 else 0 if right == n else 1


if __name__ == "__main__":
    sys.exit(main())
