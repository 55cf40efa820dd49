# SPDX-License-Identifier: MIT
"""layout.py PAGE...: pages are sound, wide and narrow, light and dark, with their folds
closed and open, and load nothing from elsewhere."""
import os
import sys

from browser import Browser, VIEWS

with Browser() as browser:
    for page in sys.argv[1:]:
        name = os.path.splitext(os.path.basename(page))[0]
        for view in VIEWS:
            browser.open(page, view)
            browser.expect_sound(name)
            browser.expect("performance.getEntriesByType('resource').length === 0",
                           "the page loads something")
            if browser.value("document.querySelectorAll('details:not([open])').length"):
                browser.run("document.querySelectorAll('details')"
                            ".forEach((e) => { e.open = true; });")
                browser.expect_sound(name + "-open")
    print("%d pages, %d views each" % (len(sys.argv) - 1, len(VIEWS)))
browser.finish()
