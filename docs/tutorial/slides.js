// SPDX-License-Identifier: MIT
//
// slides.js: makes the text of each slide as large as fits: up to half as large again, and
// only as long as no line of a block is broken that was whole.
"use strict";

const STEP = 0.05, LARGEST = 1.5;

// Whether the lines of a block are longer than it is wide.
function breaks(block) {
    const style = getComputedStyle(block);
    const width = block.clientWidth - parseFloat(style.paddingLeft)
        - parseFloat(style.paddingRight);
    block.style.whiteSpace = "pre";
    const result = block.firstElementChild.offsetWidth > width;
    block.style.whiteSpace = "";
    return result;
}

for (const slide of document.querySelectorAll(".slide:not(.title)")) {
    const whole = [...slide.querySelectorAll("pre")].filter((block) => !breaks(block));
    const foot = slide.querySelector("footer");
    const fits = () => whole.every((block) => !breaks(block))
        && [...slide.children].every((part) => part === foot
            || part.offsetTop + part.offsetHeight <= foot.offsetTop);
    let scale = 1;
    do {
        slide.style.setProperty("--scale", scale += STEP);
    } while (fits() && scale < LARGEST);
    slide.style.setProperty("--scale", fits() ? scale : scale - STEP);
}
