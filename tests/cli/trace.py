# SPDX-License-Identifier: MIT
"""trace.py FILE [EXPRESSION]...: a trace is consistent, and each expression over `it`, the
document, and `launch`, its first launch, is true. The rules are those of docs/traces.md."""
import json
import sys


def judge(launch):
    """Yields what is wrong with a launch."""
    events, n = launch["events"], launch["n_events"]
    for name, column in events.items():
        if len(column) != n:
            yield "column %s has %d entries, not %d" % (name, len(column), n)
            return
    kinds = [launch["kinds"][k] for k in events["kind"]]
    reads = {"read", "read-write", "atomic-read", "atomic-read-write"}
    writes = {"write", "read-write", "atomic-write", "atomic-read-write"}
    last, states, meetings = {}, {}, {}
    if any(step < 0 for step in events["step"]):
        yield "steps that go back"
    for i, kind in enumerate(kinds):
        item, time = events["item"][i], events["time"][i]
        if not 0 <= item < launch["n_groups"] * launch["group_items"]:
            yield "event %d: item %d" % (i, item)
        if time <= last.get(item, 0):
            yield "event %d: time %d of item %d does not grow" % (i, time, item)
        last[item] = time
        before = states.get(item)
        wanted = {"start": None, "leave": "waits"}.get(kind, "runs")
        if before != wanted and not (kind == "cut" and before in ("runs", "waits")):
            yield "event %d: %s of item %d, which was %s" % (i, kind, item, before)
        states[item] = {"arrive": "waits", "end": "over", "cut": "over"}.get(kind, "runs")
        group = item // launch["group_items"]
        site = launch["sites"][events["site"][i]]
        if kind in ("arrive", "leave") and "sub_group" not in site["operation"]:
            key = (group, events["offset"][i])
            if kind == "leave" and time <= meetings[key]:
                yield "event %d leaves before the last arrival" % i
            meetings[key] = max(time, meetings.get(key, 0)) if kind == "arrive" \
                else meetings[key]
        back = events["reads_from"][i]
        if back:
            j = i - back
            if kind not in reads or j < 0 or kinds[j] not in writes:
                yield "event %d, a %s, reads from event %d" % (i, kind, j)
            elif any(events[c][i] != events[c][j] for c in ("object", "offset")):
                yield "event %d reads from event %d elsewhere" % (i, j)
            elif events["read"][i] != events["wrote"][j]:
                yield "event %d reads %d, and event %d wrote %d" % (
                    i, events["read"][i], j, events["wrote"][j])
            elif events["time"][j] >= time:
                yield "event %d reads from event %d, and is not later" % (i, j)
    edges = launch["synchronises"]
    for i, j in zip(edges["from"], edges["to"], strict=True):
        order = [launch["sites"][events["site"][k]]["order"] for k in (i, j)]
        if order[0] not in ("release", "acq_rel", "seq_cst") \
                or order[1] not in ("acquire", "acq_rel", "seq_cst"):
            yield "event %d (%s) synchronises with %d (%s)" % (j, order[1], i, order[0])
        if events["item"][i] == events["item"][j] or events["time"][i] >= events["time"][j]:
            yield "event %d synchronises with %d" % (j, i)
    for finding in launch["findings"]:
        for i, party in zip(finding["events"], finding["finding"]["sites"], strict=True):
            local, group = party["item"], party["group"]
            if not 0 <= i < n:
                yield "finding at event %d" % i
            elif len(launch["local"]) == 1 and events["item"][i] \
                    != group[0] * launch["group_items"] + local[0]:
                yield "finding at event %d, of another item" % i


def kinds_of(launch, kind):
    """How many events of a kind there are."""
    return sum(launch["kinds"][k] == kind for k in launch["events"]["kind"])


with open(sys.argv[1], encoding="utf-8") as file:
    it = json.load(file)
wrong = [] if it["weir_trace"] == 1 else ["version"]
for launch in it["launches"]:
    wrong += judge(launch)
launch = it["launches"][0]
wrong += ["not so: " + claim for claim in sys.argv[2:] if not eval("(" + claim + ")")]
print("\n".join(wrong[:10]))
sys.exit(1 if wrong else 0)
