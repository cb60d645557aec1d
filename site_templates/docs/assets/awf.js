/* The site's own script: a little comfort. Every page reads without it. */
(function () {
  "use strict";
  var root = document.documentElement;
  var KEY = "awf-view";
  var all = function (selector, within) {
    return Array.prototype.slice.call((within || document).querySelectorAll(selector));
  };
  function load() {
    try { return JSON.parse(localStorage.getItem(KEY) || "{}") || {}; } catch (e) { return {}; }
  }
  function save(state) {
    try { localStorage.setItem(KEY, JSON.stringify(state)); } catch (e) { /* private window */ }
  }

  /* Same folding as the command line's: no case, no marks, đ is d. */
  function fold(text) {
    return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/đ/g, "d");
  }

  function times() {
    var language = root.lang || undefined;
    all("time[datetime]").forEach(function (one) {
      var moment = new Date(one.getAttribute("datetime"));
      if (isNaN(moment)) return;
      one.title = one.textContent;
      one.textContent = moment.toLocaleString(language, {
        year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit"
      });
    });
  }

  function bar() {
    var box = document.querySelector('[data-awf="bar"]');
    if (!box) return;
    var state = load();
    function show() {
      root.classList.toggle("awf-prompts", Boolean(state.prompts));
      root.classList.toggle("awf-notools", Boolean(state.notools));
      all("button[data-view]", box).forEach(function (button) {
        var view = button.getAttribute("data-view");
        if (view !== "keys") button.setAttribute("aria-pressed", String(Boolean(state[view])));
      });
    }
    function openAll() {
      all(".awf-turns-list details").forEach(function (one) { one.open = Boolean(state.open); });
    }
    function toggle(view) {
      if (view === "keys") {
        var help = document.getElementById("awf-keys");
        help.hidden = !help.hidden;
        box.querySelector('[data-view="keys"]').setAttribute("aria-expanded", String(!help.hidden));
        return;
      }
      state[view] = !state[view];
      save(state);
      show();
      if (view === "open") openAll();
    }
    box.hidden = false;
    box.addEventListener("click", function (event) {
      var button = event.target.closest("button[data-view]");
      if (button) toggle(button.getAttribute("data-view"));
    });
    show();
    if (state.open) openAll();
    keys(toggle);
  }

  function current(heads) {
    var line = 140, found = -1;
    heads.forEach(function (head, index) {
      if (head.getBoundingClientRect().top <= line) found = index;
    });
    return found;
  }

  function keys(toggle) {
    var last = { at: -1, y: -1 };
    document.addEventListener("keydown", function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable) return;
      var heads = all(".awf-turn h2"), next;
      /* Near the end of a page the last turns cannot be scrolled to the top. */
      var at = window.scrollY === last.y ? last.at : current(heads);
      if (event.key === "j") next = heads[at + 1];
      else if (event.key === "k") next = heads[Math.max(0, at - 1)];
      else if (event.key === "p") toggle("prompts");
      else if (event.key === "t") toggle("notools");
      else if (event.key === "?") toggle("keys");
      else if (event.key === "o") {
        var turn = heads[Math.max(0, at)].closest(".awf-turn"), folded = all("details", turn);
        var anyClosed = folded.some(function (one) { return !one.open; });
        folded.forEach(function (one) { one.open = anyClosed; });
      } else return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (next) {
        next.scrollIntoView();
        history.replaceState(null, "", "#" + next.id);
        last = { at: heads.indexOf(next), y: window.scrollY };
      }
    }, true);
  }

  function copyLinks() {
    var list = document.querySelector(".awf-turns-list");
    if (!list) return;
    list.addEventListener("click", function (event) {
      var link = event.target.closest("a.awf-copy");
      if (!link || !navigator.clipboard) return;
      var label = link.textContent;
      event.preventDefault();
      history.replaceState(null, "", link.getAttribute("href"));
      navigator.clipboard.writeText(link.href).then(function () {
        link.textContent = list.getAttribute("data-copied");
        setTimeout(function () { link.textContent = label; }, 1500);
      }, function () { location.hash = link.getAttribute("href"); });
    });
  }

  /* A session's pages are cut by size too, so an old link may name the page before or after. */
  function leadOn(local) {
    var pages = all(".awf-pager [data-first]").filter(function (one) {
      return Number(one.getAttribute("data-first")) <= local;
    });
    var page = pages[pages.length - 1];
    if (page && page.href) location.replace(page.href + location.hash);
  }

  /* What a link leads to may stand inside folded parts. */
  function reveal() {
    var target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var turn = /^#turn-(\d+)$/.exec(location.hash);
    if (!target && turn) leadOn(Number(turn[1]));
    for (var one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  }

  function printing() {
    var opened = [];
    window.addEventListener("beforeprint", function () {
      opened = all(".md-content details:not([open])");
      opened.forEach(function (one) { one.open = true; });
    });
    window.addEventListener("afterprint", function () {
      opened.forEach(function (one) { one.open = false; });
    });
  }

  function filter() {
    var form = document.querySelector('form[data-awf="filter"]');
    if (!form) return;
    var rows = all('[data-awf="filtered"] > li').map(function (row) {
      return { row: row, text: fold(row.textContent) };
    });
    function apply() {
      var words = fold(form.words.value).split(/\s+/).filter(Boolean), shown = 0;
      rows.forEach(function (one) {
        var fits = words.every(function (word) { return one.text.indexOf(word) >= 0; }) &&
          (!form.feature.value || one.row.dataset.feature === form.feature.value) &&
          (!form.status.value || one.row.dataset.status === form.status.value);
        one.row.hidden = !fits;
        if (fits) shown += 1;
      });
      form.querySelector("output").textContent = shown + " / " + rows.length;
    }
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    apply();
  }

  /* …/t/#<feature>-843 → the turn with that global number. */
  function permalink() {
    var form = document.querySelector('form[data-awf="permalink"]');
    if (!form) return;
    var table = JSON.parse(document.querySelector('[data-awf="turns"]').textContent);
    function go(place) {
      var cut = Math.max(place.lastIndexOf("-"), place.lastIndexOf("#"));
      var feature = place.slice(0, cut), number = Number(place.slice(cut + 1));
      var rows = Object.prototype.hasOwnProperty.call(table, feature) ? table[feature] : [];
      var row = rows.find(function (one) { return one[0] <= number && number <= one[1]; });
      if (!row) { form.querySelector("output").textContent = form.getAttribute("data-unknown"); return; }
      var local = number - row[0] + 1;
      var page = 1 + row.slice(3).filter(function (first) { return first <= local; }).length;
      location.replace("../" + row[2] + "/" + (page === 1 ? "index" : "page-" + page) + ".html#turn-" +
        String(local).padStart(3, "0"));
    }
    function follow() { if (location.hash.length > 1) go(decodeURIComponent(location.hash.slice(1))); }
    form.addEventListener("submit", function (event) { event.preventDefault(); go(form.place.value.trim()); });
    window.addEventListener("hashchange", follow);
    follow();
  }

  times(); bar(); copyLinks(); reveal(); printing(); filter(); permalink();
  window.addEventListener("hashchange", reveal);
})();
