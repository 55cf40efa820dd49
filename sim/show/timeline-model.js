/* SPDX-License-Identifier: MIT
 *
 * timeline-model.js: a launch of a trace as typed arrays, with look-ups. The form of
 * the file is described in docs/traces.md.
 *
 * An event has a position on the axis: its time, or its place in the order of the run.
 * Lists of events are sorted by position in both cases: of an item as they are in the
 * file, of a group or of all by an Axis. */
"use strict";

const KINDS = ["start", "end", "cut", "arrive", "leave", "read", "write", "read-write",
    "atomic-read", "atomic-write", "atomic-read-write", "fence"];
const K = Object.fromEntries(KINDS.map((name, i) => [name, i]));
const reads = (k) => k === 5 || k === 7 || k === 8 || k === 10;
const writes = (k) => k === 6 || k === 7 || k === 9 || k === 10;
const isAtomic = (k) => k >= 8 && k <= 10;

/* Lists end to end: list i is all[start[i]] .. all[start[i + 1] - 1]. */
class Lists {
    constructor(n, keys, values) {
        this.start = new Uint32Array(n + 1);
        for (const key of keys) this.start[key + 1]++;
        for (let i = 0; i < n; i++) this.start[i + 1] += this.start[i];
        const next = this.start.slice();
        this.all = new Uint32Array(keys.length);
        for (let i = 0; i < keys.length; i++) {
            this.all[next[keys[i]]++] = values ? values[i] : i;
        }
    }
    get(i) { return this.all.subarray(this.start[i], this.start[i + 1]); }
}

class Launch {
    constructor(raw) {
        this.raw = raw;
        const from = raw.events;
        const n = this.n = raw.n_events;
        const code = raw.kinds.map((name) => K[name]);
        this.kind = Uint8Array.from(from.kind, (k) => code[k]);
        this.item = Uint32Array.from(from.item);
        this.time = Uint32Array.from(from.time);
        this.site = Int32Array.from(from.site);
        this.object = Int32Array.from(from.object);
        this.offset = Float64Array.from(from.offset);
        this.read = Float64Array.from(from.read);
        this.wrote = Float64Array.from(from.wrote);
        this.from = Int32Array.from(from.reads_from, (back, i) => back ? i - back : -1);
        this.step = new Float64Array(n);
        for (let i = 0, step = 0; i < n; i++) this.step[i] = step += from.step[i];
        raw.events = null; /* a copy of all of it */
        this.items = raw.group_items;
        this.nGroups = raw.n_groups;
        this.nItems = this.items * this.nGroups;
        this.lanes = new Lists(this.nItems, this.item);
        this.axes = {};
        this.maxTime = this.time.reduce((a, b) => Math.max(a, b), 1);
        this.edges = new Map();
        raw.synchronises.from.forEach((a, i) => {
            const b = raw.synchronises.to[i];
            for (const [at, name] of [[b, "with"], [a, "by"]]) {
                if (!this.edges.has(at)) this.edges.set(at, { with: [], by: [] });
                this.edges.get(at)[name].push(at === b ? a : b);
            }
        });
        this.found = new Map();
        raw.findings.forEach((finding, i) => finding.events.forEach((e) => {
            if (e >= 0) this.found.set(e, (this.found.get(e) || []).concat(i));
        }));
        this.states = new Map();
    }

    group(e) { return Math.floor(this.item[e] / this.items); }
    siteOf(e) { return this.site[e] < 0 ? null : this.raw.sites[this.site[e]]; }
    objectOf(e) { return this.object[e] < 0 ? null : this.raw.objects[this.object[e]]; }
    axis(mode) {
        if (!this.axes[mode]) this.axes[mode] = new Axis(this, mode);
        return this.axes[mode];
    }

    /* Events that read what an event wrote. */
    readers(e) {
        if (!this.byWrite) {
            const keys = [], values = [];
            this.from.forEach((w, i) => {
                if (w >= 0) {
                    keys.push(w);
                    values.push(i);
                }
            });
            this.byWrite = new Lists(this.n, keys, values);
        }
        return this.byWrite.get(e);
    }

    /* ---- Words ---------------------------------------------------------------- */

    name(object) { return object.variable || object.name; }

    place(e) {
        const object = this.objectOf(e);
        if (!object) return "";
        const index = object.first + Math.floor(this.offset[e] / object.element_bytes);
        return this.name(object) + "[" + index + "]";
    }

    value(e, bits, form) {
        const site = this.siteOf(e);
        const type = (site && site.type) || "";
        const wide = site && site.bytes === 8;
        return formatted(bits, form, type, wide);
    }

    label(e, form) {
        const k = this.kind[e];
        return writes(k) ? this.value(e, this.wrote[e], form)
            : reads(k) ? this.value(e, this.read[e], form) : "";
    }

    who(e) {
        const item = this.item[e] % this.items;
        return "item " + item + (this.nGroups > 1 ? " of group " + this.group(e) : "");
    }

    operation(e) {
        const site = this.siteOf(e);
        return site ? site.operation.replace(/^weir_/, "").replace(/_/g, " ")
            : KINDS[this.kind[e]];
    }

    sentence(e, form) {
        const k = this.kind[e];
        const what = { [K.start]: "starts", [K.end]: "returns",
            [K.cut]: "never returns: its group ended", [K.fence]: "fence",
            [K.arrive]: "arrives at " + this.operation(e),
            [K.leave]: "goes on after " + this.operation(e) }[k];
        if (what) return this.who(e) + " " + what;
        const act = isAtomic(k) ? this.operation(e) + (/^atomic/.test(this.operation(e))
            ? "" : " (atomic)") : KINDS[k].replace("-", " and ") + "s";
        const read = this.value(e, this.read[e], form);
        const wrote = this.value(e, this.wrote[e], form);
        const value = reads(k) && writes(k) ? ": " + read + " \u2192 " + wrote
            : writes(k) ? " = " + wrote : ", which is " + read;
        return this.who(e) + (isAtomic(k) ? ": " : " ") + act + " "
            + (this.place(e) || "memory") + value;
    }

    /* ---- Memory --------------------------------------------------------------- */

    /* The accesses of an object by a group (by all groups: -1), by position. */
    accesses(object, group, axis) {
        const key = object + " " + group + " " + axis.mode;
        if (!this.states.has(key)) {
            const of = group < 0 ? axis.order : axis.groups.get(group);
            this.states.set(key, { events: of.filter((e) => this.object[e] === object),
                at: 0, cells: new Map() });
        }
        return this.states.get(key);
    }

    /* The contents of the cells after all events up to a position: index -> event. */
    cells(object, group, axis, pos) {
        const state = this.accesses(object, group, axis);
        const size = this.raw.objects[object].element_bytes;
        if (state.at > 0 && axis.pos(state.events[state.at - 1]) > pos) {
            state.at = 0;
            state.cells.clear();
        }
        for (; state.at < state.events.length; state.at++) {
            const e = state.events[state.at];
            if (axis.pos(e) > pos) break;
            state.cells.set(Math.floor(this.offset[e] / size), e);
        }
        return state.cells;
    }
}

/* How events are placed from left to right. */
class Axis {
    constructor(launch, mode) {
        this.mode = mode;
        this.launch = launch;
        this.timed = mode === "time";
        this.span = this.timed ? launch.maxTime : launch.n;
        this.order = this.timed ? new Lists(launch.maxTime + 1, launch.time).all
            : Uint32Array.from({ length: launch.n }, (_, i) => i);
        this.rank = new Uint32Array(launch.n);
        this.order.forEach((e, i) => { this.rank[e] = i; });
        const groups = new Uint32Array(launch.n);
        this.order.forEach((e, i) => { groups[i] = launch.group(e); });
        this.groups = new Lists(launch.nGroups, groups, this.order);
        /* Looked up in place of events, which are far apart in memory. */
        this.positions = Uint32Array.from(this.groups.all, (e) => this.pos(e));
    }
    pos(e) { return this.timed ? this.launch.time[e] : e + 1; }

    /* The same as find() in the list of a group. */
    findInGroup(g, pos, low, high) {
        const first = this.groups.start[g], end = this.groups.start[g + 1] - first;
        for (high = Math.min(high, end); low < high;) {
            const middle = (low + high) >> 1;
            if (this.positions[first + middle] < pos) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /* The first index in @list, from @low, whose event is at @pos or later. */
    find(list, pos, low = 0, high = list.length) {
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.pos(list[middle]) < pos) low = middle + 1; else high = middle;
        }
        return low;
    }
}

const bits = new DataView(new ArrayBuffer(8));

/* A value as its type, or as the reader of the page wants it. */
function formatted(value, form, type, wide) {
    if (form === "hex") {
        const unsigned = value < 0 ? value + (wide ? 2 ** 64 : 2 ** 32) : value;
        return "0x" + unsigned.toString(16);
    }
    if (form === "float" || type === "f32" || type === "f64") {
        if (wide) {
            bits.setBigInt64(0, BigInt.asIntN(64, BigInt(value)));
            return String(+bits.getFloat64(0).toPrecision(12));
        }
        bits.setUint32(0, value >>> 0);
        return String(+bits.getFloat32(0).toPrecision(7));
    }
    return Number.isSafeInteger(value) ? String(value)
        : "\u2248" + value.toPrecision(15);
}
