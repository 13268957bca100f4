"use strict";
// Moves and zooms what is in `.view` of an SVG, and highlights the neighbours of a box. `picked` is told of each choice.
function pictureViewer(svg, picked = () => {}) {
  const LEGIBLE = 0.62;
  const view = svg.querySelector(".view");
  const size = { width: Number(svg.dataset.width), height: Number(svg.dataset.height) };
  const at = { x: 0, y: 0, scale: 1 };
  const pointers = new Map();
  let moved = 0;
  let current = null;

  function show() {
    view.setAttribute("transform", `translate(${at.x} ${at.y}) scale(${at.scale})`);
  }

  // All of it; but not smaller than `least`, then around the box that everything is seen from.
  function fit(least = 0.05) {
    const { width, height } = svg.getBoundingClientRect();
    const room = Math.min((width - 40) / size.width, (height - 40) / size.height);
    at.scale = Math.max(least, Math.min(1.25, room));
    const root = room < least ? svg.querySelector(".root") : null;
    const middle = root ? root.transform.baseVal.getItem(0).matrix : { e: size.width / 2, f: size.height / 2 };
    const own = root ? root.getBBox() : { width: 0, height: 0 };
    at.x = width / 2 - (middle.e + own.width / 2) * at.scale;
    at.y = height / 2 - (middle.f + own.height / 2) * at.scale;
    show();
  }

  function zoom(factor, x, y) {
    const scale = Math.max(0.05, Math.min(6, at.scale * factor));
    at.x = x - ((x - at.x) * scale) / at.scale;
    at.y = y - ((y - at.y) * scale) / at.scale;
    at.scale = scale;
    show();
  }

  function zoomMiddle(factor) {
    const { width, height } = svg.getBoundingClientRect();
    zoom(factor, width / 2, height / 2);
  }

  function pick(node) {
    current = node;
    for (const near of svg.querySelectorAll(".near")) near.classList.remove("near");
    svg.classList.toggle("picked", node !== null);
    if (node !== null) {
      const boxes = new Set([node]);
      for (const edge of svg.querySelectorAll(".edge")) {
        if (edge.dataset.from === node || edge.dataset.to === node) {
          edge.classList.add("near");
          boxes.add(edge.dataset.from).add(edge.dataset.to);
        }
      }
      for (const box of boxes) svg.querySelector(`.node[data-node="${box}"]`).classList.add("near");
    }
    picked(node);
  }

  function place(event) {
    const { left, top } = svg.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, y } = place(event);
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), x, y);
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, place(event));
  });
  svg.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    if (others.length === 1) {
      const [other] = others;
      const apart = (one) => Math.hypot(one.x - other.x, one.y - other.y);
      if (apart(before) > 0) zoom(apart(now) / apart(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else if (others.length === 0) {
      at.x += now.x - before.x;
      at.y += now.y - before.y;
      show();
    }
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    // Only a drag is followed beyond the picture: capturing earlier would take the click from the box.
    if (moved > 4) svg.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  svg.addEventListener("click", (event) => {
    if (moved > 4) return;
    const box = event.target.closest(".node");
    const node = box ? box.dataset.node : null;
    pick(node === current ? null : node);
  });
  for (const box of svg.querySelectorAll(".node")) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "button");
    box.setAttribute("aria-label", box.querySelector("title").textContent);
  }
  svg.addEventListener("keydown", (event) => {
    const box = event.target.closest(".node");
    if (box && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pick(box.dataset.node);
    } else if (event.key === "Escape") pick(null);
    else if (event.key === "+" || event.key === "=") zoomMiddle(1.25);
    else if (event.key === "-") zoomMiddle(0.8);
    else if (event.key === "0") fit();
  });
  for (const button of svg.parentElement.querySelectorAll("[data-zoom]")) {
    const ways = { in: () => zoomMiddle(1.25), out: () => zoomMiddle(0.8), fit: () => fit() };
    button.addEventListener("click", ways[button.dataset.zoom]);
  }
  let width = 0;
  new ResizeObserver(() => {
    // A box that is picked may open a panel; only a new width is another window.
    if (svg.clientWidth !== width) {
      width = svg.clientWidth;
      fit(LEGIBLE);
    }
  }).observe(svg);
}
