# SPDX-License-Identifier: MIT
"""slides.py PAGE COUNT: a page of slides has so many, each with all that is on it inside
its edges, above the number of the slide, and large enough for the last row."""
import sys

from browser import Browser, View

# Of 720: what is legible on a wall from eight times its height.
LEAST_PIXELS = 20

FAULTS = """
const found = [], least = arguments[0];
const described = (part) => part.tagName + " '" + part.textContent.trim().slice(0, 40) + "'";
document.querySelectorAll(".slide").forEach((slide, at) => {
    const bad = (what) => found.push("slide " + (at + 1) + ": " + what);
    const edge = slide.getBoundingClientRect(), foot = slide.querySelector("footer");
    const end = foot.getBoundingClientRect().top;
    if (Math.round(edge.width) !== 1280 || Math.round(edge.height) !== 720) {
        bad("it is " + edge.width + " by " + edge.height);
    }
    for (const part of slide.querySelectorAll("*")) {
        const box = part.getBoundingClientRect();
        if (part !== foot && (box.bottom > end + 1 || box.right > edge.right - 20
                              || part.scrollWidth > part.clientWidth + 1
                                 && part.tagName === "PRE")) {
            bad("beyond the edge: " + described(part));
        }
        if (part.tagName === "IMG" && part.naturalWidth === 0) {
            bad("no picture: " + part.src);
        }
        const pixels = parseFloat(getComputedStyle(part).fontSize);
        if (part !== foot && part.textContent.trim() !== "" && pixels < least) {
            bad(pixels + " pixels: " + described(part));
        }
    }
});
return found;
"""

with Browser() as browser:
    browser.open(sys.argv[1], View("slides", 1280, 720, "light"))
    browser.expect_sound("slides")
    browser.expect("document.querySelectorAll('.slide').length === %d" % int(sys.argv[2]),
                   "there are %s slides" % sys.argv[2])
    for fault in browser.run(FAULTS, LEAST_PIXELS):
        browser.bad(fault)
browser.finish()
