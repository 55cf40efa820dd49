/* SPDX-License-Identifier: MIT
 *
 * timeline-page.js: the page around the lanes: keys, buttons, the event in words,
 * memory, findings. The current event is the position; everything shown follows from
 * it, from the launch, the axis and the view. */

const $ = (id) => document.getElementById(id);
const CELLS = 64; /* of a strip at a time */
const MOST_STRIPS = 12;
const page = { current: -1, form: "auto", window: new Map(), timer: 0, frame: 0 };
window.weir = page; /* for tests */

/* ---- The position ---------------------------------------------------------------- */

function setCurrent(e, quietly) {
    const n = page.launch.n;
    if (n === 0) return;
    page.current = Math.max(0, Math.min(n - 1, e));
    page.drawing.reveal(page.current);
    $("scrub").value = page.axis.rank[page.current];
    showEvent();
    showMemory();
    if (!quietly) $("live").textContent = page.launch.sentence(page.current, page.form);
    $("scrub").setAttribute("aria-valuetext",
        "time " + page.launch.time[page.current] + ": "
        + page.launch.sentence(page.current, page.form));
    redraw();
}

/* The event @by places further, in the order of the axis. */
function step(by) {
    const rank = page.axis.rank[page.current] + by;
    setCurrent(page.axis.order[Math.max(0, Math.min(page.launch.n - 1, rank))]);
}

/* The last event of the next position, or the first of the one before. */
function leap(by) {
    const { order, rank } = page.axis, at = page.axis.pos(page.current);
    const list = page.axis.find(order, by > 0 ? at + 1 : at);
    if (by > 0) {
        if (list >= order.length) return setCurrent(order[order.length - 1]);
        const pos = page.axis.pos(order[list]);
        return setCurrent(order[page.axis.find(order, pos + 1) - 1]);
    }
    return setCurrent(order[Math.max(0, Math.min(list, rank[page.current]) - 1)]);
}

/* The item's event before or after. */
function along(by) {
    const list = page.launch.lanes.get(page.launch.item[page.current]);
    const at = list.indexOf(page.current) + by;
    if (at >= 0 && at < list.length) setCurrent(list[at]);
}

/* The event of another item that is nearest. */
function across(by) {
    const launch = page.launch, pos = page.axis.pos(page.current);
    let item = launch.item[page.current];
    do {
        item += by;
    } while (item >= 0 && item < launch.nItems && launch.lanes.get(item).length === 0);
    if (item < 0 || item >= launch.nItems) return;
    page.drawing.open.add(Math.floor(item / launch.items));
    page.drawing.rows();
    const list = launch.lanes.get(item);
    const i = Math.min(page.axis.find(list, pos), list.length - 1);
    setCurrent(list[i]);
}

function toRelated(events, what) {
    if (events && events.length > 0) setCurrent(events[0]);
    else $("live").textContent = what;
}

function toFinding(i) {
    const findings = page.launch.raw.findings;
    if (findings.length === 0) return;
    page.finding = (i + findings.length) % findings.length;
    const events = findings[page.finding].events.filter((e) => e >= 0);
    if (events.length === 0) return;
    const e = events[events.length - 1];
    events.forEach((one) => page.drawing.open.add(page.launch.group(one)));
    page.drawing.rows();
    if (page.drawing.scale < 12) page.drawing.zoom(24 / page.drawing.scale);
    setCurrent(e);
    $("live").textContent = findings[page.finding].finding.message;
}

/* ---- Playing --------------------------------------------------------------------- */

function play(on) {
    clearInterval(page.timer);
    page.timer = 0;
    $("play").textContent = on ? "Stop" : "Play";
    $("play").setAttribute("aria-pressed", String(on));
    if (!on) return;
    if (page.axis.rank[page.current] === page.launch.n - 1) {
        setCurrent(page.axis.order[0], true);
    }
    page.timer = setInterval(() => {
        const { axis, launch } = page;
        const pos = axis.pos(page.current);
        const next = axis.find(axis.order, pos + 1);
        if (next >= launch.n) return play(false);
        const end = axis.find(axis.order, axis.pos(axis.order[next]) + 1);
        setCurrent(axis.order[end - 1], true);
    }, 1000 / Number($("speed").value));
}

/* ---- The event in words ---------------------------------------------------------- */

function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
}

function link(e, text) {
    const made = element("button", text);
    made.addEventListener("click", () => setCurrent(e));
    return made;
}

function addFact(list, name, ...values) {
    list.append(element("dt", name));
    const holder = element("dd");
    values.forEach((value) => holder.append(value, " "));
    list.append(holder);
}

function showEvent() {
    const { launch, current: e, form } = page, facts = $("facts");
    const site = launch.siteOf(e), list = element("dl"), pairs = launch.edges.get(e);
    facts.replaceChildren(element("p", launch.sentence(e, form), "what"), list);
    if (site && site.file) {
        addFact(list, "at", site.file.split("/").pop() + ":" + site.line
            + (site.function ? ", in " + site.function : ""));
    }
    if (site && site.order) {
        addFact(list, "order", site.order + ", scope " + site.scope);
    }
    if (launch.from[e] >= 0) {
        addFact(list, "reads from", link(launch.from[e], launch.who(launch.from[e])));
    } else if (reads(launch.kind[e])) {
        addFact(list, "reads from", "a value from before the launch");
    }
    if (writes(launch.kind[e])) {
        const all = launch.readers(e);
        const shown = [...all.subarray(0, 6)].map((r) => link(r, launch.who(r)));
        if (all.length > 6) shown.push("and " + (all.length - 6) + " more");
        if (all.length > 0) addFact(list, "read by", ...shown);
    }
    for (const [name, way] of [["synchronises with", "with"], ["acquired by", "by"]]) {
        if (pairs && pairs[way].length > 0) {
            const shown = pairs[way].slice(0, 8);
            addFact(list, name, ...shown.map((o) => link(o, launch.who(o))));
        }
    }
    addFact(list, "when", "time " + launch.time[e] + ", event " + (e + 1) + " of "
        + launch.n + ", step " + launch.step[e]);
    showSource(site);
}

function showSource(site) {
    const from = site && page.launch.raw.sources.find((one) => one.file === site.file);
    const key = from ? site.file + ":" + site.line : "";
    if (page.sourceKey === key) return;
    page.sourceKey = key;
    const pre = $("source");
    pre.replaceChildren();
    if (!from) return;
    let at = null;
    from.lines.forEach((text, i) => {
        const line = from.first + i, here = line === site.line;
        const row = element("div", (here ? "\u25b6" : " ") + String(line).padStart(4)
            + "  " + text, here ? "at" : "");
        pre.append(row);
        if (here) at = row;
    });
    if (at) pre.scrollTop = at.offsetTop - pre.offsetTop - pre.clientHeight / 2;
}

/* ---- Memory ---------------------------------------------------------------------- */

function showMemory() {
    const { launch, axis, current } = page, strips = $("strips");
    const group = launch.group(current), pos = axis.pos(current);
    const made = [];
    launch.raw.objects.forEach((object, id) => {
        const of = object.space === "local" ? group : -1;
        if (launch.accesses(id, of, axis).events.length === 0) return;
        made.push(strip(object, id, of, pos));
    });
    strips.replaceChildren(...(made.length > 0 ? made.slice(0, MOST_STRIPS)
        : [element("p", "No access to memory was seen.")]));
    for (const changed of strips.querySelectorAll(".cells")) {
        const at = changed.querySelector(".wrote,.read");
        if (at) changed.scrollTop = at.offsetTop - changed.offsetTop - 60;
    }
}

function strip(object, id, group, pos) {
    const { launch, axis, current } = page;
    const cells = launch.cells(id, group, axis, pos);
    const n = Math.max(1, Math.ceil(object.bytes / object.element_bytes));
    const key = id + " " + group;
    const here = launch.object[current] === id && (reads(launch.kind[current])
        || writes(launch.kind[current]));
    if (here) {
        const index = Math.floor(launch.offset[current] / object.element_bytes);
        page.window.set(key, Math.floor(index / CELLS) * CELLS);
    }
    const first = Math.min(page.window.get(key) || 0, Math.max(0, n - 1));
    const end = Math.min(n, first + CELLS);
    const box = element("div", undefined, "strip"), head = element("p");
    head.append(element("b", launch.name(object)), " "
        + (group >= 0 ? "local, group " + group : "global")
        + (n > CELLS ? ", " + first + "\u2013" + (end - 1) + " of " + n : ""));
    if (n > CELLS) {
        for (const [by, sign, name] of [[-CELLS, "\u25c0", "Cells before"],
            [CELLS, "\u25b6", "Cells behind"]]) {
            const button = element("button", sign);
            button.setAttribute("aria-label", name + " of " + launch.name(object));
            button.disabled = first + by < 0 || first + by >= n;
            button.addEventListener("click", () => {
                page.window.set(key, first + by);
                box.replaceWith(strip(object, id, group, pos));
            });
            head.append(button);
        }
    }
    const grid = element("div", undefined, "cells");
    for (let i = first; i < end; i++) grid.append(cell(object, cells.get(i), i, pos));
    grid.classList.toggle("wide", [...grid.children].some((one) =>
        one.textContent.length > 7));
    box.append(head, grid);
    return box;
}

function cell(object, e, i, pos) {
    const { launch, axis, form } = page;
    const made = element("div", undefined, "cell");
    made.append(element("i", String(object.first + i)));
    if (e === undefined) {
        made.classList.add("empty");
        made.append("?");
        made.title = "no event has accessed it";
        return made;
    }
    const now = axis.pos(e) === pos, wrote = writes(launch.kind[e]);
    const value = launch.value(e, wrote ? launch.wrote[e] : launch.read[e], form);
    made.append(value);
    made.title = value + ", " + (wrote ? "written" : "read") + " by " + launch.who(e);
    if (now) made.classList.add(wrote ? "wrote" : "read");
    return made;
}

/* ---- Around ---------------------------------------------------------------------- */

function redraw() {
    if (page.frame) return;
    page.frame = requestAnimationFrame(() => {
        page.frame = 0;
        page.drawing.draw(page.current, page.form);
        page.drawing.map($("map"), page.current);
    });
}

function showFindings() {
    const findings = page.launch.raw.findings, list = $("finding-list");
    list.replaceChildren();
    if (findings.length === 0) list.append(element("li", "None in this run."));
    findings.forEach((one, i) => {
        const item = element("li"), button = element("button");
        button.append(element("b", (i + 1) + "."), " "
            + one.finding.message
            + (one.finding.why ? " (" + one.finding.why + ")" : ""));
        button.addEventListener("click", () => toFinding(i));
        item.append(button);
        list.append(item);
    });
}

function choose(number) {
    const raw = page.document.launches[number];
    page.launches[number] = page.launches[number] || new Launch(raw);
    const launch = page.launch = page.launches[number];
    page.axis = launch.axis($("mode").value);
    $("title").textContent = launch.raw.kernel;
    $("about").textContent = launch.nItems + " items in " + launch.nGroups + " group"
        + (launch.nGroups === 1 ? "" : "s") + " of " + launch.items + "; " + launch.n
        + " events; schedule " + raw.schedule + (raw.left_out > 0 ? "; " + raw.left_out
            + " later events are left out" : "")
        + (raw.incomplete ? "; ended early: " + raw.incomplete : "")
        + (raw.instrumented ? "" : "; plain accesses were not seen");
    $("scrub").max = Math.max(0, launch.n - 1);
    page.window.clear();
    page.finding = -1;
    page.sourceKey = undefined;
    page.drawing.show(launch, page.axis);
    page.drawing.fit();
    showFindings();
    setCurrent(page.axis.order[0] || 0, true);
}

function setMode() {
    page.axis = page.launch.axis($("mode").value);
    page.drawing.show(page.launch, page.axis);
    page.drawing.fit();
    setCurrent(page.current, true);
}

function fold() {
    const { drawing, launch } = page;
    const all = drawing.open.size === launch.nGroups;
    drawing.open.clear();
    for (let g = 0; !all && g < launch.nGroups; g++) drawing.open.add(g);
    drawing.rows();
    if (page.current >= 0) drawing.reveal(page.current);
    redraw();
}

function toggle(group) {
    const { drawing } = page;
    if (!drawing.open.delete(group)) drawing.open.add(group);
    drawing.rows();
    redraw();
}

/* Keys: [key, what it does, function]; Shift is part of the name. */
const KEYS = [
    ["ArrowRight", "next event", () => step(1)],
    ["ArrowLeft", "event before", () => step(-1)],
    ["Shift+ArrowRight", "next time: all events that could happen at once", () => leap(1)],
    ["Shift+ArrowLeft", "time before", () => leap(-1)],
    ["n", "next event of the same item", () => along(1)],
    ["p", "previous event of the same item", () => along(-1)],
    ["ArrowDown", "next item", () => across(1)],
    ["ArrowUp", "item before", () => across(-1)],
    ["Home", "first event", () => setCurrent(page.axis.order[0])],
    ["End", "last event", () => setCurrent(page.axis.order[page.launch.n - 1])],
    [" ", "play or stop", () => play(!page.timer)],
    ["f", "next finding", () => toFinding(page.finding + 1)],
    ["F", "finding before", () => toFinding(Math.max(page.finding, 0) - 1)],
    ["r", "the write that this event reads", () => toRelated(
        page.launch.from[page.current] >= 0 ? [page.launch.from[page.current]] : [],
        "this event reads no write of the launch")],
    ["s", "the event that this one synchronises with", () => {
        const pairs = page.launch.edges.get(page.current);
        toRelated(pairs && (pairs.with.length ? pairs.with : pairs.by),
            "this event synchronises with no other event");
    }],
    ["+", "zoom in", () => zoom(1.5)],
    ["-", "zoom out", () => zoom(1 / 1.5)],
    ["0", "show all", () => { page.drawing.fit(); redraw(); }],
    ["[", "lower lanes", () => { page.drawing.tall(0.75); redraw(); }],
    ["]", "higher lanes", () => { page.drawing.tall(1.34); redraw(); }],
    ["a", "move the view left", () => pan(-0.25, 0)],
    ["d", "move the view right", () => pan(0.25, 0)],
    ["PageDown", "move the view down", () => pan(0, 0.8)],
    ["PageUp", "move the view up", () => pan(0, -0.8)],
    ["e", "open or close the group", () => toggle(page.launch.group(page.current))],
    ["g", "open or close all groups", fold],
    ["m", "the other order of time", () => {
        $("mode").value = $("mode").value === "time" ? "order" : "time";
        setMode();
    }],
    ["?", "these keys", () => $("help").showModal()],
];
const SIGNS = { ArrowRight: "\u2192", ArrowLeft: "\u2190", ArrowUp: "\u2191",
    ArrowDown: "\u2193", " ": "Space" };

function zoom(factor) {
    const x = page.drawing.x(page.axis.pos(page.current));
    const inView = x > LEFT && x < page.drawing.canvas.clientWidth;
    page.drawing.zoom(factor, inView ? x : undefined);
    if (factor > 1 && page.drawing.scale >= LEGIBLE && page.drawing.lane < LEGIBLE) {
        page.drawing.tall(LEGIBLE / page.drawing.lane);
        page.drawing.reveal(page.current);
    }
    redraw();
}

function pan(across_, down) {
    const { drawing } = page;
    drawing.start += across_ * (drawing.canvas.clientWidth - LEFT) / drawing.scale;
    drawing.scroll += down * (drawing.canvas.clientHeight - TOP);
    drawing.limit();
    redraw();
}

function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const at = event.target.tagName;
    const own = at === "INPUT" || at === "SELECT" || at === "BUTTON";
    const moves = /^(Arrow|Home|End|Page| )/.test(event.key);
    if (own && (moves || event.key === "Enter" || at === "SELECT")) return;
    const shift = event.shiftKey && event.key.startsWith("Arrow");
    const name = (shift ? "Shift+" : "") + event.key;
    const row = KEYS.find(([key]) => key === name || (key === "+" && name === "="));
    if (!row) return;
    event.preventDefault();
    row[2]();
}

/* ---- The pointer ----------------------------------------------------------------- */

function watchPointer(canvas) {
    let from = null;
    canvas.addEventListener("pointerdown", (event) => {
        canvas.focus();
        canvas.setPointerCapture(event.pointerId);
        from = { x: event.offsetX, y: event.offsetY, moved: false,
            start: page.drawing.start, scroll: page.drawing.scroll };
    });
    canvas.addEventListener("pointermove", (event) => {
        if (!from) return;
        const dx = event.offsetX - from.x, dy = event.offsetY - from.y;
        from.moved = from.moved || Math.hypot(dx, dy) > 4;
        if (!from.moved) return;
        page.drawing.start = from.start - dx / page.drawing.scale;
        page.drawing.scroll = from.scroll - dy;
        page.drawing.limit();
        redraw();
    });
    canvas.addEventListener("pointerup", (event) => {
        const click = from && !from.moved;
        from = null;
        const hit = click && page.drawing.hit(event.offsetX, event.offsetY);
        if (!hit) return;
        if (hit.head && (event.offsetX < LEFT || page.drawing.open.has(hit.group))) {
            toggle(hit.group);
        } else if (hit.event !== undefined) {
            setCurrent(hit.event);
        }
    });
    canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        const { drawing } = page;
        const far = event.deltaMode === 1 ? 20 : 1;
        if (event.ctrlKey) {
            drawing.zoom(Math.exp(-event.deltaY * far / 300), event.offsetX);
        } else {
            const sideways = event.shiftKey ? event.deltaY : event.deltaX;
            drawing.start += sideways * far / drawing.scale;
            drawing.scroll += event.shiftKey ? 0 : event.deltaY * far;
            drawing.limit();
        }
        redraw();
    }, { passive: false });
}

function watchMap(canvas) {
    const go = (event) => {
        const pos = event.offsetX / canvas.clientWidth * page.axis.span + 0.5;
        const room = (page.drawing.canvas.clientWidth - LEFT) / page.drawing.scale;
        page.drawing.start = pos - room / 2;
        page.drawing.limit();
        const i = Math.min(page.axis.find(page.axis.order, pos), page.launch.n - 1);
        setCurrent(page.axis.order[i], true);
    };
    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        go(event);
    });
    canvas.addEventListener("pointermove", (event) => {
        if (event.buttons) go(event);
    });
}

/* ---- The beginning --------------------------------------------------------------- */

function makeLegend() {
    const legend = $("legend");
    legend.replaceChildren();
    for (const [kind, text] of [["read", "reads"], ["write", "writes"],
        ["atomic-write", "atomic"], ["arrive", "waits"], ["leave", "rendezvous"],
        ["fence", "fence"], ["start", "starts"], ["end", "returns"],
        ["cut", "never returns"]]) {
        const holder = element("span"), canvas = document.createElement("canvas");
        canvas.width = 30;
        canvas.height = 18;
        canvas.setAttribute("aria-hidden", "true");
        canvas.setAttribute("aria-label", text);
        const sign = Object.create(page.drawing);
        sign.context = canvas.getContext("2d");
        sign.lane = 18;
        sign.scale = 28;
        if (kind === "arrive") {
            sign.context.fillStyle = page.drawing.hatch;
            sign.context.fillRect(1, 4, 28, 10);
        } else {
            sign.launch = { kind: [K[kind]], label: () => "" };
            sign.event(0, 0, 0);
        }
        holder.append(canvas, text);
        legend.append(holder);
    }
}

function refresh() {
    page.drawing.colours();
    makeLegend();
    redraw();
}

function start() {
    page.document = JSON.parse($("data").textContent);
    $("data").remove();
    page.launches = [];
    page.drawing = new Drawing($("lanes"));
    page.document.launches.forEach((launch, i) => {
        $("launch").append(new Option((i + 1) + ": " + launch.kernel, i));
    });
    $("launch-label").hidden = page.document.launches.length < 2;
    for (const [key, what] of KEYS) {
        const names = key.split(/\+(?=.)/).map((name) => SIGNS[name] || name);
        const term = element("dt");
        names.forEach((name) => term.append(element("kbd", name), " "));
        $("keys").append(term, element("dd", what));
    }
    const buttons = { out: () => zoom(1 / 1.5), in: () => zoom(1.5),
        fit: () => { page.drawing.fit(); redraw(); }, fold,
        "help-open": () => $("help").showModal(), "help-close": () => $("help").close(),
        first: () => setCurrent(page.axis.order[0]), back: () => step(-1),
        play: () => play(!page.timer), next: () => step(1),
        last: () => setCurrent(page.axis.order[page.launch.n - 1]) };
    for (const [id, act] of Object.entries(buttons)) {
        $(id).addEventListener("click", act);
    }
    $("launch").addEventListener("change", () => choose(Number($("launch").value)));
    $("mode").addEventListener("change", setMode);
    $("form").addEventListener("change", () => {
        page.form = $("form").value;
        setCurrent(page.current, true);
    });
    $("speed").addEventListener("change", () => { if (page.timer) play(true); });
    $("scrub").addEventListener("input", () => {
        setCurrent(page.axis.order[Number($("scrub").value)], true);
    });
    document.addEventListener("keydown", onKey);
    watchPointer($("lanes"));
    watchMap($("map"));
    new ResizeObserver(() => { page.drawing.limit(); redraw(); }).observe($("lanes"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
    addEventListener("beforeprint", () => {
        document.documentElement.classList.add("print");
        page.drawing.colours();
        page.drawing.draw(page.current, page.form);
    });
    addEventListener("afterprint", () => {
        document.documentElement.classList.remove("print");
        refresh();
    });
    makeLegend();
    choose(0);
    page.ready = performance.now();
}

start();
