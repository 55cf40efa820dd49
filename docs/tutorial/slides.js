// SPDX-License-Identifier: MIT
//
// slides.js: makes the text of each slide as large as fits: up to half as large again, and
// only as long as no line of a block is broken that was whole.
"use strict";

const STEP = 0.05, LARGEST = 1.5;

// How many characters a line of a block has room for.
function columns(block) {
    const style = getComputedStyle(block), code = block.firstElementChild;
    const room = block.clientWidth - parseFloat(style.paddingLeft)
        - parseFloat(style.paddingRight);
    block.style.whiteSpace = "pre";
    const longest = Math.max(...lengths(block)), width = code.offsetWidth;
    block.style.whiteSpace = "";
    return Math.floor(room * longest / width);
}

function lengths(block) {
    return block.textContent.split("\n").map((line) => line.length);
}

// When pictures have their size.
window.addEventListener("load", () => {
    for (const slide of document.querySelectorAll(".slide:not(.title)")) {
        const foot = slide.querySelector("footer");
        const wanted = new Map();
        for (const block of slide.querySelectorAll("pre")) {
            const room = columns(block);
            wanted.set(block, Math.max(...lengths(block).filter((length) => length <= room)));
        }
        const fits = () => [...wanted].every(([block, length]) => length <= columns(block))
            && [...slide.children].every((part) => part === foot
                || part.offsetTop + part.offsetHeight <= foot.offsetTop);
        let scale = 1;
        do {
            slide.style.setProperty("--scale", scale += STEP);
        } while (fits() && scale < LARGEST);
        slide.style.setProperty("--scale", fits() ? scale : scale - STEP);
    }
});
