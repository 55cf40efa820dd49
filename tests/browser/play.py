# SPDX-License-Identifier: MIT
"""play.py KIND ADDRESS: the page of weir play in a browser. KIND is test, kernel or
session; ADDRESS is that of a server which plays message passing, or a kernel."""
import sys
import time

from browser import Browser, NARROW, VIEWS, WIDE

KIND, ADDRESS = sys.argv[1:3]

# What a user of the page sees, as expressions.
OPTION = """[...document.querySelectorAll('.option')].find((e) =>
    e.textContent.includes(%r))"""
STATE = "JSON.parse(decodeURIComponent(location.hash.slice(1)))"
STEPS = "document.querySelectorAll('#steps li').length"


def steps(browser, n):
    browser.wait("%s === %d" % (STEPS, n), "%d steps are taken" % n)


def take(browser, text):
    """Takes the option that has this text."""
    before = browser.value(STEPS)
    browser.run("(%s).click();" % (OPTION % text))
    steps(browser, before + 1)


def begin(browser, view=WIDE, fragment=""):
    browser.open(ADDRESS + fragment, view)
    browser.wait("document.querySelectorAll('.thread').length > 1", "threads are there")


def select(browser, selector, value):
    browser.run("const e = document.querySelector(%r); e.value = %r;"
                "e.dispatchEvent(new Event('change'));" % (selector, value))


def stale(browser):
    """Up to where the stale read of message passing is refused."""
    take(browser, "writes x=1")
    take(browser, "writes y=1")
    take(browser, "reads y=1")


def message_passing(browser):
    begin(browser)
    browser.expect_sound()
    stale(browser)
    browser.expect("document.querySelectorAll('.event').length === 3", "three events")
    browser.expect("document.querySelectorAll('.event.past').length === 2",
                   "both writes happen before the read")
    browser.expect("document.getElementById('live').textContent.includes('Happens-before')",
                   "happens-before is spoken of")
    browser.run("[...document.querySelectorAll('#legend label')].find((e) =>"
                "e.textContent.startsWith('hb')).querySelector('input').click();")
    browser.expect("document.querySelectorAll('#graph .edge.hb').length === 1",
                   "of the past, its last event is joined to the read")
    refused = "(%s)" % (OPTION % "reads x=0")
    browser.expect(refused + ".getAttribute('aria-disabled') === 'true'",
                   "the stale read is refused")
    browser.run(refused + ".click();")
    browser.expect("!document.getElementById('reason').hidden"
                   " && document.getElementById('reason').textContent.includes('COH')",
                   "the axiom is named")
    browser.expect("document.querySelectorAll('.edge.cycle').length >= 2"
                   " && document.querySelectorAll('.event.ghost').length === 1",
                   "the cycle is drawn")
    browser.expect("%s === 3" % STEPS, "a refused option is not taken")
    browser.press("Escape")
    browser.expect("document.getElementById('reason').hidden", "Escape closes it")

    # A weaker order allows it.
    select(browser, "#orders select[data-place='%s']" % browser.value(
        "[...document.querySelectorAll('#orders select')].find((e) =>"
        "e.getAttribute('aria-label').includes('store') && e.options[0].text === 'release')"
        ".dataset.place"), "relaxed")
    browser.wait("(%s).getAttribute('aria-disabled') === null" % (OPTION % "reads x=0"),
                 "the stale read is allowed with a relaxed store")
    take(browser, "reads x=0")
    browser.expect("document.getElementById('end').textContent.includes('holds: yes')",
                   "the proposition holds")
    browser.expect_sound()
    link = browser.value("location.href")

    select(browser, "#model", "gpu")
    browser.wait("document.getElementById('missing').textContent.includes('missing')",
                 "what cannot be played under gpu is said")
    browser.press("u")
    browser.wait("%s.model === 'sycl'" % STATE, "undone")

    # Under sc it is refused whatever the order, and the choices end before it.
    select(browser, "#model", "sc")
    browser.wait("%s === 3 && !document.getElementById('wrong').hidden" % STEPS,
                 "sc refuses the last step")
    browser.expect("%s.model === 'sc'" % STATE, "the model is in the address")
    browser.press("u")
    steps(browser, 4)
    browser.press("b")
    steps(browser, 3)
    browser.press("u")
    steps(browser, 4)
    browser.press("y")
    steps(browser, 3)
    return link


def links(browser, link):
    browser.open("about:blank")
    browser.open(link)
    steps(browser, 4)
    browser.expect("document.querySelector('.changed') !== null"
                   " && document.getElementById('end').textContent.includes('holds: yes')",
                   "a link shows the same")
    browser.expect("location.href === %r" % link, "and has the same address")
    # A damaged one begins anew.
    browser.open(ADDRESS + "#%7B%22choices")
    browser.wait("document.getElementById('wrong').textContent.includes('damaged')",
                 "a damaged link is reported")
    browser.open(ADDRESS + "#%7B%22choices%22%3A%22x%22%7D")
    browser.wait("document.getElementById('wrong').textContent.includes('not of the form')",
                 "wrong choices are reported")
    browser.console()  # the answer 400 is reported there, too


def edited(browser):
    begin(browser)
    browser.press("e")
    browser.fill("#text", "C broken")
    browser.click("#editor-play")
    browser.wait("document.getElementById('editor-wrong').textContent.includes(':')",
                 "an error of the text is shown")
    browser.console()
    browser.expect_sound()
    browser.run("document.getElementById('text').value = arguments[0];",
                "C other\n{}\nP0 (atomic_int* x) { atomic_store(x, 1); }\n"
                "P1 (atomic_int* x) { int r0 = atomic_load(x); }\nexists (1:r0=1)\n")
    browser.click("#editor-play")
    browser.wait("document.getElementById('name').textContent === 'other'",
                 "another test is played")
    browser.expect("%s.text.startsWith('C other')" % STATE, "its text is in the address")


def focused(browser):
    """The text of the button that has the focus."""
    return browser.value("document.activeElement.tagName === 'BUTTON'"
                         " ? document.activeElement.textContent : ''")


def keyboard(browser):
    """A whole session without a pointer."""
    begin(browser)
    seen = set()
    for _ in range(60):  # every control is reached
        browser.press("Tab")
        seen.add(browser.value("document.activeElement.id || document.activeElement.className"))
    for control in ("model", "help", "link", "option", "graph", "lines"):
        if not any(control in one for one in seen):
            browser.bad("Tab does not reach %s" % control)
    begin(browser)
    for _ in range(60):
        if "writes x=1" in focused(browser):
            break
        browser.press("Tab")
    browser.press("Enter")
    steps(browser, 1)
    browser.expect("document.activeElement.className.includes('option')",
                   "the focus stays on options")
    browser.press("1")
    steps(browser, 2)
    browser.press("?")
    browser.expect("document.getElementById('keys').open", "? opens the help")
    browser.expect_sound()
    browser.press("Escape")
    browser.press("g")
    browser.expect("document.activeElement.getAttribute('data-event') !== null",
                   "g goes to an event")
    chosen = browser.value("document.activeElement.getAttribute('data-event')")
    browser.press("ArrowUp")
    browser.expect("document.activeElement.getAttribute('data-event') !== %r" % chosen,
                   "an arrow goes to another event")
    browser.press("m")
    browser.expect("document.activeElement.id === 'model'", "m goes to the model")
    browser.press("Escape")
    browser.run("document.activeElement.blur();")
    while browser.value("document.querySelectorAll('.option').length") > 0:
        before = browser.value(STEPS)
        browser.press("1")
        steps(browser, before + 1)
    browser.expect("document.getElementById('end').textContent.includes('have ended')",
                   "the execution is complete")
    browser.press("0")
    steps(browser, 0)


def layouts(browser, name):
    for view in VIEWS:
        begin(browser, view)
        browser.expect_sound(name + "-begin")
        if KIND == "test":
            stale(browser)
            browser.expect_sound(name + "-stale")
            browser.run("(%s).click();" % (OPTION % "reads x=0"))
            browser.expect_sound(name + "-refused")
        else:
            for n in range(1, 13):
                browser.press("1")
                browser.wait("%s === %d || !document.querySelector('.option')" % (STEPS, n),
                             "a step of a kernel")
            browser.expect_sound(name + "-steps")


def session(browser, seconds):
    """Keys as a reader would press them, the same each time: nothing fails."""
    begin(browser, NARROW)
    seed, end = 1, time.monotonic() + seconds
    while time.monotonic() < end:
        seed = (seed * 1103515245 + 12345) % 2**31
        keys = "1234567123456712345601b0uyygmlo"
        key = keys[(seed >> 8) % len(keys)]
        browser.press(key)
        if key in "mo":
            browser.press("ArrowDown")
            browser.press("Escape")
            browser.run("document.activeElement.blur();")
        browser.wait("document.querySelectorAll('.thread').length > 1", "the page works")
    time.sleep(0.5)
    browser.expect_sound()


with Browser() as browser:
    if KIND == "test":
        links(browser, message_passing(browser))
        edited(browser)
        keyboard(browser)
        layouts(browser, "play")
    elif KIND == "kernel":
        layouts(browser, "play-kernel")
        browser.expect("document.querySelector('#source .file') !== null",
                       "the kernel's source is shown")
    else:
        session(browser, float(sys.argv[3]))
browser.finish()
