# SPDX-License-Identifier: MIT
"""harness.py FOLDER: the rules of this folder find what is wrong with a page, and
nothing in the nearest page without the fault. FOLDER is for the pages."""
import os
import sys

from browser import Browser, NARROW, WIDE

FRAME = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>t</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>
body{margin:0;background:#fff;color:#222}</style></head><body>%s</body></html>"""

# What the fault's line holds, a page with it, and the nearest page without.
PAIRS = (
    ("the page is", "<div style='width:500px'>wide</div>",
     "<div style='max-width:500px'>wide</div>"),
    ("beyond the page", "<div style='position:fixed;left:300px;width:99px'>far</div>",
     "<div style='position:fixed;left:290px;width:99px'>near</div>"),
    ("the page is", "<p style='white-space:nowrap'>" + "word " * 40 + "</p>",
     "<div style='overflow-x:auto'><p style='white-space:nowrap'>" + "word " * 40
     + "</p></div>"),
    ("cut off",
     "<p style='overflow:hidden;white-space:nowrap'>" + "word " * 40 + "</p>",
     "<p style='overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>"
     + "word " * 40 + "</p>"),
    # 4.48 and 4.54 on white: the two greys on either side of the limit.
    ("contrast 4.48", "<p style='color:#777'>grey</p>",
     "<p style='color:#767676'>grey</p>"),
    ("contrast", "<div style='background:#333'><p>dark on dark</p></div>",
     "<div style='background:#333'><p style='color:#fff'>light on dark</p></div>"),
    ("contrast", "<p style='opacity:.5'>half</p>", "<p style='opacity:.9'>nearly</p>"),
    ("contrast",
     "<svg role='img' aria-label='s' width='90' height='30'><rect width='90' height='30' "
     "fill='#222'/><text x='5' y='20' fill='#333'>in a box</text></svg>",
     "<svg role='img' aria-label='s' width='90' height='30'><rect width='90' height='30' "
     "fill='#222'/><text x='5' y='20' fill='#eee'>in a box</text></svg>"),
    ("without a name", "<button></button><canvas></canvas>",
     "<button aria-label='b'></button><canvas aria-label='c'></canvas>"),
    ("console: ", "<script>undefined_name();</script>",
     "<script>console.log('all is well');</script>"),
    ("console: ", "<img alt='i' src='http://example.org/i.png'>", "<p>no picture</p>"),
)

with Browser() as browser:
    for i, (fault, wrong, right) in enumerate(PAIRS):
        paths = [os.path.join(sys.argv[1], "%d-%s.html" % (i, name))
                 for name in ("wrong", "right")]
        for path, body in zip(paths, (wrong, right)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(FRAME % body)
        browser.open(paths[0], NARROW)
        found = browser.faults()
        if not any(fault in line for line in found):
            browser.bad("no fault with '%s', but %s" % (fault, found))
        browser.open(paths[1], NARROW)
        browser.expect_sound()

    # Keys arrive as the page's own events call them.
    page = os.path.join(sys.argv[1], "keys.html")
    with open(page, "w", encoding="utf-8") as file:
        file.write(FRAME % "<button>one</button><button>two</button>"
                   "<script>let got = []; addEventListener('keydown', (e) => "
                   "got.push((e.shiftKey ? 'S-' : '') + e.key));</script>")
    browser.open(page, WIDE)
    browser.press("ArrowRight", "a", " ", "+", "Home", "Tab", "Tab", "Shift+Tab",
                  "Escape")
    browser.expect("got.join('|') === 'ArrowRight|a| |+|Home|Tab|Tab|S-Tab|Escape'",
                   "keys arrive: %s" % browser.value("got.join('|')"))
    browser.expect("document.activeElement.textContent === 'one'",
                   "Tab moves the focus")
    browser.expect("innerWidth === 1280", "a wide page is 1280 pixels wide")
    browser.open(page, NARROW)
    browser.expect("innerWidth === 390", "a narrow page is 390 pixels wide")
    browser.wait("got.length === 0", "what is true is not waited for")
browser.finish()
