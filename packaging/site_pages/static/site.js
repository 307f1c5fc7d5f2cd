// Plays a film while it is visible; a button stops it. Nothing moves if the system asks for that.
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

for (const picture of document.querySelectorAll("img[data-film]")) {
  const poster = picture.src;
  const button = document.createElement("button");
  let wanted = !still;
  const show = (playing) => {
    const name = playing ? new URL(picture.dataset.film, document.baseURI).href : poster;
    if (picture.src !== name) picture.src = name;
    button.textContent = wanted ? "Stop" : "Play";
    button.setAttribute("aria-label", `${button.textContent}: ${picture.dataset.title}`);
  };
  button.type = "button";
  button.addEventListener("click", () => {
    wanted = !wanted;
    show(wanted);
  });
  picture.after(button);
  show(false);
  new IntersectionObserver(([entry]) => show(wanted && entry.isIntersecting)).observe(picture);
}

// The two side bars have names, the headings of the first a level, and what scrolls sideways can be scrolled by keys.
for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.setAttribute("aria-level", "2");
const names = { "sidebar-drawer": "Pages", "toc-drawer": "On this page" };
for (const [bar, name] of Object.entries(names)) document.querySelector(`.${bar}`)?.setAttribute("aria-label", name);
const reachable = () => {
  for (const box of document.querySelectorAll("article pre, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
reachable();
addEventListener("resize", reachable);
