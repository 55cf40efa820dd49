# SPDX-License-Identifier: MIT
"""trace.py PAGE...: the page of a trace is sound and can be used by keyboard alone."""
import json
import random
import sys

from browser import Browser, VIEWS, WIDE

PRESSED = ["ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowLeft", "n", "p",
           "ArrowDown", "ArrowUp", "f", "F", "r", "s", "+", "-", "0", "[", "]", "a", "d",
           "PageDown", "PageUp", "e", "g", "m", "End", "Home", " "]
SAID = "document.querySelector('#live').textContent"
KIND = "weir.launch.kind[weir.current]"


def opened(browser, page, view=WIDE):
    browser.open(page + ".html", view)
    browser.wait("weir.ready > 0", "the page is there", 60)
    browser.run("document.querySelector('#lanes').focus();")


def settle(browser):
    """Waits until what was pressed is drawn."""
    browser.wait("weir.frame === 0", "a frame is drawn")


def use_tree(browser):
    opened(browser, "tree")
    browser.expect("weir.launch.n === 206 && weir.launch.nItems === 16", "another launch")
    browser.press("ArrowRight")
    browser.expect("weir.current === weir.axis.order[1]", "the right arrow is one event on")
    browser.press("ArrowLeft", "Shift+ArrowRight")
    browser.expect("weir.launch.time[weir.current] === 2", "the next time is 2")
    browser.expect(SAID + ".includes('reads in[')", "the live region has the event")
    browser.expect("document.querySelector('.strip').querySelectorAll('.empty').length"
                   " === 8", "no cell of local memory is written at time 2")
    browser.press("Shift+ArrowRight")
    browser.expect("document.querySelectorAll('.cell.wrote').length === 8",
                   "all cells of the group are written at time 3")
    browser.press("Home", "n", "n", "n", "n", "n", "n")
    browser.expect("weir.launch.item[weir.current] === weir.launch.item[0]"
                   " && weir.launch.from[weir.current] >= 0",
                   "the sixth event on of item 0 reads what another wrote")
    browser.press("r")
    browser.expect("weir.launch.item[weir.current] === 4", "r goes to the write of item 4")
    browser.press("ArrowUp")
    browser.expect("weir.launch.item[weir.current] === 3", "the item above")
    browser.press("End")
    browser.expect("Number(document.querySelector('#scrub').value) === 205",
                   "End is at the end of the slider")
    # The sum is right, in words and in memory.
    total = 3 + 1 + 4 + 1 + 5 + 9 + 2 + 6 + 5 + 3 + 5 + 8 + 9 + 7 + 9 + 3
    browser.expect("[...document.querySelectorAll('.strip')].some((s) =>"
                   " s.textContent.includes('out') && s.textContent.includes('%d'))" % total,
                   "the sum in memory at the end")
    browser.press("m")
    browser.expect("weir.axis.mode === 'order'", "m is the other order")
    browser.press("Home", "ArrowRight")
    browser.expect("weir.current === 1", "the second event of the run")
    browser.press("m", "e")
    browser.expect("weir.drawing.open.size === 1", "e closes a group")
    browser.press("g")
    browser.expect("weir.drawing.open.size === 2", "g opens all groups")
    browser.press("[", "[", "[", "[", "[", "+", "+")
    browser.expect("weir.drawing.lane >= 20", "values can be read where events are wide")
    wide = browser.value("weir.drawing.scale")
    browser.press("-")
    browser.expect("weir.drawing.scale < %r" % wide, "zooming out")
    browser.press("?")
    browser.expect("document.querySelector('#help').open", "? lists the keys")
    for fault in browser.faults():
        browser.bad(fault)
    browser.press("Escape")
    browser.expect("!document.querySelector('#help').open", "Escape closes the keys")
    # Playing reaches the end.
    browser.run("document.querySelector('#speed').value = '60';"
                "document.querySelector('#lanes').focus();")
    browser.press("Home", " ")
    browser.expect("weir.timer !== 0", "Space plays")
    browser.wait("weir.timer === 0 && weir.axis.rank[weir.current] === 205", "it plays to the end")
    # Every control is reached by Tab, and a button acts by Enter.
    seen = set()
    browser.press("Home", "Shift+ArrowRight")
    browser.run("document.activeElement.blur();")
    for _ in range(40):
        browser.press("Tab")
        seen.add(browser.value("document.activeElement.id"))
    for wanted in ("mode", "form", "out", "in", "fit", "fold", "help-open", "lanes", "first",
                   "back", "play", "next", "last", "scrub", "speed", "source"):
        if wanted not in seen:
            browser.bad("Tab does not reach " + wanted)
    browser.run("document.querySelector('#first').focus();")
    browser.press("Enter")
    browser.expect("weir.axis.rank[weir.current] === 0", "Enter on the first button")
    # The slider, by its own keys.
    browser.run("document.querySelector('#scrub').focus();")
    browser.press("ArrowRight", "ArrowRight")
    browser.expect("weir.axis.rank[weir.current] === 2", "the slider moves the position")


def use_findings(browser):
    opened(browser, "race")
    browser.press("f")
    browser.expect("weir.launch.found.has(weir.current)", "f goes to the finding's event")
    browser.expect(SAID + ".includes('data race')", "the finding is read out")
    browser.run("document.querySelector('#finding-list button').focus();")
    browser.press("Home", "Enter")
    browser.expect("weir.launch.found.has(weir.current)", "a finding is a button")
    opened(browser, "divergence")
    browser.press("f")
    browser.expect(KIND + " === K.arrive", "the divergence is at a barrier")
    browser.run("document.querySelector('#launch').value = '1'; choose(1);")
    browser.expect("document.querySelector('#title').textContent === 'one_barrier'",
                   "the other launch")


def use_edges(browser):
    opened(browser, "group")
    event = browser.value("weir.launch.raw.synchronises.to[0]")
    browser.run("setCurrent(%d);" % event)
    browser.expect("document.querySelector('#facts').textContent.includes('synchronises with')",
                   "the event says what it synchronises with")
    browser.press("s")
    browser.expect("weir.current === weir.launch.raw.synchronises.from[0]", "s goes there")


def use_large(browser):
    """Drawing depends on the canvas: a frame looks at a bounded number of events."""
    for page, least in (("many", 200000), ("million", 900000)):
        opened(browser, page)
        browser.expect("weir.launch.n > %d" % least, "a large trace")
        browser.run("window.looked = 0; const label = weir.launch.lanes.get;"
                    "const choose = Drawing.prototype.choose;"
                    "Drawing.prototype.choose = function (...a) {"
                    " looked++; return choose.apply(this, a); };")
        for key in ("End", "g", "0", "PageDown", "PageDown", "+", "+", "d", "m", "0", "Home"):
            browser.run("looked = 0;")
            browser.press(key)
            settle(browser)
            browser.expect("looked < 80000", "%s: work for each event" % key)
        browser.expect("weir.axis.rank[weir.current] === 0", "Home")
        for fault in browser.faults():
            browser.bad(fault)
        browser.shot("trace-" + page, False)


def session(browser, page):
    """As many keys as a reader presses in a minute, in any order."""
    rng = random.Random(7)
    opened(browser, page)
    for i in range(150):
        browser.press(rng.choice(PRESSED))
        if i % 25 == 24:
            browser.expect("weir.current >= 0 && weir.current < weir.launch.n",
                           "a position in the run")
            browser.expect("document.querySelector('#help').open === false", "no dialog")
    settle(browser)
    for fault in browser.faults():
        browser.bad(fault)


with Browser() as browser:
    for page in ("tree", "histogram", "race", "divergence"):
        for view in VIEWS:
            opened(browser, page, view)
            if page == "tree":
                browser.press(*["Shift+ArrowRight"] * 8)
            browser.press("f")
            settle(browser)
            browser.expect_sound("trace-" + page)
            browser.expect("performance.getEntriesByType('resource').length === 0",
                           "the page loads something")
    use_tree(browser)
    use_findings(browser)
    use_edges(browser)
    for page in ("tree", "race", "many"):
        session(browser, page)
    use_large(browser)
    print(json.dumps({"failures": browser.failures}))
browser.finish()
