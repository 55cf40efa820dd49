/* SPDX-License-Identifier: MIT
 *
 * play.js: the page of weir play. The page is a function of a state: the model, the
 * choices, the changes and, for a litmus test, its text. The state is in the address
 * after the #, so a link shows the same. Each change of it asks the server, which keeps
 * nothing. */
"use strict";

const byId = (id) => document.getElementById(id);
const RELATIONS = [["po", "program order"], ["rf", "reads from"], ["mo", "modification order"],
  ["rb", "reads before"], ["sw", "synchronises with"], ["bar", "meets at a barrier"],
  ["hb", "before the chosen event in the model's order"], ["race", "data race"], ["rmw", "one read-modify-write"]];

let state = { choices: "" };
let play = null;              /* the latest answer */
let before = null;            /* the answer before it, of the same execution */
let undone = [], done = [];   /* states, as text */
let refused = null;           /* the refused option that is shown, and its thread */
let chosen = -1;              /* the event whose past is shown */
let asked = 0;                /* requests so far; an answer to an older one is dropped */
const hidden = new Set(["rmw", "rb", "hb"]);

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties || {});
  element.append(...children);
  return element;
}

function say(text) {
  byId("live").textContent = text;
}

/* ---- The state ------------------------------------------------------------------- */

/* The members that a state may have, in one order. */
function clean(of) {
  const kept = {};
  for (const key of ["model", "choices", "changes", "text"]) {
    if (typeof of[key] === "string" && (of[key] !== "" || key === "text")) {
      kept[key] = of[key];
    }
  }
  return kept;
}

const toFragment = (of) => "#" + encodeURIComponent(JSON.stringify(clean(of)));

/* Returns: a state, or null if the address is damaged */
function fromFragment() {
  try {
    return location.hash.length < 2 ? {} : clean(JSON.parse(decodeURIComponent(location.hash.slice(1))));
  } catch (error) {
    return null;
  }
}

/* Shows the state of the address. */
async function follow(words) {
  const next = fromFragment();
  await show(next || {}, words);
  if (next === null) {
    complain("The link is damaged: this is the start of the execution.");
  }
}

function complain(text) {
  byId("wrong").textContent = text;
  byId("wrong").hidden = text === "";
}

async function ask(of) {
  const response = await fetch("play", { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify(of) });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.error);
  }
  return answer;
}

/* Shows a state; what it says of it is spoken. Returns: whether there is an answer */
async function show(next, words) {
  const number = ++asked;
  let answer;
  try {
    answer = await ask(next);
  } catch (error) {
    if (number === asked) {
      complain(error instanceof TypeError ? "The server does not answer: is weir play still running?" : error.message);
      if (play !== null) {
        render(); /* what was asked for is not so */
      }
    }
    return false;
  }
  if (number !== asked) {
    return false;
  }
  complain(answer.refused ? `Not all choices can be taken under this model: ${answer.refused}.` : "");
  before = play;
  play = answer;
  state = { ...next, model: play.model, choices: play.steps.map((step) => step.choice).join(",") };
  if (play.text_of_test !== null) {
    state.text = play.text_of_test;
  }
  history.replaceState(null, "", toFragment(state));
  refused = null;
  chosen = play.events.reduce((best, event, i) => best < 0 || event.step > play.events[best].step ? i : best, -1);
  render();
  say(words ? words() : "");
  return true;
}

/* A state that can be undone. */
async function go(change, words) {
  const from = JSON.stringify(state);
  if (await show({ ...state, ...change }, words)) {
    done.push(from);
    undone = [];
    renderBar();
  }
}

async function turnBack(from, to, words) {
  if (from.length > 0) {
    to.push(JSON.stringify(state));
    await show(JSON.parse(from.pop()), () => words);
    renderBar();
  }
}

const undo = () => turnBack(done, undone, "Undone.");
const redo = () => turnBack(undone, done, "Done again.");

function keep(n) {
  return state.choices.split(",").slice(0, n).join(",");
}

const stepBack = () => play && play.steps.length > 0
  && go({ choices: keep(play.steps.length - 1) }, () => `One step back: ${play.steps.length} steps.`);
const restart = () => play && play.steps.length > 0 && go({ choices: "" }, () => "At the beginning.");

/* ---- Choices --------------------------------------------------------------------- */

const nameOf = (t) => play.threads[t].name;

/* How much comes before other events more than a step ago. */
function growth() {
  const pairs = (of) => of.events.reduce((n, event) => n + (event.before ? event.before.split(",").length : 0), 0);
  const more = before ? pairs(play) - pairs(before) : 0;
  const order = play.order[0].toUpperCase() + play.order.slice(1);
  return more > 0 ? ` ${order} has ${more} more pair${more > 1 ? "s" : ""}.` : "";
}

function take(t, option) {
  const thread = nameOf(t);
  go({ choices: (state.choices ? state.choices + "," : "") + option.choice },
    () => `${thread} ${option.text}.${growth()} ${play.reached === "part" ? "" : endText()}`);
}

function showRefused(t, option) {
  const same = refused !== null && refused.option === option;
  refused = same ? null : { thread: t, option };
  renderReason();
  renderGraph();
  document.querySelectorAll(".option.refused").forEach((button) => {
    button.setAttribute("aria-pressed", String(refused !== null && button.dataset.choice === refused.option.choice));
  });
  say(refused === null ? "" : `${nameOf(t)} cannot: ${option.axiom}: ${option.sentence}. The cycle has ${option.cycle.length} steps.`);
}

function choose(t, option) {
  if (option.allowed) {
    take(t, option);
  } else {
    showRefused(t, option);
  }
}

function optionButton(t, option, number) {
  const label = make("span", {}, option.text);
  if (option.note) {
    label.append(make("span", { className: "note" }, ` (${option.note})`));
  }
  if (!option.allowed) {
    label.append(" ", make("strong", {}, `refused: ${option.axiom}`));
  }
  const button = make("button", { type: "button", className: "option" + (option.allowed ? "" : " refused") });
  button.dataset.choice = option.choice;
  if (number <= 9) {
    button.append(make("kbd", { ariaHidden: "true" }, String(number)));
  }
  button.append(label);
  if (!option.allowed) {
    button.setAttribute("aria-disabled", "true");
    button.setAttribute("aria-pressed", "false");
  }
  button.addEventListener("click", () => choose(t, option));
  return button;
}

function lineOf(of) {
  return of.line ? `line ${of.line}${play.sources.length > 1 && of.file ? " of " + of.file : ""}` : "";
}

function renderThreads() {
  const list = byId("threads");
  let number = 0;
  list.replaceChildren(...play.threads.map((thread, t) => {
    const card = make("div", { className: `thread t${t % 4}` });
    card.append(make("h3", {}, thread.name));
    const where = [thread.group, thread.next && lineOf(thread)].filter(Boolean).join(", ");
    const about = make("p", {});
    if (thread.next) {
      about.append(make("span", { className: "mono" }, thread.next), ` ${where ? "(" + where + ")" : ""}`);
    }
    if (thread.standing !== "ready") {
      about.append(`${thread.next ? ": " : ""}${thread.text}`);
    }
    card.append(about);
    card.append(make("div", { className: "options" }, ...thread.options.map((option) => optionButton(t, option, ++number))));
    return card;
  }));
}

function renderMissing() {
  byId("missing").textContent = play.missing || "";
}

function endText() {
  return `${play.text}${play.state !== null ? ` Final state: ${play.state}.` : ""}${play.holds !== null
    ? ` The ${play.text_of_test !== null ? "proposition holds: " : "result is correct: "}${play.holds}.` : ""}`;
}

function renderEnd() {
  const end = byId("end");
  end.hidden = play.reached === "part" && play.race === null;
  end.className = play.race !== null ? "race" : play.reached;
  end.replaceChildren();
  if (play.reached !== "part") {
    end.append(make("p", {}, play.text));
  }
  if (play.state !== null) {
    end.append(make("p", {}, "Final state: ", make("code", {}, play.state)));
  }
  if (play.holds !== null) {
    const what = play.text_of_test !== null ? "Its proposition holds: " : "The result is correct: ";
    end.append(make("p", {}, what, make("span", { className: play.holds }, play.holds)));
  }
  if (play.race !== null) {
    end.append(make("p", {}, `A data race: ${play.race}`));
  }
}

/* ---- The graph ------------------------------------------------------------------- */

function eventName(number) {
  const own = number >= play.events.length;
  const event = own ? refused.option.events[number - play.events.length] : play.events[number];
  return event ? `${event.text} (${nameOf(event.thread)})` : "the initial value";
}

function meaningOf(kind) {
  const found = RELATIONS.find(([name]) => name === kind);
  return { hb: "happens before", psc: "must come before", "rf^-1": "reads from", "not hb^-1": "not after",
    "rmw^-1": "same read-modify-write", fsc: "is before, in the order of fence.sc operations,",
    locord: "is before, in location order," }[kind] || (found ? found[1] : kind);
}

function renderReason() {
  const box = byId("reason");
  box.hidden = refused === null;
  box.replaceChildren();
  if (refused === null) {
    return;
  }
  const { thread, option } = refused;
  box.append(
    make("p", {}, make("strong", {}, "Refused: "), `${nameOf(thread)} ${option.text}.`),
    make("p", {}, `Axiom ${option.axiom}: ${option.sentence}. The cycle:`),
    make("ol", {}, ...option.cycle.map((edge) => make("li", {}, make("code", {}, eventName(edge.from)),
      ` ${meaningOf(edge.kind)} (${edge.kind}) `, make("code", {}, eventName(edge.to)),
      edge.how ? `: ${edge.how}` : ""))),
    make("button", { type: "button", id: "reason-close", onclick: () => showRefused(thread, option) }, "Close"));
}

function renderPast() {
  const event = chosen >= 0 ? play.events[chosen] : null;
  const past = event && event.before ? event.before.split(",").map(Number) : [];
  byId("past").textContent = event === null ? "" : `Before ${event.text} (${nameOf(event.thread)}) in ${play.order}: `
    + `${past.length === 0 ? "nothing" : past.length === 1 ? "1 event, shaded" : past.length + " events, shaded"}. Choose another event to see its past.`;
}

function renderGraph(focus) {
  const box = byId("graph");
  renderPast();
  if (play.events.length === 0 && refused === null) {
    box.replaceChildren(make("p", { className: "empty" }, "No event yet. Choose the thread that takes the first step."));
    return;
  }
  const left = box.scrollLeft;
  box.replaceChildren(Graph.draw(play, { names: play.threads.map((thread) => thread.name), chosen,
    option: refused && refused.option, hidden, width: box.clientWidth }));
  box.scrollLeft = left;
  const shown = box.querySelector(refused ? ".ghost" : `[data-event="${chosen}"]`);
  if (shown) {
    const inner = shown.getBoundingClientRect(), outer = box.getBoundingClientRect();
    box.scrollLeft += Math.max(0, inner.right + 12 - outer.right) - Math.max(0, outer.left + 12 - inner.left);
  }
  if (focus && shown) {
    shown.focus();
  }
}

function select(number) {
  chosen = number;
  renderGraph(true);
  say(byId("past").textContent);
}

/* The arrows go from event to event in the order of the rows. */
function moveInGraph(key) {
  const order = play.events.map((event, i) => i).sort((a, b) => play.events[a].step - play.events[b].step);
  const at = order.indexOf(chosen);
  const to = key === "ArrowDown" || key === "ArrowRight" ? at + 1 : at - 1;
  if (to >= 0 && to < order.length) {
    select(order[to]);
  }
}

function renderLegend() {
  const there = new Set(play.edges.map((edge) => edge.kind));
  if (play.events.some((event) => event.before !== "")) {
    there.add("hb");
  }
  byId("legend").replaceChildren(...RELATIONS.filter(([kind]) => there.has(kind)).map(([kind, meaning]) => {
    const box = make("input", { type: "checkbox", checked: !hidden.has(kind) });
    box.addEventListener("change", () => {
      hidden[box.checked ? "delete" : "add"](kind);
      renderGraph();
    });
    return make("label", {}, box, Graph.sample(kind), `${kind}: ${meaning}`);
  }));
}

/* ---- Source and orders ----------------------------------------------------------- */

function badge(t) {
  const short = play.text_of_test !== null ? play.threads[t].name : String(t);
  return make("span", { className: `badge t${t % 4}`, title: `${play.threads[t].name} is here` }, short);
}

function renderSource() {
  byId("source").replaceChildren(...play.sources.map((source) => {
    const lines = source.text.replace(/\n$/, "").split("\n");
    const table = make("table", {}, make("tbody", {}, ...lines.map((line, i) => {
      const number = (source.first || 1) + i;
      const here = play.threads.map((thread, t) => t).filter((t) => {
        const thread = play.threads[t];
        return thread.next && thread.line === number && (thread.file || null) === (source.file || null);
      });
      const row = make("tr", { className: here.length ? "next" : "" });
      row.append(make("td", { className: "number mono" }, String(number)),
        make("td", { className: "who" }, ...here.slice(0, 4).map(badge), here.length > 4 ? ` +${here.length - 4}` : ""),
        make("td", { className: "mono" }, line));
      return row;
    })));
    const block = make("div", {});
    if (source.file) {
      block.append(make("p", { className: "file" }, source.file));
    }
    const box = make("div", { className: "lines", tabIndex: 0 }, table);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Source" + (source.file ? " of " + source.file : ""));
    block.append(box);
    return block;
  }));
  if (play.sources.length === 0) {
    byId("source").append(make("p", { className: "note" }, "The source cannot be read here."));
  }
}

/* The changes, as a map from a place to the words it has. */
function readChanges() {
  const changes = new Map();
  for (const one of (state.changes || "").split(",").filter(Boolean)) {
    const at = one.indexOf("=");
    const words = { order: null, failure: null, scope: null, spaces: null };
    for (const word of one.slice(at + 1).split("+")) {
      if (["local", "global", "none"].includes(word)) {
        words.spaces = words.spaces ? words.spaces + "+" + word : word;
      } else if (["work_item", "sub_group", "work_group", "device", "system"].includes(word)) {
        words.scope = word;
      } else {
        [words.order, words.failure] = [word.split("/")[0], word.split("/")[1] || null];
      }
    }
    changes.set(one.slice(0, at), words);
  }
  return changes;
}

function writeChanges(changes) {
  return [...changes].map(([place, words]) => {
    const parts = [words.order && words.order + (words.failure ? "/" + words.failure : ""), words.scope, words.spaces];
    return [place, parts.filter(Boolean).join("+")];
  }).filter(([, words]) => words !== "").map(([place, words]) => `${place}=${words}`).join(",");
}

function changeSite(site, aspect, value) {
  const changes = readChanges();
  const words = changes.get(site.place) || { order: null, failure: null, scope: null, spaces: null };
  words[aspect] = value === "" ? null : value;
  if (aspect === "failure" && words.failure && !words.order) {
    words.order = site.order;
  }
  if (!words.order) {
    words.failure = null;
  }
  changes.set(site.place, words);
  go({ changes: writeChanges(changes) },
    () => `${site.operation} in ${lineOf(site)}: ${aspect} ${value || "as in the source"}.${play.refused ? "" : growth()}`);
}

function siteSelect(site, aspect, values, changes) {
  const words = changes.get(site.place);
  const own = words ? words[aspect] : null;
  const list = make("select", { className: own ? "changed" : "" });
  list.setAttribute("aria-label", `${aspect} of ${site.operation}, ${lineOf(site)}`);
  list.dataset.place = site.place;
  list.dataset.aspect = aspect;
  list.append(make("option", { value: "" }, own ? "as in the source" : `${site[aspect]}`));
  for (const value of values.filter((one) => own ? true : one !== site[aspect])) {
    list.append(make("option", { value, selected: own === value }, own === value ? `${value} (changed)` : value));
  }
  list.addEventListener("change", () => changeSite(site, aspect, list.value));
  return list;
}

function renderOrders() {
  const changes = readChanges();
  const scopes = ["work_group", "device", "system"];
  byId("orders-section").hidden = play.sites.length === 0;
  const rows = play.sites.map((site) => {
    const row = make("div", { className: "order" }, make("span", { className: "place" }, `${lineOf(site)}: ${site.operation}`));
    if (site.order) {
      row.append(siteSelect(site, "order", site.orders.split(" "), changes));
    }
    if (site.failure) {
      row.append(siteSelect(site, "failure", ["relaxed", "acquire", "seq_cst"], changes));
    }
    if (site.scope) {
      row.append(siteSelect(site, "scope", scopes, changes));
    }
    if (site.spaces) {
      row.append(siteSelect(site, "spaces", ["none", "local", "global", "local+global"], changes));
    }
    return row;
  });
  byId("orders").replaceChildren(make("div", { className: "orders" }, ...rows));
}

/* ---- The rest -------------------------------------------------------------------- */

function renderState() {
  const values = (of) => new Map((of ? of.values : []).map((one) => [one.name, one.value]));
  const old = values(before && before.name === play.name ? before : null);
  const rows = play.values.map((one) => make("tr", { className: old.has(one.name) && old.get(one.name) !== one.value ? "fresh" : "" },
    make("td", { className: "mono" }, one.name),
    make("td", { className: "mono" }, one.value),
    make("td", { className: "mono" }, one.initial)));
  byId("state").replaceChildren(play.values.length === 0 ? make("p", { className: "note" }, "None is known yet.")
    : make("table", { className: "values" },
      make("thead", {}, make("tr", {}, ...["name", "value", "at the start"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...rows)),
  make("p", { className: "note" }, "A location has the value that is last in modification order, drawn as mo."));
}

function renderSteps() {
  byId("steps").replaceChildren(...play.steps.map((step, i) => {
    const button = make("button", { type: "button", title: "Go back to the state after this step" }, `${i + 1}. ${nameOf(step.thread)} ${step.text}`);
    button.addEventListener("click", () => i + 1 < play.steps.length
      && go({ choices: keep(i + 1) }, () => `Back to step ${i + 1}.`));
    return make("li", {}, button);
  }));
}

function renderBar() {
  byId("back").disabled = byId("restart").disabled = !play || play.steps.length === 0;
  byId("undo").disabled = done.length === 0;
  byId("redo").disabled = undone.length === 0;
  byId("edit").hidden = !play || play.text_of_test === null;
}

function renderHead() {
  document.title = `${play.name}: weir play`;
  byId("name").textContent = play.name;
  byId("claim").textContent = play.claim || "";
  byId("model").replaceChildren(...play.models.split(" ").map((name) => make("option", { value: name, selected: name === play.model }, name)));
}

/* The element that has the focus is made anew, so its successor gets the focus. */
function render() {
  const active = document.activeElement;
  const inOptions = active && active.closest && active.closest("#threads");
  const site = active && active.dataset ? [active.dataset.place, active.dataset.aspect] : [];
  renderHead();
  renderBar();
  renderThreads();
  renderEnd();
  renderMissing();
  renderReason();
  renderGraph();
  renderLegend();
  renderSource();
  renderOrders();
  renderState();
  renderSteps();
  if (inOptions) {
    (document.querySelector(".option:not(.refused)") || byId("back")).focus();
  } else if (site[0]) {
    const list = [...document.querySelectorAll("#orders select")].find((one) => one.dataset.place === site[0] && one.dataset.aspect === site[1]);
    if (list) {
      list.focus();
    }
  }
}

/* ---- Link, editor and keys ------------------------------------------------------- */

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch (error) {
    say("The link is the address of this page: copy it from there.");
  }
}

function edit() {
  if (play && play.text_of_test !== null) {
    byId("text").value = state.text;
    byId("editor-wrong").textContent = "";
    byId("editor").showModal();
  }
}

async function playEdited() {
  const next = { model: state.model, choices: "", text: byId("text").value };
  try {
    await ask(next);
  } catch (error) {
    byId("editor-wrong").textContent = error.message;
    return;
  }
  byId("editor").close();
  done.push(JSON.stringify(state));
  undone = [];
  await show(next, () => "Another test, at its beginning.");
}

function pressOption(number) {
  const button = document.querySelectorAll("#threads .option")[number - 1];
  if (button) {
    button.focus();
    button.click();
  }
}

const KEYS = { b: stepBack, 0: restart, u: undo, y: redo, l: copyLink, e: edit,
  "?": () => byId("keys").showModal(), m: () => byId("model").focus(),
  o: () => { const list = document.querySelector("#orders select"); if (list) { list.focus(); } },
  g: () => { if (chosen >= 0) { renderGraph(true); } else { byId("graph").focus(); } } };

function onKey(event) {
  const target = event.target;
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")
      || /^(TEXTAREA|INPUT|SELECT)$/.test(target.tagName) && event.key !== "Escape") {
    return;
  }
  const group = target.closest && target.closest(".event");
  if (group && event.key.startsWith("Arrow")) {
    moveInGraph(event.key);
  } else if (event.key === "Escape" && refused !== null) {
    showRefused(refused.thread, refused.option);
  } else if (/^[1-9]$/.test(event.key)) {
    pressOption(Number(event.key));
  } else if (KEYS[event.key]) {
    KEYS[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

function listen() {
  byId("back").addEventListener("click", stepBack);
  byId("restart").addEventListener("click", restart);
  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", redo);
  byId("link").addEventListener("click", copyLink);
  byId("edit").addEventListener("click", edit);
  byId("help").addEventListener("click", KEYS["?"]);
  byId("keys-close").addEventListener("click", () => byId("keys").close());
  byId("editor-close").addEventListener("click", () => byId("editor").close());
  byId("editor-play").addEventListener("click", playEdited);
  byId("model").addEventListener("change", () => {
    const model = byId("model").value;
    go({ model }, () => `Model ${play.model}. ${play.refused ? "" : growth()}`);
  });
  byId("graph").addEventListener("click", (event) => {
    const group = event.target.closest(".event:not(.ghost)");
    if (group) {
      select(Number(group.dataset.event));
    }
  });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => {
    if (location.hash !== toFragment(state)) {
      done.push(JSON.stringify(state));
      follow(() => "Another execution.");
    }
  });
}

listen();
follow(() => play.steps.length > 0 ? `${play.steps.length} steps are taken.` : "Choose the thread that takes the first step.");
