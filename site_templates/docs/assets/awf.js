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

  function two(number) {
    return String(number).padStart(2, "0");
  }

  function times() {
    var language = root.lang || undefined;
    all("time[datetime]").forEach(function (one) {
      var moment = new Date(one.getAttribute("datetime"));
      if (isNaN(moment) || one.getAttribute("datetime").indexOf("T") < 0) return;
      /* As wide as what stood there, and the same day first in every language. */
      one.textContent = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join("-") +
        " " + two(moment.getHours()) + ":" + two(moment.getMinutes());
      one.title = moment.toLocaleString(language, { dateStyle: "full", timeStyle: "long" });
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
    addCopyButtons(list);
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

  /* Copying a turn needs scripts, so scripts make the buttons. */
  function addCopyButtons(list) {
    if (!navigator.clipboard) return;
    all(".awf-head", list).forEach(function (head) {
      [["text", "data-copy-text"], ["markdown", "data-copy-markdown"]].forEach(function (kind) {
        var button = document.createElement("button");
        button.type = "button";
        button.className = "awf-copy-button";
        button.textContent = list.getAttribute(kind[1]);
        button.addEventListener("click", function () {
          var turn = head.closest(".awf-turn"), label = button.textContent;
          navigator.clipboard.writeText(kind[0] === "text" ? plain(turn) : markdown(turn)).then(function () {
            button.textContent = list.getAttribute("data-copied");
            setTimeout(function () { button.textContent = label; }, 1500);
          }, function () { /* not allowed here */ });
        });
        head.insertBefore(button, head.querySelector(".awf-copy"));
      });
    });
  }
  function sides(turn) {
    return all(".awf-message", turn).filter(function (side) { return side.querySelector(":scope > .awf-who"); });
  }
  /* What stands below the name of who says it. */
  function said(side) {
    return all(":scope > :not(.awf-who)", side);
  }
  function plain(turn) {
    return sides(turn).map(function (side) {
      var who = side.querySelector(".awf-who").firstChild.textContent.trim();
      return who + ":\n" + said(side).map(function (one) { return one.innerText.trim(); }).join("\n\n").trim();
    }).join("\n\n") + "\n";
  }
  /* Markdown again from what is shown: enough to quote a turn somewhere else. */
  function markdown(turn) {
    return sides(turn).map(function (side) {
      var who = side.querySelector(".awf-who").firstChild.textContent.trim();
      return "**" + who + "**\n\n" + inMarkdown({ childNodes: said(side) }).replace(/\n{3,}/g, "\n\n").trim();
    }).join("\n\n") + "\n";
  }
  function inMarkdown(node) {
    var FENCE = "```";
    return Array.prototype.map.call(node.childNodes, function (one) {
      if (one.nodeType === 3) return one.data.replace(/\s+/g, " ");
      if (one.nodeType !== 1 || one.tagName === "BUTTON" || one.tagName === "NAV") return "";
      var tag = one.tagName, inner;
      if (tag === "PRE") {
        while (one.textContent.indexOf(FENCE) >= 0) FENCE += "`";
        return "\n\n" + FENCE + "\n" + one.textContent.replace(/\n$/, "") + "\n" + FENCE + "\n\n";
      }
      if (tag === "CODE") return "`" + one.textContent + "`";
      if (tag === "BR") return "\n";
      if (tag === "HR") return "\n\n---\n\n";
      if (tag === "SUMMARY") return "\n\n*" + Array.prototype.map.call(one.childNodes, function (part) {
        return part.textContent.replace(/\s+/g, " ").trim();
      }).filter(Boolean).join(" ") + "*\n\n";
      inner = inMarkdown(one);
      if (/^H[1-6]$/.test(tag)) return "\n\n" + "#".repeat(Number(tag[1])) + " " + inner.trim() + "\n\n";
      if (tag === "STRONG" || tag === "B") return "**" + inner + "**";
      if (tag === "EM" || tag === "I") return "*" + inner + "*";
      if (tag === "A" && /^https?:/.test(one.getAttribute("href") || "")) return "[" + inner + "](" + one.href + ")";
      if (tag === "LI") return (one.parentElement.tagName === "OL" ? "1. " : "- ") + inner.trim().replace(/\n/g, "\n  ") + "\n";
      if (tag === "BLOCKQUOTE") return "\n\n" + inner.trim().replace(/^/gm, "> ") + "\n\n";
      if (tag === "TR") return "| " + all("th, td", one).map(function (cell) { return inMarkdown(cell).trim(); }).join(" | ") + " |\n" +
        (one.parentElement.tagName === "THEAD" ? "|" + " --- |".repeat(one.children.length) + "\n" : "");
      return /^(P|DIV|UL|OL|TABLE|DETAILS|SECTION|FIGURE|DL)$/.test(tag) ? "\n\n" + inner + "\n\n" : inner;
    }).join("");
  }

  /* A session's pages are cut by size too, so an old link may name the page before or after. */
  function leadOn(local) {
    var pages = all(".awf-pager [data-first]").filter(function (one) {
      return Number(one.getAttribute("data-first")) <= local;
    });
    var page = pages[pages.length - 1];
    if (page && page.href) location.replace(page.href + location.search + location.hash);
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
    var groups = all('[data-awf="group"]');
    var rows = all('[data-awf="filtered"] > li').map(function (row) {
      return { row: row, text: fold(row.textContent) };
    });
    function apply() {
      var words = fold(form.words.value).split(/\s+/).filter(Boolean), shown = 0;
      rows.forEach(function (one) {
        var fits = words.every(function (word) { return one.text.indexOf(word) >= 0; }) &&
          (!form.feature || !form.feature.value || one.row.dataset.feature === form.feature.value) &&
          (!form.status || !form.status.value || one.row.dataset.status === form.status.value);
        one.row.hidden = !fits;
        if (fits) shown += 1;
      });
      groups.forEach(function (one) { one.hidden = !one.querySelector('[data-awf="filtered"] > li:not([hidden])'); });
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

  /* A link from the search page names its words: they are marked in the turn that it leads to. */
  function markWords() {
    var words = new URLSearchParams(location.search).get("w"), own = document.querySelector("script[data-awf-words]");
    if (!words || !own || !document.querySelector(".awf-turns-list")) return;
    var script = document.createElement("script");
    script.src = own.getAttribute("data-awf-words");
    script.onload = function () {
      var head = document.getElementById(location.hash.slice(1)), wanted = awfWords.wanted(words);
      var turn = head && head.closest(".awf-turn");
      if (turn) sides(turn).forEach(function (side) { said(side).forEach(function (one) { markIn(one, wanted); }); });
      var first = turn && turn.querySelector("mark.awf-mark");
      for (var one = first; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
      if (first) first.scrollIntoView({ block: "center" });
    };
    document.head.appendChild(script);
  }
  function markIn(body, wanted) {
    var walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT), nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    nodes.slice(0, 5000).forEach(function (node) {
      awfWords.spans(node.data, wanted).reverse().forEach(function (span) {
        var mark = document.createElement("mark"), part = node.splitText(span[0]);
        part.splitText(span[1] - span[0]);
        mark.className = "awf-mark";
        part.parentNode.replaceChild(mark, part);
        mark.appendChild(part);
      });
    });
  }

  /* Home: what is new since this reader was here last. */
  function news() {
    var box = document.querySelector('[data-awf="news"]'), KEPT = "awf-visit";
    if (!box) return;
    var rows = JSON.parse(document.querySelector('[data-awf="newest"]').textContent), seen, before;
    if (!rows.length) return;
    try {
      seen = JSON.parse(localStorage.getItem(KEPT) || "{}")[location.pathname] || null;
      before = sessionStorage.getItem(KEPT) || (seen && seen.newest + " " + seen.at);
      if (before) sessionStorage.setItem(KEPT, before);
      var visits = JSON.parse(localStorage.getItem(KEPT) || "{}");
      visits[location.pathname] = { newest: rows[0][0], at: new Date().toISOString() };
      localStorage.setItem(KEPT, JSON.stringify(visits));
    } catch (e) { return; }
    if (!before) return;
    var parts = before.split(" "), fresh = rows.filter(function (row) { return row[0] > parts[0]; });
    if (!fresh.length) return;
    var title = document.createElement("h2"), list = document.createElement("ul");
    title.textContent = box.getAttribute("data-title").replace("{date}", new Date(parts[1]).toLocaleDateString(root.lang));
    list.className = "awf-list";
    fresh.slice(0, 10).forEach(function (row) {
      var item = document.createElement("li"), link = document.createElement("a"), where = document.createElement("small");
      link.href = row[2];
      link.textContent = row[1];
      where.textContent = " " + row[3];
      item.append(link, where);
      list.appendChild(item);
    });
    box.append(title, list);
    if (fresh.length > 10) box.append("+" + (fresh.length - 10));
    box.hidden = false;
  }

  /* An old address of a decision or a session leads on by itself; that of a turn by the number that it bore there,
     that of a turn that never was to the session. */
  function moved() {
    var box = document.querySelector('[data-awf="moved"]'), turn = /^#turn-(\d+)$/.exec(location.hash);
    if (!box) return;
    var first = Number(box.getAttribute("data-first")), local = turn ? Number(turn[1]) : 0;
    location.replace(first && local >= 1 && local <= Number(box.getAttribute("data-count")) ? box.getAttribute("data-turns") + "#" +
      encodeURIComponent(box.getAttribute("data-feature") + "-" + (first + local - 1)) : box.querySelector("a").href);
  }

  times(); bar(); copyLinks(); reveal(); printing(); filter(); permalink(); news(); moved(); markWords();
  window.addEventListener("hashchange", reveal);
})();
