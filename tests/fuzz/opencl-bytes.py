#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""opencl-bytes.py SRCDIR BUILDDIR SCRATCH: wrong sources and wrong lines for OpenCL.

A case is a kernel of tests/opencl or examples/opencl, or a program with one random kernel
of opencl-draw.c, in which some bytes or tokens of the source are changed, or some words
of the line. Weir may report anything, a kernel may fault, race or not compile; but it may
not crash or hang, end with a status that no man page has, say nothing about wrong input,
or leave files or processes behind.

  FUZZ_SECONDS=600   until so many seconds are over
  FUZZ_SEED=1        of the first case; the next one has the next number
  FUZZ_CASES         at most so many cases

A case that fails stays in SCRATCH/SEED, with the line that repeats it in `again`."""
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

SRC, BUILD, SCRATCH = (os.path.abspath(path) for path in sys.argv[1:4])
SECONDS = float(os.environ.get("FUZZ_SECONDS", "600"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
CASES = int(os.environ.get("FUZZ_CASES", str(1 << 60)))
WEIR = os.path.join(BUILD, "weir")

# A run may take LIMIT seconds by its own option; what is built before and the search for
# fixes take the rest of HANG, on a busy machine.
LIMIT, HANG = 20, 300
ADDRESS_BYTES = 16 << 30  # a specification may ask for any number of elements

# Signs of a defect of ours that a status alone does not show.
ALARMS = re.compile(r"CRITICAL \*\*|WARNING \*\*|ssertion|weiri_|ended by signal"
                    r"|of what Weir made|Traceback|core dumped|stack smashing"
                    r"|free\(\)|malloc\(\)|corrupt")
TOKEN = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|\"[^\"\n]*\"|//[^\n]*|\s+|[^\w\s]")
WORDS = [word.encode() for word in """
    0 1 -1 2 16 31 32 64 0x7fffffff 0x80000000 0xffffffffffffffff 1e30f NAN
    + - * / % << >> & | ^ ~ ! = == < > <= ? : , ; ( ) { } [ ] . -> & * ++ -- += #
    if else for while do switch case default break continue return goto sizeof
    int uint char uchar short long ulong float double half bool void size_t event_t
    float2 int3 float4 uchar16 double8 ulong2 image2d_t sampler_t atomic_int struct
    global local constant private generic kernel __attribute__((packed)) volatile const
    __attribute__((reqd_work_group_size(4,1,1))) restrict union enum typedef static inline
    get_global_id(0) get_local_id(0) get_local_size(0) get_group_id(0) get_global_size(9)
    barrier(CLK_LOCAL_MEM_FENCE) barrier(0) mem_fence(3) atomic_inc atomic_add atomic_cmpxchg
    work_group_reduce_add sub_group_barrier(1) async_work_group_copy wait_group_events
    vload4 vstore3 convert_int as_float select sin pow fmin clamp mad24 dot printf("%d%s",1)
    printf in out (*in) &in in[get_global_id(0)] out[-1] out[1000000000] .s0 .xyzw .hi
    __builtin_trap() asm("nop") #define #include #pragma #if #endif #error abort()
    """.split()]


# ---- Cases that are right ------------------------------------------------------------

def element(type_name):
    """The type of elements as --arg has it."""
    name = type_name.replace("atomic_", "").replace("flag", "int")
    return name if name not in ("void", "bool") else "uchar"


def argument(parameter, first):
    kind = re.search(r"(\w+)\s*\*", parameter)
    if "local" in parameter.split():
        return "local[512]"
    if "sampler_t" in parameter.split():
        return "sampler"
    image = re.search(r"image(\w+)_t (\w)", parameter)
    if image:
        sizes = {"1d": "4", "2d": "4,4", "1d_array": "4,4"}.get(image.group(1), "4,4,4")
        return "%s[%s]=iota" % ("int" if image.group(2) == "i" else "float", sizes)
    return "%s[256]=%s" % (element(kind.group(1)), "iota" if first else "0") if kind else "3"


def rows():
    """Each kernel: its file, its name, and the words of a line that is right."""
    found = []
    for folder in ("tests/opencl", "examples/opencl"):
        for file in sorted(os.listdir(os.path.join(SRC, folder))):
            path = os.path.join(SRC, folder, file)
            if not file.endswith(".cl"):
                continue
            with open(path) as opened:
                text = opened.read()
            for kernel in re.finditer(r"^kernel void (\w+)\(([^)]*)\)", text, re.M):
                name, parameters = kernel.groups()
                sizes = re.search(r"^// %s ([0-9,]+)(?:@(\d+))? ([0-9,]+) " % name, text, re.M)
                total, offset, local = sizes.groups() if sizes else ("64", None, "16")
                words = ["--global", total, "--local", local]
                words += ["--offset", offset] if offset else []
                words += ["--cl-options", "-cl-std=CL2.0"]
                for i, parameter in enumerate(parameters.split(",")):
                    words += ["--arg", argument(parameter, i == 0)]
                found.append((path, name, words))
    return found


# ---- Changes -------------------------------------------------------------------------

def change_bytes(rng, text):
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + rng.choice([1, 1, 1, 2, 8, 60]))
    kind = rng.randrange(6)
    if kind == 0:
        return text[:at] + text[end:]
    if kind == 1:
        return text[:at] + bytes([rng.randrange(256)]) + text[at:]
    if kind == 2:
        return text[:at] + bytes([rng.choice(b"\0\t\n\r\\\"'#{}()[];*&-~\x80\xff")]) + text[at + 1:]
    if kind == 3:
        return text[:at] + text[at:end] * rng.choice([2, 3, 100]) + text[end:]
    if kind == 4 and rng.random() < 0.2:
        return text[:at]
    other = rng.randrange(len(text) + 1)
    return text[:at] + text[other:other + 30] + text[at:]


OPERATORS = [b"+", b"-", b"*", b"/", b"%", b"<", b">", b"&", b"^", b"|"]


def change_tokens(rng, text):
    """One token: mostly for one of its kind, so that half of them compile."""
    tokens = TOKEN.findall(text)
    places = [i for i, token in enumerate(tokens)
              if not token.isspace() and not token.startswith(b"//")]
    if not places:
        return change_bytes(rng, text)
    kind = rng.randrange(10)
    numbers = [i for i in places if tokens[i][:1].isdigit()]
    operators = [i for i in places if tokens[i] in OPERATORS]
    names = [i for i in places if re.fullmatch(rb"[a-z]\w*", tokens[i])]
    at, other = rng.choice(places), rng.choice(places)
    if kind <= 2 and numbers:
        tokens[rng.choice(numbers)] = rng.choice(
            [b"0", b"1", b"2", b"7", b"255", b"1000000", b"0x80000000", b"-1", b"1.5f"])
    elif kind <= 4 and operators:
        tokens[rng.choice(operators)] = rng.choice(OPERATORS)
    elif kind <= 6 and names:
        tokens[rng.choice(names)] = tokens[rng.choice(names)]
    elif kind == 7:
        tokens[at] = b""
    elif kind == 8:
        tokens[at] = rng.choice([tokens[at] + b" ", b""]) + rng.choice(WORDS)
    else:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    return b"".join(tokens)


def change_lines(rng, text):
    lines = text.split(b"\n")
    places = [i for i, line in enumerate(lines) if line.endswith(b";")]
    if not places:
        return change_tokens(rng, text)
    at, other = rng.choice(places), rng.choice(places)
    kind = rng.randrange(5)
    if kind == 0:
        lines[at] = b""
    elif kind == 1:
        lines[at] += lines[other].strip()
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        around = rng.choice([b"if (get_local_id(0) %% 2 == %d) { %s }",
                             b"for (int i_ = 0; i_ %% 4 < %d; i_++) { %s }",
                             b"while (%d) { %s }", b"if (in[%d] > 0) return; %s"])
        lines[at] = around % (rng.randrange(4), lines[at].strip())
    return b"\n".join(lines)


def compiles(text):
    words = ["clang", "-x", "cl", "-cl-std=CL2.0", "-target", "spir64", "-w", "-fsyntax-only",
             "-Xclang", "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header", "-"]
    return subprocess.run(words, input=text, capture_output=True, check=False).returncode == 0


def change_once(rng, text, kernel):
    """Mostly in the kernel, and some bytes or tokens of it."""
    body = re.search(rb"kernel void %s\(.*?\n}" % kernel.encode(), text, re.S)
    start, end = body.span() if body and rng.random() < 0.85 else (0, len(text))
    part = text[start:end]
    change = rng.choice([change_bytes, change_tokens, change_tokens, change_lines])
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        part = change(rng, part)
    return text[:start] + part + text[end:]


def change_source(rng, text, kernel):
    """Most of what is returned compiles, as kernels that do not are seen by clang alone."""
    changed = change_once(rng, text, kernel)
    for _ in range(0 if rng.random() < 0.2 else 20):
        if compiles(changed):
            break
        changed = change_once(rng, text, kernel)
    return changed


NUMBERS = ["0", "1", "-1", "3", "17", "1000", "4294967295", "4294967296", "2^20", "2^63",
           "18446744073709551615", "18446744073709551616", "99999999999999999999999", "4Ki",
           "1e400", "nan", "inf", "-inf", "0x10", "1.5", "", " ", "2^", "^", "K", "1Ti"]
PIECES = ["{", "}", "{}", "{,}", "{1}", "{1,2,3}", "{{1,2},3}", "[", "]", "[]", "=", "==",
          "=iota", "=random", "=0", "=@", "=@/", "=@none", "null", "local[16]", "local",
          "local[]", "float4[8]=1.5", "float4[4,4]=2",
          "uchar4:unorm:bgra[2,2]=1", "half3:depth[1,1]", ":snorm", ":argb:r", "sampler",
          "sampler:normalized:repeat:linear", "sampler:", "half[9]=random", "double3[2]={1,2,3}", "bool[4]=true",
          "int", "int[4", "int[4]x", "uint[1]=-1", "char[3]=300", "image", "%s%n", "'", "\"",
          "\\", "\xff", "é", ",", ",,", "1,2,3,4", "--", "-", "a" * 3000, "{" * 500]
OPTIONS = ["-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CL9",
           "-cl-std=", "-D", "-DN=4 -DM", "-D N=", "-D'", "-I", "-I/none", "-Werror", "-w",
           "-o x", "-c", "-E", "-S", "-emit-llvm", "-include none", "-Xclang -ast-dump", "-O0",
           "-cl-opt-disable", "-cl-fast-relaxed-math", "-cl-mad-enable", "-g", "-x c", "-",
           "--help", "--version", "-v", "-###", "@none", "-cl-uniform-work-group-size",
           "-Dglobal=local", "-Dkernel=", "-Dint=float", "-Dbarrier=atomic_inc", "-fsyntax-only",
           "-cl-single-precision-constant", "\"unended", "-DA=\"b c\"", "-MD", "-target i386",
           "-fplugin=none", "-march=native", "-save-temps", "-mllvm -none", "-std=c11"]


def change_word(rng, word):
    kind = rng.randrange(7)
    if kind <= 2 and re.search(r"\d+", word):
        number = rng.choice(list(re.finditer(r"\d+", word)))
        return word[:number.start()] + rng.choice(NUMBERS) + word[number.end():]
    at = rng.randrange(len(word) + 1)
    if kind <= 3:
        return word[:at] + word[at + 1:]
    if kind == 4:
        return word[:at] + rng.choice(PIECES) + word[at:]
    if kind == 5:
        return rng.choice(PIECES + NUMBERS)
    return word + rng.choice(PIECES)


def change_line(rng, words):
    """Of the kernel and its words."""
    words = list(words)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(words))
        kind = rng.randrange(10)
        if kind <= 4:
            values = [i for i, word in enumerate(words) if not word.startswith("--")]
            at = rng.choice(values) if values else at
            words[at] = change_word(rng, words[at])
        elif kind == 5:
            del words[at]
        elif kind == 6:
            words.insert(at, rng.choice(words + PIECES))
        elif kind == 7:
            words += [rng.choice(["--dump", "--expect", "--offset", "--local", "--arg",
                                  "--device", "--reps", "--prepare", "--as", "--none"]),
                      rng.choice(["out", "in", "none", "out=@none", "default", "1,1,1", "",
                                  "out=@" + words[0].split(":")[0]] + NUMBERS)]
        else:
            words += ["--cl-options", rng.choice(OPTIONS)]
        if not words:
            return ["x.cl"]
    return [word.replace("\0", "") for word in words]


# ---- Runs ----------------------------------------------------------------------------

def files_below(folder):
    return {os.path.join(at, name) for at, folders, names in os.walk(folder)
            for name in names + folders}


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(line, folder):
    """What is wrong with how the line ends; or None. Also: its status."""
    temporary, cache = os.path.join(SCRATCH, "tmp"), os.path.join(SCRATCH, "cache")
    for path in (temporary, cache):
        os.makedirs(path, exist_ok=True)
    environment = dict(os.environ, TMPDIR=temporary, WEIR_CACHE_DIR=cache, LC_ALL="C.UTF-8")
    before = files_below(folder)
    with open(os.path.join(folder, "out"), "wb") as out, \
            open(os.path.join(folder, "err"), "wb") as err:
        process = subprocess.Popen(line, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True,
                                   preexec_fn=limit_memory)
        try:
            status = process.wait(HANG)
        except subprocess.TimeoutExpired:
            status = None
    left = None
    try:
        os.killpg(process.pid, signal.SIGKILL)
        left = "a process"
    except ProcessLookupError:
        pass
    process.wait()
    if status is None:
        return "no end after %d s" % HANG, status
    said = open(os.path.join(folder, "err"), errors="replace").read()
    printed = open(os.path.join(folder, "out"), errors="replace").read()
    strays = files_below(temporary)
    # What a killed build leaves there, a later one removes.
    if "the time limit " not in printed:
        strays |= {path for path in files_below(cache) if "build-" in path}
    strays |= {path for path in files_below(folder) - before
               if os.path.basename(path) not in ("out", "err")}
    alarm = ALARMS.search(said) or ALARMS.search(printed)
    if status not in (0, 1, 2, 3):
        return "status %d" % status, status
    if status == 2 and said.strip() == "":
        return "status 2, and nothing on standard error", status
    if alarm:
        return "it prints '%s'" % alarm.group(), status
    if left or strays:
        return "it leaves %s" % (left or ", ".join(sorted(strays)[:4])), status
    return None, status


def make_case(rng, known, folder):
    """Returns the line of the case, after its files are written."""
    how = rng.random()
    path, kernel, words = rng.choice(known)
    source = open(path, "rb").read()
    if how < 0.15:
        drawn = subprocess.run([os.path.join(SCRATCH, "draw"), str(rng.randrange(1 << 20)), "1"],
                               check=True, capture_output=True).stdout
        head, launch = drawn.split(b"// launch ", 1)
        first, rest = launch.split(b"\n", 1)
        changed = change_source(rng, head + rest, "k0")
        with open(os.path.join(folder, "drawn.cl"), "wb") as out:
            out.write(b"// launch " + first + b"\n" + changed)
        options = "-cl-std=CL3.0 -w" if rng.random() < 0.5 else "-w"
        return [WEIR, "check", "--runs", "2", "-t", str(LIMIT), "--no-fixes", "--",
                os.path.join(SCRATCH, "run"), "drawn.cl", "Weir", options]
    changes_source = how < 0.7
    name = os.path.basename(path)
    with open(os.path.join(folder, name), "wb") as out:
        out.write(change_source(rng, source, kernel) if changes_source else source)
    line = ["%s:%s" % (name, kernel)] + words
    if not changes_source:
        line = change_line(rng, line)
    # `weir run` goes on for ever if a kernel does.
    if not changes_source and rng.random() < 0.3:
        return [WEIR, "run"] + line
    fixes = [] if rng.random() < 0.1 else ["--no-fixes"]
    return [WEIR, "check", "--runs", "2", "-t", str(LIMIT)] + fixes + line


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    compiler = os.environ.get("CC", "cc").split()
    for name, libraries in (("draw", []), ("run", ["-lOpenCL"])):
        if subprocess.run(compiler + ["-std=gnu11", "-O1",
                                      "%s/tests/fuzz/opencl-%s.c" % (SRC, name), "-o",
                                      os.path.join(SCRATCH, name)] + libraries,
                          capture_output=True, check=False).returncode != 0:
            print("opencl-bytes: skipped: no OpenCL")
            return 77
    known, bad, statuses, case = rows(), 0, {}, SEED
    cache = os.path.join(SCRATCH, "cache", "opencl")
    os.makedirs(cache)
    # The first build of all takes longer than a run may.
    path, kernel, words = known[0]
    subprocess.run([WEIR, "run", "%s:%s" % (path, kernel)] + words, capture_output=True,
                   env=dict(os.environ, WEIR_CACHE_DIR=os.path.dirname(cache)), check=False)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and case < SEED + CASES:
        folder = os.path.join(SCRATCH, str(case))
        os.makedirs(folder)
        line = make_case(random.Random(case), known, folder)
        wrong, status = run(line, folder)
        statuses[status] = statuses.get(status, 0) + 1
        if wrong is None:
            shutil.rmtree(folder)
        else:
            bad += 1
            with open(os.path.join(folder, "again"), "w", errors="surrogateescape") as out:
                out.write(" ".join("'%s'" % word.replace("'", "'\\''") for word in line) + "\n")
            print("case %d: %s: %s; again by: FUZZ_SEED=%d FUZZ_CASES=1"
                  % (case, wrong, folder, case), flush=True)
        for entry in os.listdir(cache):
            if entry.startswith("build-"):
                shutil.rmtree(os.path.join(cache, entry), ignore_errors=True)
        if wrong is not None:
            shutil.rmtree(os.path.join(SCRATCH, "tmp"), ignore_errors=True)
        case += 1
    print("%d cases from seed %d on, status: %s; %d failed"
          % (case - SEED, SEED,
             ", ".join("%s: %d" % (key, statuses[key]) for key in sorted(statuses, key=str)), bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
