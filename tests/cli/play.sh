#!/bin/sh
# SPDX-License-Identifier: MIT
#
# play.sh: weir play: answers to requests, what is refused, and the server: it serves
# four texts and answers, to its own name only, and ends cleanly on a signal.
. "${top_srcdir:-.}/tests/cli/lib.sh"

WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
build=$(cd "${top_builddir:=.}" && pwd)

# ---- Requests ----------------------------------------------------------------------

weir_clean play --request '{}' mp
json 'it["model"] == "sycl" and it["reached"] == "part" and it["refused"] is None'
json 'it["text_of_test"].startswith("C mp") and len(it["threads"]) == 2'
weir_clean play --model rc11 --request '{"choices":"0:0,0:0,1:1"}' mp
json 'it["model"] == "rc11" and len(it["steps"]) == 3'
json '[o["allowed"] for o in it["threads"][1]["options"]] == [True, False]'
json 'it["threads"][1]["options"][1]["axiom"] == "COH"'
json 'len(it["threads"][1]["options"][1]["cycle"]) >= 2'
weir_clean play --request '{"model":"sc"}' mp
json 'it["model"] == "sc"'
# A text in the request is played in place of the file's.
weir_clean play --request '{"text":"C one\n{}\nP0 (atomic_int* x) { atomic_store(x, 1); }\nexists (x=1)\n","choices":"0:0"}' mp
json 'it["name"] == "one" and it["holds"] == "yes" and it["state"] == "[x]=1"'
cp "$top_srcdir/tests/litmus/sb-relaxed.litmus" "$scratch/own.litmus"
weir_clean play --request '{}' "$scratch/own.litmus"
json 'it["claim"].startswith("exists")'

# Bad requests, and bad arguments: one line.
for request in '' '[]' '{' '{"choices":1}' '{"choice":"0"}' '{"choices":"a"}' \
    '{"model":"x86"}' '{"changes":"1:1=relaxed"}' '{"text":"C"}'; do
    weir play --request "$request" mp
    complains
done
weir play
complains 'give one litmus test or kernel'
weir play mp sb-relaxed
complains 'give one'
weir play --request '{}' no_such_kernel
complains "'no_such_kernel' is neither a file, a test of 'weir litmus --list' nor a kernel"
weir play --request '{}' sb-relaxd
complains "did you mean 'sb-relaxed'"
weir play --request '{}' "$scratch/none.litmus"
complains 'none.litmus'
weir play --port 70000 mp
complains 'port'
weir play --n 4 mp
complains 'is for kernels'
printf 'C x\000' >"$scratch/odd.litmus"
weir play --request '{}' "$scratch/odd.litmus"
complains 'not UTF-8 text'

# A table is played under the models of its form.
weir play --request '{}' --model sycl "$top_srcdir/examples/ptx/kept.litmus"
complains 'does not define the operations of PTX'
weir play --request '{"changes":"5:2=relaxed"}' "$top_srcdir/examples/ptx/kept.litmus"
complains 'are changed in the text of the test'
weir_clean play --request '{"choices":"0:0"}' "$top_srcdir/examples/ptx/kept.litmus"
json 'it["model"] == "ptx" and it["models"] == "ptx ptx-6.0 ptx-7.5" and it["sites"] == []'
json 'it["threads"][1]["group"] == "cta 1, gpu 0"'
json 'it["order"] == "base causality order"'
weir play --request '{}' --model ptx mp
complains 'does not define the operations of C'

weir play --n 4 --input /dev/null reduce_tree
complains 'exclude each other'

# ---- Kernels -----------------------------------------------------------------------

weir_clean play --request '{}' --n 2 --local 1 reduce_atomics1
if ! grep -q 'no memory hooks' "$err"; then
    json 'it["name"].startswith("reduce_atomics1") and it["text_of_test"] is None'
    json 'it["claim"] == "the result is correct" and len(it["threads"]) == 2'
    json 'it["models"] == "sycl sycl-split rc11 sc"'
    # The first option of the first item that has one, to the end.
    cat >"$scratch/walk.py" <<'END'
import json, subprocess, sys
choices, weir = [], sys.argv[1]
while True:
    out = subprocess.run([weir, "play", "--request", json.dumps({"choices": ",".join(choices)})]
                         + sys.argv[2:], capture_output=True, check=True).stdout
    it = json.loads(out)
    options = [o["choice"] for t in it["threads"] for o in t["options"] if o["allowed"]]
    if not options:
        break
    choices.append(options[0])
print(len(choices), it["reached"], it["holds"])
END
    if command -v python3 >/dev/null 2>&1; then
        step='a kernel to its end'
        python "$scratch/walk.py" "$WEIR" --n 2 --local 1 reduce_atomics1 >"$out" 2>"$err" \
            || bad 'the walk failed'
        says ' complete yes$'
        step='a program to its end'
        python "$scratch/walk.py" "$WEIR" -- "$build/examples/11_lock" >"$out" 2>"$err" \
            || bad 'the walk failed'
        says ' complete | race | blocked '
    fi
    printf '3 4\n' | tr ' ' '\n' >"$scratch/numbers"
    weir_clean play --request '{"choices":"0:0"}' --input "$scratch/numbers" --local 1 reduce_atomics1
    json '[v["value"] for v in it["values"]] == ["3"]'
    weir play --request '{"text":"C"}' reduce_atomics1
    complains 'has a text'
    weir play --request '{}' --launch 9 reduce_atomics1
    complains 'there (are|is) only'
    weir play --request '{"model":"gpu"}' reduce_atomics1
    complains 'gpu'
    weir play --request '{}' --n 4 -- "$build/examples/11_lock"
    complains 'chooses its own'
    weir play --request '{}' -- "$build/examples/02_barrier"
    complains ": kernel '[a-z]*' cannot be explored"
    weir play --request '{}' -- "$scratch/none"
    complains 'none'
fi

# ---- The server --------------------------------------------------------------------

command -v python3 >/dev/null 2>&1 || finish

# Until the server has printed its address or has ended; on a busy machine that takes time.
await_server()
{
    begun=$(date +%s)
    until grep -q http "$out" || ! kill -0 $server 2>/dev/null \
        || test $(($(date +%s) - begun)) -ge 60; do
        sleep 0.25
    done
}

"$WEIR" play --port 0 mp >"$out" 2>"$err" </dev/null &
server=$!
step='the server'
status=0
await_server
if grep -q 'built without libmicrohttpd' "$err"; then
    grep -q libmicrohttpd-dev "$err" || bad 'the package is not named'
    finish
fi
address=$(cat "$out")
cat >"$scratch/ask.py" <<'END'
import http.client, json, socket, sys
port = int(sys.argv[1].rstrip("/").rsplit(":", 1)[1])
failed = 0

def ask(method, path, body=None, host=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, path, skip_host=host is not None)
    if host is not None:
        connection.putheader("Host", host)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders()
    if body is not None:
        try:
            connection.send(body)
        except (BrokenPipeError, ConnectionResetError):
            pass
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, response.getheader("Content-Type"), text

def expect(what, got, wanted):
    global failed
    if got != wanted:
        failed += 1
        print("%s: %r, not %r" % (what, got, wanted))

for path, kind in (("/", "text/html"), ("/play.css", "text/css"),
                   ("/play.js", "text/javascript"), ("/graph.js", "text/javascript")):
    status, got, text = ask("GET", path)
    expect(path, (status, got.split(";")[0], len(text) > 500), (200, kind, True))
expect("another page", ask("GET", "/etc/passwd")[0], 404)
expect("a page above", ask("GET", "/../play.c")[0], 404)
expect("GET of answers", ask("GET", "/play")[0], 405)
expect("PUT", ask("PUT", "/", b"")[0], 405)
status, kind, text = ask("POST", "/play", b'{"choices":"0:0"}')
expect("an answer", (status, kind, len(json.loads(text)["steps"])), (200, "application/json", 1))
for body in (b"", b"{", b'{"choices":"x"}', b'{"file":"/etc/passwd"}', b"\xff"):
    status, kind, text = ask("POST", "/play", body)
    error = json.loads(text)["error"]
    expect("a bad request", (status, "\n" in error, error != ""), (400, False, True))
expect("too large", ask("POST", "/play", b"x" * (1 << 20 | 1))[0], 413)
expect("the largest", ask("POST", "/play", b" " * (1 << 20))[0], 400)
for host in ("example.org:%d" % port, "127.0.0.1", "127.0.0.1:1", "", "localhost.example.org:%d" % port):
    expect("host " + host, ask("GET", "/", host=host)[0], 403)
    expect("POST, host " + host, ask("POST", "/play", b"{}", host=host)[0], 403)
expect("host localhost", ask("GET", "/", host="localhost:%d" % port)[0], 200)

# Others connect, and send nothing, or half a request; one goes on asking.
kept = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
idle = []
for half in (b"", b"GET / HTTP/1.1\r\nHost: 127", b"POST /play HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 9\r\n\r\n{" % port):
    for n in range(60):
        idle.append(socket.create_connection(("127.0.0.1", port), timeout=20))
        idle[-1].sendall(half)
        if n % 20 == 0:
            kept.sock is None or expect("the socket", kept.sock.fileno(), socket_kept)
            kept.request("GET", "/play.css")
            socket_kept = kept.sock.fileno()
            expect("an old connection", len(kept.getresponse().read()) > 500, True)
    expect("beside idle ones", ask("GET", "/")[0], 200)
    expect("an answer beside idle ones", ask("POST", "/play", b"{}")[0], 200)
sys.exit(failed > 0)
END
python "$scratch/ask.py" "$address" >"$scratch/asked" 2>&1 || { bad 'answers differ'; cat "$scratch/asked"; }
# The port is in use.
weir play --port "$(echo "$address" | sed 's/.*:\([0-9]*\).*/\1/')" mp
complains 'port' 'another'
step='the end of the server'
kill -TERM $server
status=0
wait $server || status=$?
ends_with 0
cp "$out" "$scratch/last"
"$WEIR" play --port 0 mp >"$out" 2>"$err" </dev/null &
server=$!
await_server
kill -INT $server 2>/dev/null
kill -TERM $server 2>/dev/null
status=0
wait $server || status=$?
ends_with 0
finish
