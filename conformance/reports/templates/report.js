"use strict";
// The page is whole without this: it only adds the controls. Text goes in as text, never as markup.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const UNIT = 10, EDGE = 12;
  const CELL = /^(\d+)=([a-lsx!]?)([0-9A-Z]*)$/;
  const toneClass = (tone) => "t-" + ({ "": "0", "!": "w" }[tone] ?? tone);

  const svg = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const chip = (text) => {
    const made = document.createElement("span");
    const colon = text.indexOf(":");
    made.className = "chip " + toneClass(text.slice(0, colon));
    made.textContent = text.slice(colon + 1);
    return made;
  };

  class Viewer {
    constructor(figure) {
      this.figure = figure;
      this.view = JSON.parse(figure.querySelector("script").textContent);
      this.at = this.start = Number(figure.dataset.at);
      this.find = (name) => figure.querySelector(name);
      this.slider = this.find("input");
      this.listen();
      this.find(".controls").hidden = this.view.steps.length < 2;
      this.buttons();
    }

    listen() {
      const last = this.view.steps.length - 1;
      const goes = {
        ".first": () => 0, ".previous": () => this.at - 1, ".next": () => this.at + 1,
        ".last": () => last, ".telling": () => this.start,
      };
      for (const [name, to] of Object.entries(goes)) {
        this.find(name).addEventListener("click", () => this.go(to()));
      }
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      const keys = { ArrowLeft: ".previous", ArrowRight: ".next", Home: ".first", End: ".last" };
      this.figure.addEventListener("keydown", (event) => {
        const own = event.target === this.slider || event.altKey || event.ctrlKey || event.metaKey;
        if (own || !(event.key in keys) || event.target.closest("details")) return;
        event.preventDefault();
        this.go(goes[keys[event.key]]());
      });
    }

    go(to) {
      this.at = Math.max(0, Math.min(this.view.steps.length - 1, to));
      const cells = new Map(), rows = new Map();
      for (const step of this.view.steps.slice(0, this.at + 1)) {
        for (const text of (step.cells ?? "").split(" ")) {
          const found = CELL.exec(text);
          if (found) cells.set(Number(found[1]), [found[2], found[3]]);
        }
        for (const [key, chips] of Object.entries(step.rows ?? {})) rows.set(key, chips);
      }
      const step = this.view.steps[this.at];
      if (this.view.grid) this.board(cells, step);
      for (const row of this.figure.querySelectorAll("[data-row]")) {
        const chips = (rows.get(row.dataset.row) ?? []).flatMap((text) => [chip(text), " "]);
        row.replaceChildren(...chips);
      }
      const before = this.view.left_out ?? 0;
      this.find(".step").className = "step " + (step.mark ?? "");
      this.find(".place").textContent = `Step ${this.at + 1 + before} of ${this.view.steps.length + before}`;
      this.find(".step .caption").textContent = step.caption;
      this.find(".step .note").textContent = step.note ?? "";
      this.buttons();
    }

    buttons() {
      const first = this.at === 0, last = this.at === this.view.steps.length - 1;
      this.slider.value = this.at;
      this.slider.setAttribute("aria-valuetext", this.find(".place").textContent);
      // Not `disabled`: a button that is loses the focus, and with it the keys.
      for (const name of [".first", ".previous"]) this.find(name).setAttribute("aria-disabled", first);
      for (const name of [".next", ".last"]) this.find(name).setAttribute("aria-disabled", last);
    }

    board(cells, step) {
      const [rows, columns] = this.view.grid;
      const corner = (index) => [EDGE + (index % columns) * UNIT, EDGE + Math.floor(index / columns) * UNIT];
      const paths = new Map(), labels = [], marks = [];
      for (let index = 0; index < rows * columns; index++) {
        const [tone, label] = cells.get(index) ?? ["", ""];
        const [x, y] = corner(index);
        paths.set(tone, (paths.get(tone) ?? "") + `M${x} ${y}h9v9h-9z`);
        if (label) labels.push(svg("text", { x: x + 4.5, y: y + 6.5 }, label));
      }
      const box = { at: "h9v9h-9z", bad: "h9v9h-9zl9 9m-9 0l9-9" };
      for (const [key, drawn] of Object.entries(box)) {
        if (key in step) marks.push(svg("path", { class: key, d: "M" + corner(step[key]).join(" ") + drawn }));
      }
      const drawn = [...paths].map(([tone, d]) => svg("path", { class: toneClass(tone), d }));
      this.find(".cells").replaceChildren(...drawn);
      this.find(".labels").replaceChildren(...labels);
      this.find(".marks").replaceChildren(...marks);
    }
  }

  const filter = () => {
    const box = document.querySelector(".filter");
    if (!box) return;
    const status = box.querySelector(".by-status"), text = box.querySelector(".by-text");
    const rows = [...document.querySelectorAll("tr[data-status]")];
    const apply = () => {
      const wanted = status.value, word = text.value.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const its = row.dataset.status;
        const fits = wanted === "" || (wanted[0] === "!" ? its !== wanted.slice(1) : its === wanted);
        row.hidden = !(fits && row.textContent.toLowerCase().includes(word));
        shown += !row.hidden;
      }
      box.querySelector(".count").textContent = `${shown} of ${rows.length}`;
    };
    status.addEventListener("change", apply);
    text.addEventListener("input", apply);
    box.hidden = false;
    apply();
  };

  const select = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };
  const copy = (button) => {
    const code = button.parentElement.querySelector("code");
    const told = (words) => {
      button.textContent = words;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    };
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        told("Copied");
      } catch {
        select(code);
        told(document.execCommand("copy") ? "Copied" : "Selected");
      }
    });
  };

  document.querySelectorAll(".viewer").forEach((figure) => new Viewer(figure));
  document.querySelectorAll(".copy").forEach(copy);
  filter();
})();
