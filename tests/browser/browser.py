# SPDX-License-Identifier: MIT
"""browser.py: pages of Weir in a browser without a window, for tests.

A test is a Python script that a shell script runs. It opens pages with Browser, asks
what is wrong with their layout, and presses keys:

    with Browser() as browser:
        for view in VIEWS:
            browser.open("page.html", view)
            browser.expect_sound()
        browser.press("ArrowRight")
        browser.expect("step() === 1", "the right arrow goes one step on")
    browser.finish()

Debian's chromium, chromium-driver and python3-selenium are needed; lib.sh skips the
test without them. Only this machine answers requests of the page:
every other name does not resolve, and the error is on the console, which is a failure.

With WEIR_SHOTS=FOLDER in the environment, each view that is judged is saved there as
a picture, for people to look at. Nothing depends on these pictures.
"""
import collections
import os
import pathlib
import shutil
import sys
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

_CHROMIUM = shutil.which("chromium")
_DRIVER = shutil.which("chromedriver")

# What a page looks like depends on these alone.
View = collections.namedtuple("View", "name width height scheme")
WIDE = View("wide", 1280, 800, "light")
NARROW = View("narrow", 390, 844, "light")
VIEWS = (WIDE, NARROW, View("wide-dark", 1280, 800, "dark"),
         View("narrow-dark", 390, 844, "dark"))

LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3, for text of any size
_RULES = pathlib.Path(__file__).with_name("rules.js").read_text(encoding="utf-8")

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--hide-scrollbars", "--force-device-scale-factor=1",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
)

# Keys that are not characters: name in a page -> (what a key event calls it, its code).
_KEYS = {
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PageUp": 33,
    "PageDown": 34, "End": 35, "Home": 36, "Escape": 27, "Enter": 13, "Tab": 9,
    "Delete": 46, "Backspace": 8,
}
_MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class Browser:
    """One browser with one page. Failures are printed, counted, and end the script
    with status 1 in finish()."""

    def __init__(self):
        self._folder = tempfile.mkdtemp(prefix="weir-browser.")
        self._shots = os.environ.get("WEIR_SHOTS")
        self.failures = 0
        self.page = self.view = None

    def __enter__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = _CHROMIUM
        for flag in _FLAGS:
            options.add_argument(flag)
        options.add_argument("--user-data-dir=" + os.path.join(self._folder, "profile"))
        options.add_argument("--disk-cache-dir=" + os.path.join(self._folder, "cache"))
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        environment = dict(os.environ, HOME=self._folder)
        self.driver = webdriver.Chrome(
            service=Service(_DRIVER, env=environment), options=options)
        return self

    def __exit__(self, *_):
        self.driver.quit()
        shutil.rmtree(self._folder, ignore_errors=True)

    # ---- Pages ---------------------------------------------------------------------

    def open(self, page, view=WIDE):
        """Opens a file, or an address of this machine, in a view."""
        address = page
        if "://" not in page:
            address = pathlib.Path(page).resolve().as_uri()
        self.page, self.view = page, view
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": view.width, "height": view.height, "deviceScaleFactor": 1,
            "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": view.scheme}]})
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(address)

    def run(self, code, *values):
        """The value of a piece of JavaScript that returns one."""
        return self.driver.execute_script(code, *values)

    def value(self, expression):
        return self.run("return (" + expression + ");")

    def press(self, *keys):
        """Presses keys, as the page's KeyboardEvent.key calls them: "ArrowRight", "a",
        " ", "Shift+Tab"."""
        for key in keys:
            *held, name = key.split("+") if len(key) > 1 else [key]
            bits = sum(_MODIFIERS[one] for one in held)
            event = {"key": name, "modifiers": bits}
            if name in _KEYS:
                event["windowsVirtualKeyCode"] = _KEYS[name]
                event["code"] = name
            else:
                event["windowsVirtualKeyCode"] = ord(name.upper())
            text = {"Enter": "\r"}.get(name, name if len(name) == 1 else "")
            if text and not bits & ~_MODIFIERS["Shift"]:
                event["text"] = text
            send = self.driver.execute_cdp_cmd
            send("Input.dispatchKeyEvent", dict(event, type="keyDown"))
            event.pop("text", None)
            send("Input.dispatchKeyEvent", dict(event, type="keyUp"))

    def click(self, selector):
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def fill(self, selector, text):
        """Replaces the text of a field."""
        field = self.driver.find_element(By.CSS_SELECTOR, selector)
        field.clear()
        field.send_keys(text)

    def wait(self, expression, what, seconds=20):
        """Waits until an expression is true; a failure if it does not become so."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.value(expression):
                    return True
            except WebDriverException:
                pass
            time.sleep(0.05)
        self.bad("%s: not within %d seconds" % (what, seconds))
        return False

    def shot(self, name, whole=False):
        """Saves a picture, if pictures are asked for."""
        if not self._shots:
            return
        os.makedirs(self._shots, exist_ok=True)
        path = os.path.join(self._shots, name + ".png")
        if whole:
            height = self.value("Math.min(document.documentElement.scrollHeight, 8000)")
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": self.view.width, "height": max(height, self.view.height),
                "deviceScaleFactor": 1, "mobile": False})
        self.driver.save_screenshot(path)
        if whole:
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": self.view.width, "height": self.view.height,
                "deviceScaleFactor": 1, "mobile": False})

    # ---- Judgement -----------------------------------------------------------------

    def bad(self, what):
        self.failures += 1
        where = "no page"
        if self.page:
            where = "%s (%s)" % (os.path.basename(self.page), self.view.name)
        print("FAIL: %s: %s" % (where, what))

    def expect(self, expression, claim):
        """A claim about the page, as an expression of JavaScript that is true."""
        try:
            holds = self.value(expression)
        except WebDriverException as error:
            self.bad("%s: %s" % (claim, error.msg.split("\n")[0]))
            return False
        if not holds:
            self.bad(claim)
        return bool(holds)

    def console(self):
        """What went to the console as an error since the page was opened, or since the
        last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE"]

    def faults(self, least=LEAST_CONTRAST):
        """What is wrong with the page as it is: strings."""
        found = ["console: " + line for line in self.console()]
        found += self.run(_RULES + "\nreturn overflows();")
        found += self.run(_RULES + "\nreturn faint(arguments[0]);", least)
        found += self.run(_RULES + "\nreturn nameless();")
        return found

    def expect_sound(self, shot=None, whole=True):
        """Nothing is wrong with the page as it is."""
        for fault in self.faults():
            self.bad(fault)
        if shot is not None:
            self.shot("%s-%s" % (shot, self.view.name), whole)

    def finish(self):
        if self.failures:
            print("%d failed" % self.failures)
        sys.exit(1 if self.failures else 0)

