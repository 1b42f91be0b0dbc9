// A pointer that rests on a mark shows what it is. A click on a cluster dims the others, another one ends that.
(() => {
  for (const plot of document.querySelectorAll("figure svg")) {
    const title = plot.querySelector(":scope > title");
    if (title) {
      plot.setAttribute("aria-label", title.textContent);
      title.remove();
    }
  }
  for (const title of document.querySelectorAll("figure svg title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  document.addEventListener("mousemove", (event) => {
    const mark = event.target.closest("[data-tip]");
    tip.hidden = !mark;
    if (!mark) return;
    tip.textContent = mark.dataset.tip;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8);
    tip.style.left = `${Math.max(left, 4)}px`;
    tip.style.top = `${Math.max(top, 4)}px`;
  });
  // The plot without constraints has clusters of its own.
  const region = (mark) => mark.closest("figure.before");
  document.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-c]");
    if (!mark) return;
    const marks = [...document.querySelectorAll("[data-c]")];
    const same = marks.filter((other) => region(other) === region(mark));
    const isPicked = (other) => other.dataset.c === mark.dataset.c;
    const isDim = (other) => other.classList.contains("dim");
    const ends = same.some(isDim) ? !isDim(mark) : false;
    for (const other of same) other.classList.toggle("dim", ends ? false : !isPicked(other));
  });
})();
