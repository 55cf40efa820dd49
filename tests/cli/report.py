# SPDX-License-Identifier: MIT
"""report.py svg|chrome FILE [TRACE]: what weir report has written is well-formed and fits
together; of chrome's format, with the trace that it is made of."""
import json
import re
import sys
import xml.etree.ElementTree as tree

XML = "{http://www.w3.org/2000/svg}"


def judge_svg(path):
    root = tree.parse(path).getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    sizes = re.findall(r"font(?:-size)?:[^;}]*?(\d+)px", root.find(XML + "style").text)
    if not sizes or min(map(int, sizes)) < 12:
        yield "text of fewer than 12 pixels: %s" % sizes
    texts = []
    for text in root.iter(XML + "text"):
        x, y, wide = float(text.get("x")), float(text.get("y")), 7.0 * len(text.text or "")
        x -= {"middle": wide / 2, "end": wide}.get(text.get("text-anchor"), 0)
        if x < -2 or x + wide > width + 40 or not 10 <= y <= height:
            yield "outside: %r at %d, %d" % (text.text, x, y)
        texts.append((y, x, x + wide, text.text))
    texts.sort()
    for (y, _, end, one), (below, start, _, other) in zip(texts, texts[1:]):
        if below == y and start < end - 8:
            yield "%r covers %r" % (other, one)
    for box in root.iter(XML + "rect"):
        right = float(box.get("x", 0)) + float(box.get("width"))
        if not 0 < right <= width + 1 or float(box.get("width")) <= 0:
            yield "a box ends at %d of %d" % (right, width)


def judge_chrome(path, trace):
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    lanes, flows, named = {}, {}, set()
    for event in events:
        if any(key not in event for key in ("ph", "ts", "pid", "tid", "name")):
            yield "an event without ph, ts, pid, tid or name: %s" % event
            return
        lane = (event["pid"], event["tid"])
        if event["ph"] == "X":
            if event["dur"] < 1:
                yield "a slice of no length: %s" % event
            lanes.setdefault(lane, []).append((event["ts"], -event["dur"], event["name"]))
        elif event["ph"] in "sf":
            flows.setdefault(event["id"], []).append(event)
        elif event["ph"] == "M":
            named.add(lane if event["name"] == "thread_name" else event["pid"])
        elif event["ph"] != "i":
            yield "an event of phase %s" % event["ph"]
    for lane, slices in lanes.items():
        if lane not in named or lane[0] not in named:
            yield "no name of %s" % (lane,)
        ends = []
        for start, length, name in sorted(slices):
            while ends and ends[-1] <= start:
                ends.pop()
            if ends and start - length > ends[-1]:
                yield "%s: %r of %s does not nest" % (path, name, lane)
            ends.append(start - length)
    for ends in flows.values():
        if [end["ph"] for end in ends] != ["s", "f"] or ends[0]["ts"] >= ends[1]["ts"]:
            yield "a flow that does not pair: %s" % ends
        for end in ends:
            if not any(start <= end["ts"] < start - length
                       for start, length, _ in lanes[(end["pid"], end["tid"])]):
                yield "a flow that ends in no slice"
    with open(trace, encoding="utf-8") as file:
        launches = json.load(file)["launches"]
    if len(flows) != sum(len(launch["synchronises"]["to"]) for launch in launches):
        yield "%d flows" % len(flows)
    kinds = [launch["kinds"][k] for launch in launches for k in launch["events"]["kind"]]
    if len(lanes) != kinds.count("start"):
        yield "%d lanes of %d items" % (len(lanes), kinds.count("start"))
    accesses = sum(event.get("cat") in ("access", "atomic") for event in events)
    if accesses != sum(k.endswith(("read", "write", "fence")) for k in kinds):
        yield "%d accesses" % accesses


wrong = list({"svg": judge_svg, "chrome": judge_chrome}[sys.argv[1]](*sys.argv[2:]))
print("\n".join(wrong[:10]))
sys.exit(1 if wrong else 0)
