/* SPDX-License-Identifier: MIT
 *
 * timeline-draw.js: the lanes on a canvas. Where events are denser than pixels, one is
 * drawn for each pixel, and the next is found by bisection: the work depends on the
 * size of the canvas, not on the number of events. */

const LEFT = 104, TOP = 20, HEAD = 22, LEAST_LANE = 3, MOST_LANE = 30;
const LEGIBLE = 20; /* pixels of a lane, and of an event, whose value can be read */
const FONT = "12px 'DejaVu Sans', Verdana, system-ui, sans-serif";

class Drawing {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext("2d");
        this.lane = 24;    /* height of a lane */
        this.scale = 30;   /* pixels of a position */
        this.start = 0.5;  /* the position at the left */
        this.scroll = 0;   /* pixels of rows above the top */
        this.open = new Set();
        this.colours();
    }

    colours() {
        const style = getComputedStyle(document.documentElement);
        this.colour = {};
        for (const name of ["paper", "card", "ink", "soft", "line", "alarm", "read",
            "read-ink", "write", "write-ink", "atomic", "atomic-ink", "fence", "wait",
            "wait-back", "meet", "mark", "grid", "lane", "link"]) {
            this.colour[name] = style.getPropertyValue("--" + name).trim();
        }
        const tile = document.createElement("canvas");
        tile.width = tile.height = 6;
        const on = tile.getContext("2d");
        on.fillStyle = this.colour["wait-back"];
        on.fillRect(0, 0, 6, 6);
        on.strokeStyle = this.colour.wait;
        on.lineWidth = 1.5;
        for (const x of [-6, 0, 6]) {
            on.beginPath();
            on.moveTo(x, 6);
            on.lineTo(x + 6, 0);
            on.stroke();
        }
        this.hatch = this.context.createPattern(tile, "repeat");
    }

    show(launch, axis) {
        if (this.launch !== launch) {
            this.open.clear();
            const n = Math.floor(64 / launch.items) || Number(launch.nGroups === 1);
            for (let g = 0; g < Math.min(n, launch.nGroups); g++) this.open.add(g);
            this.scroll = 0;
        }
        this.launch = launch;
        this.axis = axis;
        this.rows();
    }

    /* Where each group's rows begin, in pixels from the first. */
    rows() {
        this.tops = new Float64Array(this.launch.nGroups + 1);
        for (let g = 0; g < this.launch.nGroups; g++) {
            this.tops[g + 1] = this.tops[g] + HEAD
                + (this.open.has(g) ? this.launch.items * this.lane + 4 : 0);
        }
        this.limit();
    }

    limit() {
        const height = this.tops[this.launch.nGroups];
        const room = this.canvas.clientHeight - TOP;
        this.scroll = Math.max(0, Math.min(this.scroll, height - room));
        const width = this.canvas.clientWidth - LEFT;
        this.scale = Math.max(width / (this.axis.span + 1), Math.min(this.scale, 140));
        const most = this.axis.span + 0.5 - width / this.scale + 0.5;
        this.start = Math.max(0.5, Math.min(this.start, most));
    }

    fit() {
        this.scale = 0;
        this.start = 0.5;
        const rows = this.launch.nGroups * HEAD;
        const lanes = this.open.size * this.launch.items;
        const room = this.canvas.clientHeight - TOP - rows - 8;
        this.lane = Math.max(LEAST_LANE, Math.min(MOST_LANE, Math.floor(room / lanes)));
        this.rows();
    }

    /* Scale @factor times as large, where @x stays. */
    zoom(factor, x = LEFT + (this.canvas.clientWidth - LEFT) / 2) {
        const pos = this.posAt(x);
        this.scale *= factor;
        this.limit();
        this.start = pos - (x - LEFT) / this.scale;
        this.limit();
    }

    tall(factor) {
        const lane = Math.round(this.lane * factor);
        this.lane = Math.max(LEAST_LANE, Math.min(MOST_LANE, lane));
        this.rows();
    }

    x(pos) { return LEFT + (pos - this.start) * this.scale; }
    posAt(x) { return this.start + (x - LEFT) / this.scale; }

    groupAt(y) {
        let low = 0, high = this.launch.nGroups;
        while (low + 1 < high) {
            const middle = (low + high) >> 1;
            if (this.tops[middle] <= y) low = middle; else high = middle;
        }
        return low;
    }

    /* The row of an item: of its group if that is closed. Returns: [top, height] */
    row(item) {
        const group = Math.floor(item / this.launch.items);
        const top = TOP + this.tops[group] - this.scroll;
        return this.open.has(group)
            ? [top + HEAD + (item % this.launch.items) * this.lane, this.lane]
            : [top, HEAD];
    }

    /* Moves the view so that an event is in it. */
    reveal(e) {
        const x = this.x(this.axis.pos(e)), width = this.canvas.clientWidth;
        if (x < LEFT + 10 || x > width - Math.max(this.scale, 20)) {
            this.start = this.axis.pos(e) - (width - LEFT) / this.scale / 3;
        }
        const [y, height] = this.row(this.launch.item[e]);
        if (y < TOP + 2) this.scroll += y - TOP - HEAD;
        const below = y + height - this.canvas.clientHeight;
        if (below > 0) this.scroll += below + 4;
        this.limit();
    }

    /* The things at a point: { group, item, event }. */
    hit(x, y) {
        const down = y - TOP + this.scroll;
        if (y < TOP || down >= this.tops[this.launch.nGroups]) return null;
        const group = this.groupAt(down);
        const inside = down - this.tops[group] - HEAD;
        if (inside < 0 || !this.open.has(group)) {
            return { group, head: true, ...this.near(this.axis.groups.get(group), x) };
        }
        const local = Math.floor(inside / this.lane);
        if (local >= this.launch.items) return null;
        const item = group * this.launch.items + local;
        return { group, item, ...this.near(this.launch.lanes.get(item), x) };
    }

    near(list, x) {
        if (x < LEFT || list.length === 0) return {};
        const pos = this.posAt(x) - (this.scale > 10 ? 0.5 : 0);
        let i = Math.min(this.axis.find(list, pos), list.length - 1);
        const at = (k) => this.axis.pos(list[k]);
        if (i > 0 && pos - at(i - 1) < at(i) - pos) i--;
        return { event: list[i] };
    }

    /* ---- Drawing -------------------------------------------------------------- */

    draw(current, form) {
        const begin = performance.now();
        const canvas = this.canvas, on = this.context;
        const ratio = window.devicePixelRatio || 1;
        const width = canvas.clientWidth, height = canvas.clientHeight;
        if (canvas.width !== Math.round(width * ratio)
            || canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
            this.limit();
        }
        on.setTransform(ratio, 0, 0, ratio, 0, 0);
        on.font = FONT;
        on.textBaseline = "middle";
        on.fillStyle = this.colour.lane;
        on.fillRect(0, 0, width, height);
        this.form = form;
        const first = this.groupAt(this.scroll);
        for (let g = first; g < this.launch.nGroups; g++) {
            const top = TOP + this.tops[g] - this.scroll;
            if (top > height) break;
            this.group(g, top, width, height, current);
        }
        on.save();
        on.beginPath();
        on.rect(LEFT, TOP, width - LEFT, height - TOP);
        on.clip();
        if (this.scale >= 8 && this.lane >= 10) this.arrows(width, height);
        this.relations(current);
        this.cursor(current, height);
        this.findings(width);
        on.restore();
        this.ruler(width);
        this.bar(width, height);
        this.took = performance.now() - begin;
    }

    ruler(width) {
        const on = this.context;
        on.fillStyle = this.colour.card;
        on.fillRect(0, 0, width, TOP);
        on.fillStyle = this.colour.soft;
        on.textAlign = "right";
        on.fillText(this.axis.timed ? "time" : "event", LEFT - 8, TOP / 2);
        on.textAlign = "center";
        let every = 1;
        while (every * this.scale < 60) every *= String(every)[0] === "2" ? 2.5 : 2;
        const from = Math.ceil(this.start / every) * every;
        for (let pos = from; this.x(pos) < width; pos += every) {
            const x = this.x(pos) + (this.scale > 10 ? this.scale / 2 : 0);
            if (pos > 0 && pos <= this.axis.span) {
                on.fillText(String(Math.round(pos)), x, TOP / 2);
            }
        }
        on.textAlign = "left";
    }

    bar(width, height) {
        const all = this.tops[this.launch.nGroups], room = height - TOP;
        if (all <= room) return;
        this.context.fillStyle = this.colour.soft;
        this.context.fillRect(width - 5, TOP + this.scroll / all * room, 4,
            Math.max(12, room / all * room));
    }

    group(g, top, width, height, current) {
        const on = this.context, open = this.open.has(g);
        on.fillStyle = this.colour.card;
        on.fillRect(0, top, width, HEAD);
        on.fillStyle = this.colour.ink;
        on.textAlign = "left";
        on.fillText((open ? "\u25be " : "\u25b8 ") + "group " + g, 6, top + HEAD / 2);
        on.strokeStyle = this.colour.line;
        on.beginPath();
        on.moveTo(0, top + 0.5);
        on.lineTo(width, top + 0.5);
        on.stroke();
        const first = Math.max(0, Math.floor((TOP - top - HEAD) / this.lane));
        const end = open ? Math.min(this.launch.items,
            Math.ceil((height - top - HEAD) / this.lane)) : 0;
        for (let i = first; i < end; i++) {
            this.label(g * this.launch.items + i, current);
        }
        on.save();
        on.beginPath();
        on.rect(LEFT, TOP, width - LEFT, height - TOP);
        on.clip();
        if (!open) this.crowd(g, top, width);
        else this.names(g, top, width);
        for (let i = first; i < end; i++) {
            this.items(g * this.launch.items + i, top + HEAD + i * this.lane, width);
        }
        on.restore();
    }

    /* The name of an item, where there is room for it. */
    label(item, current) {
        const on = this.context, i = item % this.launch.items;
        const here = current >= 0 && this.launch.item[current] === item;
        const room = this.lane >= 11 || (i % Math.ceil(14 / this.lane) === 0
            && (this.launch.items - i) * this.lane >= 11);
        if (!room) return;
        const [y] = this.row(item);
        on.fillStyle = here ? this.colour.ink : this.colour.soft;
        on.font = here ? "bold " + FONT : FONT;
        on.textAlign = "right";
        on.fillText("item " + i, LEFT - 8, y + Math.max(this.lane, 12) / 2);
        on.font = FONT;
        on.textAlign = "left";
    }

    /* The rendezvous of a group, by name. */
    names(g, top, width) {
        const on = this.context, list = this.launch.lanes.get(g * this.launch.items);
        let end = LEFT;
        on.fillStyle = this.colour.soft;
        on.textAlign = "center";
        for (let i = this.axis.find(list, this.start); i < list.length; i++) {
            const x = this.x(this.axis.pos(list[i])) + this.scale / 2;
            if (x > width || this.scale < 4) break;
            if (this.launch.kind[list[i]] !== K.leave) continue;
            const name = this.launch.operation(list[i]);
            const half = on.measureText(name).width / 2;
            if (x - half < end) continue;
            on.fillText(name, x, top + HEAD / 2);
            end = x + half + 8;
        }
        on.textAlign = "left";
    }

    /* A closed group: how much happens, by kind. */
    crowd(g, top, width) {
        const on = this.context, list = this.axis.groups.get(g);
        const step = this.scale >= 4 ? this.scale : 3;
        let i = this.axis.findInGroup(g, this.start, 0, list.length);
        for (let x = this.x(this.scale >= 4 ? Math.floor(this.start) : this.start);
            x < width && i < list.length; x += step) {
            const right = this.posAt(x + step) - 1e-9;
            const end = this.axis.findInGroup(g, right, i, i + 65536);
            const n = end - i;
            if (n > 0) {
                const kind = this.choose(list, i, end);
                const all = Math.log2(this.launch.items + 2);
                const share = Math.min(1, Math.log2(n + 1) / all);
                const high = Math.max(3, share * (HEAD - 6));
                this.block(kind, x, top + HEAD - 2 - high,
                    Math.max(1, step - (step > 4)), high);
            }
            i = end;
        }
    }

    /* The mark that is drawn for several events: the most important of them. */
    choose(list, from, end) {
        const stride = Math.max(1, Math.floor((end - from) / 6));
        let best = -1, weight = -1;
        for (let i = from; i < end; i += stride) {
            const kind = this.launch.kind[list[i]];
            if (WEIGHT[kind] > weight) {
                weight = WEIGHT[kind];
                best = kind;
            }
        }
        return best;
    }

    block(kind, x, y, width, height) {
        const on = this.context;
        if (kind === K.arrive || kind === K.leave) {
            on.fillStyle = this.hatch;
        } else if (isAtomic(kind)) {
            on.fillStyle = this.colour.atomic;
        } else if (writes(kind)) {
            on.fillStyle = this.colour.write;
        } else if (kind === K.fence) {
            on.fillStyle = this.colour.fence;
        } else if (reads(kind)) { /* hollow, or in part */
            on.fillStyle = this.colour.soft;
            if (width > 5 && this.scale >= 3) {
                on.fillRect(x, y, width, 1);
                on.fillRect(x, y + height - 1, width, 1);
                on.fillRect(x, y, 1, height);
                on.fillRect(x + width - 1, y, 1, height);
                return;
            }
            y += height / 3;
            height /= 3;
        } else {
            on.fillStyle = this.colour.ink;
        }
        on.fillRect(x, y, width, height);
        if (isAtomic(kind) && height > 6) { /* not by colour alone */
            on.fillStyle = this.colour.lane;
            on.fillRect(x, y + height / 2 - 1, width, 2);
        }
    }

    items(item, y, width) {
        const on = this.context, launch = this.launch, list = launch.lanes.get(item);
        if (list.length === 0) return;
        const middle = y + this.lane / 2;
        on.fillStyle = this.colour.line;
        const from = Math.max(LEFT, this.x(this.axis.pos(list[0])));
        const to = Math.min(width, this.x(this.axis.pos(list[list.length - 1])));
        if (to > from) on.fillRect(from, middle, to - from, 1);
        let i = Math.max(0, this.axis.find(list, this.start - 1) - 1);
        const fine = this.scale >= 3;
        const wide = this.lane >= 12 ? 1 : this.lane >= 6 ? 2 : 3;
        let run = null; /* equal neighbours are one block */
        while (i < list.length) {
            const e = list[i], x = this.x(this.axis.pos(e));
            if (x > width) break;
            let next = i + 1;
            let kind = launch.kind[e];
            if (!fine) {
                next = Math.max(next, this.axis.find(list,
                    this.posAt(Math.max(LEFT, Math.floor(x)) + wide), next));
                kind = this.choose(list, i, next);
            }
            const last = launch.kind[list[next - 1]];
            if (run && (run.kind !== kind || x > run.end + 1 || last === K.arrive)) {
                this.run(run, y);
                run = null;
            }
            if (last === K.arrive) {
                const end = next < list.length
                    ? this.x(this.axis.pos(list[next])) : width;
                on.fillStyle = this.hatch;
                const high = Math.max(1, this.lane / 2);
                on.fillRect(x + (fine ? this.scale * 0.1 : 0), middle - high / 2,
                    Math.max(1, end - x), high);
            }
            if (fine) this.event(e, x, y);
            else if (kind !== K.arrive) {
                run = run || { kind, x };
                run.end = x + wide;
            }
            i = next;
        }
        if (run) this.run(run, y);
    }

    run(run, y) {
        const high = Math.max(1, this.lane - 2);
        this.block(run.kind, run.x, y + 1, run.end - run.x, high);
    }

    event(e, x, y) {
        const on = this.context, k = this.launch.kind[e], middle = y + this.lane / 2;
        const width = Math.max(2, this.scale - 3), height = Math.max(2, this.lane - 5);
        const top = y + (this.lane - height) / 2, centre = x + this.scale / 2;
        on.fillStyle = on.strokeStyle = this.colour.ink;
        if (k === K.leave) {
            on.fillStyle = this.colour.meet;
            on.fillRect(centre - 1.5, y, 3, this.lane);
        } else if (k === K.start || k === K.end || k === K.cut) {
            this.mark(k, centre, middle, Math.min(height, 12, this.scale));
        } else if (k === K.fence) {
            on.fillStyle = this.colour.fence;
            on.fillRect(centre - 5, top, 4, height);
            on.fillRect(centre + 1, top, 4, height);
        } else if (reads(k) || writes(k)) {
            this.access(k, x + 1, top, width, height);
            const label = this.scale >= 18 && this.lane >= 15
                ? this.launch.label(e, this.form) : "";
            if (label && on.measureText(label).width <= width - 4) {
                on.fillStyle = !writes(k) ? this.colour["read-ink"]
                    : this.colour[isAtomic(k) ? "atomic-ink" : "write-ink"];
                on.textAlign = "center";
                on.fillText(label, x + 1 + width / 2, middle + 1);
                on.textAlign = "left";
            }
        }
    }

    mark(k, x, y, size) {
        const on = this.context, half = size / 2;
        on.beginPath();
        if (k === K.start) {
            on.moveTo(x - half, y - half);
            on.lineTo(x + half, y);
            on.lineTo(x - half, y + half);
            on.fill();
        } else if (k === K.end) {
            on.fillRect(x - half * 0.8, y - half * 0.8, size * 0.8, size * 0.8);
        } else {
            on.strokeStyle = this.colour.alarm;
            on.lineWidth = 2.5;
            on.moveTo(x - half, y - half);
            on.lineTo(x + half, y + half);
            on.moveTo(x + half, y - half);
            on.lineTo(x - half, y + half);
            on.stroke();
            on.lineWidth = 1;
        }
    }

    access(k, x, y, width, height) {
        const on = this.context;
        if (width < 10) {
            this.block(k, x, y, width, height);
            return;
        }
        on.beginPath();
        if (isAtomic(k)) {
            const tip = Math.min(6, width / 4);
            on.moveTo(x, y + height / 2);
            for (const [dx, dy] of [[tip, 0], [width - tip, 0], [width, height / 2],
                [width - tip, height], [tip, height]]) on.lineTo(x + dx, y + dy);
            on.closePath();
        } else if (writes(k)) {
            on.roundRect(x, y, width, height, Math.min(8, height / 2));
        } else {
            on.rect(x, y, width, height);
        }
        on.fillStyle = writes(k) ? this.colour[isAtomic(k) ? "atomic" : "write"]
            : this.colour.read;
        on.strokeStyle = this.colour.ink;
        on.fill();
        on.stroke();
    }

    /* ---- Arrows --------------------------------------------------------------- */

    arrow(a, b, colour, line, dashes) {
        const on = this.context;
        const [top, high] = this.row(this.launch.item[a]);
        const [below, low] = this.row(this.launch.item[b]);
        const x = this.x(this.axis.pos(a)) + (this.scale >= 10 ? this.scale - 2 : 1);
        const end = this.x(this.axis.pos(b));
        const y = top + high / 2, to = below + low / 2;
        const bend = Math.max(10, Math.min(Math.abs(end - x) / 2, 80));
        on.strokeStyle = on.fillStyle = colour;
        on.lineWidth = line;
        on.setLineDash(dashes);
        on.beginPath();
        on.moveTo(x, y);
        on.bezierCurveTo(x + bend, y, end - bend, to, end - 4, to);
        on.stroke();
        on.setLineDash([]);
        on.beginPath();
        on.moveTo(end + 1, to);
        on.lineTo(end - 7, to - 4.5);
        on.lineTo(end - 7, to + 4.5);
        on.fill();
        on.lineWidth = 1;
    }

    /* Which writes the events in view read, if there are few. */
    arrows(width, height) {
        const launch = this.launch, axis = this.axis, drawn = [];
        const low = this.start - 1, high = this.posAt(width);
        for (const g of this.open) {
            const top = TOP + this.tops[g] - this.scroll;
            if (top > height || top + HEAD + launch.items * this.lane < TOP) continue;
            const list = axis.groups.get(g);
            for (let i = axis.find(list, low); i < list.length; i++) {
                const e = list[i], w = launch.from[e];
                if (axis.pos(e) > high || drawn.length > 300) break;
                if (w >= 0 && launch.item[w] !== launch.item[e]) drawn.push([w, e]);
            }
        }
        if (drawn.length > 300) return;
        this.context.globalAlpha = 0.75;
        drawn.forEach(([w, e]) => this.arrow(w, e, this.colour.write, 1, []));
        this.context.globalAlpha = 1;
    }

    /* The events that the current event reads, is read by, and synchronises with. */
    relations(e) {
        if (e < 0) return;
        const launch = this.launch, pairs = launch.edges.get(e);
        const reading = launch.from[e];
        if (reading >= 0) this.arrow(reading, e, this.colour.write, 2.5, []);
        if (writes(launch.kind[e])) {
            for (const reader of launch.readers(e).subarray(0, 40)) {
                this.arrow(e, reader, this.colour.write, 1.5, []);
            }
        }
        if (!pairs) return;
        const dashed = (a, b) => this.arrow(a, b, this.colour.atomic, 3, [7, 4]);
        pairs.with.slice(0, 40).forEach((a) => dashed(a, e));
        pairs.by.slice(0, 40).forEach((b) => dashed(e, b));
    }

    cursor(e, height) {
        if (e < 0) return;
        const on = this.context, x = this.x(this.axis.pos(e));
        const [y, high] = this.row(this.launch.item[e]);
        on.strokeStyle = this.colour.link;
        on.lineWidth = 1;
        on.beginPath();
        const line = x + (this.scale >= 10 ? this.scale - 1 : 0);
        on.moveTo(line, TOP);
        on.lineTo(line, height);
        on.stroke();
        on.lineWidth = 3;
        on.strokeRect(x - 1.5, y, Math.max(this.scale, 5), Math.max(high, 6));
        on.lineWidth = 1;
    }

    findings(width) {
        const on = this.context;
        on.textAlign = "center";
        for (const [e, numbers] of this.launch.found) {
            const x = this.x(this.axis.pos(e)) + 2;
            const [top, high] = this.row(this.launch.item[e]);
            if (x < LEFT - 8 || x > width + 8) continue;
            const y = top + (this.lane > 12 ? 4 : high / 2);
            on.beginPath();
            on.arc(x, y, 8, 0, 7);
            on.fillStyle = this.colour.lane;
            on.fill();
            on.strokeStyle = this.colour.alarm;
            on.lineWidth = 2;
            on.stroke();
            on.lineWidth = 1;
            on.fillStyle = this.colour.alarm;
            on.font = "bold " + FONT;
            on.fillText(String(numbers[0] + 1), x, y + 1);
            on.font = FONT;
        }
        on.textAlign = "left";
    }

    /* All of the run: how much happens, findings, and what is in view. */
    map(canvas, current) {
        const on = canvas.getContext("2d"), axis = this.axis;
        const ratio = window.devicePixelRatio || 1;
        const width = canvas.clientWidth, height = canvas.clientHeight;
        if (canvas.width !== Math.round(width * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
        }
        if (!axis.counts || axis.counts.length !== width) {
            axis.counts = new Float64Array(width);
            for (let e = 0; e < this.launch.n; e++) {
                const x = Math.floor((axis.pos(e) - 0.5) / axis.span * width);
                axis.counts[Math.max(0, Math.min(width - 1, x))]++;
            }
            axis.counts.forEach((n, x) => { axis.counts[x] = Math.log2(n + 1); });
            axis.most = axis.counts.reduce((a, b) => Math.max(a, b), 1);
        }
        on.setTransform(ratio, 0, 0, ratio, 0, 0);
        on.fillStyle = this.colour.card;
        on.fillRect(0, 0, width, height);
        on.fillStyle = this.colour.wait;
        for (let x = 0; x < width; x++) {
            if (axis.counts[x] > 0) {
                const high = Math.max(2, axis.counts[x] / axis.most * (height - 8));
                on.fillRect(x, height - high, 1, high);
            }
        }
        const at = (pos) => (pos - 0.5) / axis.span * width;
        on.fillStyle = this.colour.alarm;
        for (const e of this.launch.found.keys()) {
            on.fillRect(at(axis.pos(e)) - 1, 0, 3, 8);
        }
        on.strokeStyle = this.colour.ink;
        on.lineWidth = 2;
        const end = this.posAt(this.canvas.clientWidth);
        on.strokeRect(at(this.start) + 1, 1, Math.max(4, at(end) - at(this.start) - 2),
            height - 2);
        if (current >= 0) {
            on.fillStyle = this.colour.link;
            on.fillRect(at(axis.pos(current)) - 1, 0, 3, height);
        }
    }
}

/* The weight of an event: if several are in one pixel, the heaviest is shown. */
const WEIGHT = KINDS.map((name, k) => name === "cut" ? 9 : isAtomic(k) ? 8
    : name === "fence" ? 7 : writes(k) ? 6 : reads(k) ? 5 : name === "end" ? 4
        : name === "start" ? 3 : 1);
