// SPDX-License-Identifier: MIT
//
// rules.js: what a page of Weir must keep, as functions that return what breaks it:
// strings for people. browser.py runs them in the page.

function described(element) {
    let text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    let name = element.tagName.toLowerCase();
    if (element.id) {
        name += "#" + element.id;
    } else if (element.getAttribute("class")) {
        name += "." + element.getAttribute("class").trim().split(/\s+/).join(".");
    }
    return text === "" ? name : name + " '" + text + "'";
}

function shown(element) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
        return false;
    }
    let box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1;
}

// ---- Nothing is wider than the page ------------------------------------------------

// Elements beyond the page's sides, but for those inside what scrolls by itself; and
// text that is cut off where nothing scrolls to it and no ellipsis says so.
function overflows() {
    let root = document.documentElement, found = [];
    let width = root.clientWidth;
    if (root.scrollWidth > width + 1) {
        found.push("the page is " + root.scrollWidth + " pixels wide, not " + width);
    }
    let clips = (e) => /auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX);
    for (let element of document.body.querySelectorAll("*")) {
        if (!shown(element)) {
            continue;
        }
        let style = getComputedStyle(element);
        if (/hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis"
            && element.scrollWidth > element.clientWidth + 1
            && element.textContent.trim()
            && !(element instanceof SVGElement)) {
            found.push("cut off: " + described(element));
        }
        let box = element.getBoundingClientRect();
        if (box.right <= width + 1 && box.left >= -1) {
            continue;
        }
        let clipped = false;
        for (let up = element.parentElement; up && up !== document.body;
             up = up.parentElement) {
            clipped = clipped || clips(up);
        }
        if (!clipped) {
            found.push("beyond the page (" + Math.round(box.left) + " to "
                       + Math.round(box.right) + " of " + width + "): "
                       + described(element));
        }
    }
    return found;
}

// ---- Text can be read --------------------------------------------------------------

let painter = document.createElement("canvas").getContext("2d",
                                                          { willReadFrequently: true });

// [red, green, blue, alpha] of any CSS colour; colours to 255, alpha to 1.
function colour(text) {
    painter.clearRect(0, 0, 1, 1);
    painter.fillStyle = "rgba(0,0,0,0)";
    painter.fillStyle = text;
    painter.fillRect(0, 0, 1, 1);
    let data = painter.getImageData(0, 0, 1, 1).data;
    return [data[0], data[1], data[2], data[3] / 255];
}

function over(front, back) {
    let a = front[3];
    return [0, 1, 2].map((i) => front[i] * a + back[i] * (1 - a)).concat([1]);
}

// WCAG 2.2, "relative luminance" and "contrast ratio".
function luminance(c) {
    let [r, g, b] = c.slice(0, 3).map((v) => {
        v /= 255;
        return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
    let a = luminance(one), b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// The colour that an element paints under its text, or null.
function paint(element) {
    let style = getComputedStyle(element);
    if (element instanceof SVGElement && element.tagName !== "svg") {
        if (/^(text|tspan|g|path|line|polyline)$/.test(element.tagName)
            || style.fill === "none" || /^url/.test(style.fill)) {
            return null;
        }
        let c = colour(style.fill);
        c[3] *= style.fillOpacity * style.opacity;
        return c;
    }
    let c = colour(style.backgroundColor);
    return c[3] === 0 ? null : c;
}

// The colour under an element. Text in SVG is not a child of the shape under it, so the
// shapes at its middle are used.
function ground(element) {
    let layers = [], svg = element instanceof SVGElement;
    if (svg) {
        element.scrollIntoView({ block: "center", inline: "center" });
        let box = element.getBoundingClientRect();
        layers = document.elementsFromPoint((box.left + box.right) / 2,
                                            (box.top + box.bottom) / 2)
            .filter((e) => e !== element && !element.contains(e));
    } else {
        for (let up = element; up; up = up.parentElement) {
            layers.push(up);
        }
    }
    let base = matchMedia("(prefers-color-scheme: dark)").matches
        && /dark/.test(getComputedStyle(document.documentElement).colorScheme)
        ? [18, 18, 18, 1] : [255, 255, 255, 1];
    let paints = layers.map(paint).filter((c) => c !== null);
    return paints.reverse().reduce((back, c) => over(c, back), base);
}

function faint(least) {
    let found = [], seen = new Set();
    let walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let at = [scrollX, scrollY];
    for (let node; (node = walker.nextNode());) {
        let element = node.parentElement;
        if (node.data.trim() === "" || seen.has(element) || !shown(element)
            || /^(SCRIPT|STYLE|NOSCRIPT|title|TITLE|desc)$/.test(element.tagName)) {
            continue;
        }
        seen.add(element);
        let style = getComputedStyle(element), svg = element instanceof SVGElement;
        let front = colour(svg ? style.fill : style.color);
        for (let up = element; up; up = up.parentElement) {
            front[3] *= getComputedStyle(up).opacity;
        }
        let halo = svg && style.stroke !== "none" && /^stroke/.test(style.paintOrder);
        let back = halo ? colour(style.stroke) : ground(element);
        let ratio = contrast(over(front, back), back);
        if (ratio < least - 0.005) {
            found.push("contrast " + ratio.toFixed(2) + ": " + described(element));
        }
    }
    scrollTo(at[0], at[1]);
    return found;
}

// ---- What can be used can be named -------------------------------------------------

// Controls without a name for those who cannot see them, and pictures without one.
function nameless() {
    let found = [];
    let all = "button,input,select,textarea,a[href],canvas,svg[role=img],img,"
        + "[tabindex='0']";
    for (let element of document.querySelectorAll(all)) {
        if (!shown(element)) {
            continue;
        }
        let labels = element.labels ? Array.from(element.labels) : [];
        let by = (element.getAttribute("aria-labelledby") || "").split(/\s+/)
            .map((id) => document.getElementById(id)).filter((e) => e);
        let text = element.getAttribute("aria-label") || element.getAttribute("alt")
            || element.getAttribute("title")
            || labels.concat(by).map((e) => e.textContent).join("")
            || (/^(CANVAS|IMG|INPUT|SELECT)$/.test(element.tagName) ? ""
                                                                     : element.textContent);
        if (text.trim() === "") {
            found.push("without a name: " + described(element));
        }
    }
    return found;
}
