/* SPDX-License-Identifier: MIT
 *
 * graph.js: an execution as a picture. Threads are columns, and events are rows in the
 * order in which they were added. An option that is refused is drawn with its events,
 * dashed, and its cycle. */
"use strict";

const Graph = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const ROW = 54, BOX = 38, TOP = 46, CHARACTER = 7.6, SMALLER = .9, LEAST = 100;

  /* Edges by their classes. */
  const KINDS = ["po", "rmw", "rf", "mo", "rb", "sw", "bar-edge", "hb", "race", "cycle"];

  /* Between columns, and beside them. */
  const MOST_GAP = 116, LEAST_GAP = 50, LEFT = 6, RIGHT = 46;

  function node(name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const key of Object.keys(attributes || {})) {
      element.setAttribute(key, attributes[key]);
    }
    if (text !== undefined) {
      element.textContent = text;
    }
    return element;
  }

  /* The events in the order of their rows, with the events of a refused option last. */
  function rowsOf(play, option) {
    const all = play.events.map((event, number) => ({ event, number, ghost: false }));
    all.sort((a, b) => a.event.step - b.event.step);
    if (option) {
      option.events.forEach((event, i) => {
        all.push({ event, number: play.events.length + i, ghost: true });
      });
    }
    const initial = new Set(play.edges.filter((edge) => edge.kind === "rf" && edge.from < 0).map((edge) => edge.to));
    all.forEach((one, i) => {
      one.row = i;
      one.initial = initial.has(one.number);
    });
    return all;
  }

  /* The second line of an event. */
  function whereOf(one) {
    const line = one.event.line ? "line " + one.event.line : "";
    return one.initial ? line + (line ? ", " : "") + "initial value" : line;
  }

  /* Where each column is. Threads without events have one, too. */
  function columnsOf(play, rows, names, room) {
    const columns = play.threads.map((thread, t) => {
      const own = rows.filter((one) => one.event.thread === t);
      const longest = Math.max(names[t].length, ...own.map((one) => Math.max(one.event.text.length,
        SMALLER * whereOf(one).length)));
      return { width: Math.max(LEAST, longest * CHARACTER + 20), x: 0 };
    });
    const whole = columns.reduce((sum, column) => sum + column.width, LEFT + RIGHT);
    const gap = Math.max(LEAST_GAP, Math.min(MOST_GAP, (room - whole) / Math.max(1, columns.length - 1)));
    let x = LEFT;
    for (const column of columns) {
      column.x = x;
      column.gap = gap;
      x += column.width + gap;
    }
    return { columns, width: x - gap + RIGHT };
  }

  /* Edges between the same two events are drawn side by side. */
  function spread(edges) {
    const seen = new Map();
    for (const edge of edges) {
      const key = edge.from + " " + edge.to;
      edge.lane = seen.get(key) || 0;
      seen.set(key, edge.lane + 1);
    }
    for (const edge of edges) {
      edge.lanes = seen.get(edge.from + " " + edge.to);
    }
  }

  /* Between columns that are not neighbours: down beside the first one, and then along
   * the row of the other event, which has no third one. */
  function around(a, b, edge, shift, used) {
    const right = b.x > a.x, side = right ? 1 : -1;
    const gutter = right ? a.column : a.column - 1;
    const n = used.get(gutter) || 0;
    used.set(gutter, n + 1);
    const step = a.gap < 80 ? 8 : 13, lanes = Math.floor((a.gap - 24) / step);
    const xa = right ? a.x + a.width : a.x, xb = right ? b.x - 8 : b.x + b.width + 8;
    const x = xa + side * (14 + step * (n % lanes));
    const ya = a.y + BOX / 2 + shift, yb = b.y + BOX / 2 + shift, down = yb > ya ? 1 : -1;
    return { path: `M${xa},${ya} H${x - 6 * side} Q${x},${ya} ${x},${ya + 6 * down} V${yb - 6 * down}`
                   + ` Q${x},${yb} ${x + 6 * side},${yb} H${xb}`,
             x: x - 7, y: ya + down * (34 + 13 * (n % 3)) };
  }

  function shapeOf(a, b, edge, used) {
    const shift = (edge.lane - (edge.lanes - 1) / 2) * 13;
    if (a.x === b.x) {
      const down = b.y > a.y;
      if (edge.kind === "po" && Math.abs(b.row - a.row) === 1 || edge.kind === "po" && !edge.cycle) {
        const x = a.x + 18;
        return { path: `M${x},${down ? a.y + BOX : a.y} L${x},${down ? b.y - 7 : b.y + BOX + 7}`,
                 x: x + 8, y: (a.y + b.y + BOX) / 2 + 4 };
      }
      const side = a.x + a.width, most = a.gap < 80 ? 16 : 40;
      const far = side + 2 * Math.min(most, 12 + 5 * Math.abs(b.row - a.row)) + edge.lane * 12;
      const ya = a.y + BOX / 2 + (down ? 6 : -6), yb = b.y + BOX / 2 + (down ? -6 : 6);
      return { path: `M${side},${ya} C${far},${ya} ${far},${yb} ${side + 8},${yb}`,
               x: side + (far - side) * .75 - 6, y: (ya + yb) / 2 + 4 };
    }
    if (Math.abs(a.column - b.column) > 1) {
      return around(a, b, edge, shift, used);
    }
    const right = b.x > a.x;
    const xa = right ? a.x + a.width : a.x, xb = right ? b.x - 8 : b.x + b.width + 8;
    const ya = a.y + BOX / 2 + shift, yb = b.y + BOX / 2 + shift;
    const bend = Math.min(60, Math.abs(xb - xa) / 2) * (right ? 1 : -1);
    const at = .3 + .15 * edge.lane; /* near its beginning: edges cross in the middle */
    const u = 1 - at;
    const x = u * u * u * xa + 3 * u * u * at * (xa + bend) + 3 * u * at * at * (xb - bend) + at * at * at * xb;
    const y = u * u * u * ya + 3 * u * u * at * ya + 3 * u * at * at * yb + at * at * at * yb;
    return { path: `M${xa},${ya} C${xa + bend},${ya} ${xb - bend},${yb} ${xb},${yb}`, x: x - 7, y: y - 4 };
  }

  function classOf(edge) {
    const kind = edge.cycle ? "cycle" : edge.kind === "bar" ? "bar-edge" : edge.kind;
    return KINDS.includes(kind) ? kind : "po";
  }

  function marker(name) {
    const shape = node("marker", { id: "arrow-" + name, class: name, viewBox: "0 0 10 10", refX: 2,
      refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" });
    const tip = node("path", { d: "M0,0 L10,5 L0,10 z" });
    tip.style.fill = "var(--c)";
    shape.append(tip);
    return shape;
  }

  function drawEdge(svg, places, edge, used) {
    const a = places.get(edge.from), b = places.get(edge.to);
    if (!a || !b) {
      return;
    }
    const shape = shapeOf(a, b, edge, used), kind = classOf(edge);
    svg.append(node("path", { d: shape.path, class: "edge " + kind, "marker-end": `url(#arrow-${kind})` }));
    if (edge.kind !== "po" || edge.cycle) {
      svg.append(node("text", { x: shape.x, y: shape.y, class: "label " + kind }, edge.kind));
    }
  }

  function drawEvent(svg, one, place, view) {
    const { event, number } = one;
    const names = ["event"];
    if (one.ghost) {
      names.push("ghost");
    } else if (number === view.chosen) {
      names.push("chosen");
    } else if (view.past.has(number)) {
      names.push("past");
    }
    const where = whereOf(one);
    const label = `${view.names[event.thread]}: ${event.text}, ${where}` + (one.ghost ? ", refused" : "");
    const group = node("g", { class: names.join(" "), "data-event": number });
    if (!one.ghost) {
      group.setAttribute("tabindex", number === view.chosen ? 0 : -1);
      group.setAttribute("role", "button");
      group.setAttribute("aria-pressed", number === view.chosen);
    }
    group.setAttribute("aria-label", label);
    group.append(
      node("rect", { x: place.x, y: place.y, width: place.width, height: BOX, rx: 6 }),
      node("text", { x: place.x + 10, y: place.y + 16, "font-size": 12.5 }, event.text),
      node("text", { x: place.x + 10, y: place.y + 31, "font-size": 11, class: "small" }, where));
    svg.append(group);
  }

  /* The last events among those that happen before the event. */
  function happensBefore(play, chosen) {
    const past = (number) => (play.events[number].before || "").split(",").filter(Boolean).map(Number);
    const all = chosen >= 0 ? past(chosen) : [];
    const earlier = new Set(all.flatMap(past));
    return all.filter((from) => !earlier.has(from)).map((from) => ({ kind: "hb", from, to: chosen }));
  }

  /* The edges that are drawn: with a cycle, it is drawn in place of its own edges. */
  function edgesOf(play, { option, hidden, chosen }) {
    const cycle = option ? option.cycle.map((edge) => ({ ...edge, cycle: true })) : [];
    const inCycle = (edge) => cycle.some((c) => c.from === edge.from && c.to === edge.to && c.kind === edge.kind);
    const plain = play.edges.filter((edge) => edge.from >= 0 && !hidden.has(edge.kind) && !inCycle(edge)
                                    && (!option || edge.kind === "po"));
    const derived = hidden.has("hb") || option ? [] : happensBefore(play, chosen);
    const edges = plain.map((edge) => ({ ...edge })).concat(derived, cycle.filter((edge) => edge.from >= 0));
    spread(edges);
    return edges;
  }

  /**
   * view: names: of threads; chosen: the number of an event, or -1; option: that is
   * refused, or null; hidden: a Set of kinds of edges; width: that there is.
   * Returns: an element
   */
  function draw(play, view) {
    const rows = rowsOf(play, view.option);
    const { columns, width } = columnsOf(play, rows, view.names, view.width);
    const height = TOP + rows.length * ROW + 8;
    const svg = node("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    const defs = node("defs");
    for (const name of KINDS) {
      defs.append(marker(name));
    }
    svg.append(defs);
    const places = new Map();
    for (const one of rows) {
      const column = columns[one.event.thread];
      places.set(one.number, { x: column.x, width: column.width, gap: column.gap, column: one.event.thread, y: TOP + one.row * ROW, row: one.row });
    }
    columns.forEach((column, t) => {
      svg.append(node("text", { x: column.x + 4, y: 24, "font-size": 13, class: "head t" + t % 4 }, view.names[t]));
    });
    const past = view.chosen >= 0 ? play.events[view.chosen].before : "";
    const whole = { ...view, past: new Set(past === "" ? [] : past.split(",").map(Number)) };
    const edges = edgesOf(play, view);
    for (const one of rows) {
      drawEvent(svg, one, places.get(one.number), whole);
    }
    const used = new Map(); /* lines in the gutters */
    edges.forEach((edge) => drawEdge(svg, places, edge, used));
    return svg;
  }

  /* A short line for the legend. */
  function sample(kind) {
    const name = kind === "bar" ? "bar-edge" : kind;
    const svg = node("svg", { width: 34, height: 12, "aria-hidden": "true" });
    svg.append(node("path", { d: "M2,6 L32,6", class: "edge " + name }));
    return svg;
  }

  return { draw, sample };
})();
