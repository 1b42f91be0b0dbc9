"use strict";
(() => {
  const animation = JSON.parse(document.getElementById("animation").textContent);
  const stage = document.getElementById("stage");
  const play = document.getElementById("play");
  const slider = document.getElementById("slider");
  const caption = document.getElementById("caption");
  const pen = stage.getContext("2d");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const last = animation.frames.length - 1;

  // An animation takes about eight seconds, whatever its length.
  const perSecond = Math.min(12, Math.max(2, animation.frames.length / 8));

  // Two digits of base 64 are a share of the stage in steps of 1/4095; heights are upwards.
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const worth = new Uint8Array(128);
  for (let i = 0; i < 64; i++) worth[DIGITS.charCodeAt(i)] = i;
  const frames = animation.frames.map(({ places }) => {
    const shares = new Float32Array(places.length / 2);
    for (let i = 0; i < shares.length; i++) {
      const high = worth[places.charCodeAt(2 * i)];
      const share = (64 * high + worth[places.charCodeAt(2 * i + 1)]) / 4095;
      shares[i] = i % 2 === 0 ? share : 1 - share;
    }
    return shares;
  });
  const n = frames[0].length / 2;

  let at = 0; // the frame that is shown; a fraction while it moves on to the next
  let playing = false;
  let before = 0; // when the last frame was drawn
  let chosen = heaviest();

  // A point of the largest heap at the end: its bandwidth is the one that is drawn.
  function heaviest() {
    const size = new Map();
    let best = { first: 0, count: 0 };
    for (let i = 0; i < n; i++) {
      const key = animation.frames[last].places.slice(4 * i, 4 * i + 4);
      const heap = size.get(key) ?? { first: i, count: 0 };
      heap.count += 1;
      size.set(key, heap);
    }
    for (const heap of size.values()) {
      if (heap.count > best.count) best = heap;
    }
    return best.first;
  }

  // Where the coordinates are between two frames.
  function between(i) {
    const from = Math.floor(at);
    const part = at - from;
    const a = frames[from][i];
    return part === 0 ? a : a + part * (frames[from + 1][i] - a);
  }

  function bandwidth() {
    const from = Math.floor(at);
    const a = animation.frames[from].bandwidth ?? 0;
    const b = animation.frames[Math.min(from + 1, last)].bandwidth ?? a;
    return a + (at - from) * (b - a);
  }

  function draw() {
    const width = stage.clientWidth;
    const height = width / animation.aspect;
    const dense = window.devicePixelRatio || 1;
    if (stage.width !== Math.round(width * dense)) {
      stage.width = Math.round(width * dense);
      stage.height = Math.round(height * dense);
    }
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const size = Math.min(5, Math.max(2.2, (0.11 * width) / Math.sqrt(n)));
    const disc = (x, y, radius) => {
      pen.beginPath();
      pen.arc(x * width, y * height, radius, 0, 2 * Math.PI);
      pen.fill();
    };
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);

    pen.globalAlpha = 0.28;
    pen.fillStyle = color("--quiet");
    for (let i = 0; i < n; i++) disc(frames[0][2 * i], frames[0][2 * i + 1], 0.7 * size);

    pen.globalAlpha = 0.6;
    pen.strokeStyle = color("--bad");
    pen.lineWidth = 1.2;
    pen.setLineDash([5, 4]);
    for (const [a, b] of animation.links) {
      pen.beginPath();
      pen.moveTo(between(2 * a) * width, between(2 * a + 1) * height);
      pen.lineTo(between(2 * b) * width, between(2 * b + 1) * height);
      pen.stroke();
    }
    pen.setLineDash([]);

    pen.globalAlpha = 0.85;
    for (let i = 0; i < n; i++) {
      pen.fillStyle = animation.colors[i];
      disc(between(2 * i), between(2 * i + 1), size);
    }

    pen.globalAlpha = 1;
    pen.strokeStyle = color("--ink");
    pen.lineWidth = 1.6;
    pen.beginPath();
    const [across, up] = animation.axis_scale.map((scale) => scale * bandwidth());
    // Data of one column have no height: there the ring is as flat as can be seen.
    const high = animation.axis_scale[1] > 0 ? up * height : size + 2;
    const [x, y] = [between(2 * chosen) * width, between(2 * chosen + 1) * height];
    if (across > 0) pen.ellipse(x, y, across * width, high, 0, 0, 2 * Math.PI);
    pen.stroke();
  }

  function show(frame) {
    at = Math.min(last, Math.max(0, frame));
    slider.value = Math.round(at);
    caption.textContent = animation.frames[Math.round(at)].caption;
    slider.setAttribute("aria-valuetext", caption.textContent);
    draw();
  }

  function setPlaying(on) {
    playing = on;
    play.textContent = on ? "Pause" : "Play";
    // Screen readers skip the frames of a running animation.
    caption.setAttribute("aria-live", on ? "off" : "polite");
    if (!on) return show(Math.round(at));
    if (at >= last) at = 0;
    before = performance.now();
    requestAnimationFrame(tick);
  }

  function tick(now) {
    if (!playing) return;
    // Those who asked for less motion get one still after the other.
    const seconds = (now - before) / 1000;
    if (calm.matches) {
      if (seconds >= 0.5) {
        before = now;
        show(Math.round(at) + 1);
      }
    } else {
      before = now;
      show(at + Math.min(seconds, 0.1) * perSecond);
    }
    if (at >= last) setPlaying(false);
    else requestAnimationFrame(tick);
  }

  function go(frame) {
    if (playing) setPlaying(false);
    show(frame);
  }

  play.addEventListener("click", () => setPlaying(!playing));
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
    const now = Math.round(at);
    const keys = {
      ArrowRight: () => go(now + 1),
      ArrowLeft: () => go(now - 1),
      Home: () => go(0),
      End: () => go(last),
      // A button that has the focus answers to the space bar by itself.
      " ": () => event.target !== play && setPlaying(!playing),
    };
    if (!(event.key in keys)) return;
    if (event.key !== " " || event.target !== play) event.preventDefault();
    keys[event.key]();
  });
  stage.addEventListener("click", (event) => {
    const box = stage.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const y = (event.clientY - box.top) / box.height;
    let nearest = Infinity;
    for (let i = 0; i < n; i++) {
      const dx = (between(2 * i) - x) * animation.aspect;
      const dy = between(2 * i + 1) - y;
      if (dx * dx + dy * dy < nearest) [nearest, chosen] = [dx * dx + dy * dy, i];
    }
    draw();
  });
  new ResizeObserver(draw).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  show(0);
  if (!calm.matches) setPlaying(true);
})();
