/* The page that searches every turn: shards of the index come as scripts, so it works from file:// too. */
(function () {
  "use strict";
  var form = document.querySelector('form[data-awf="find"]');
  if (!form || typeof awfWords === "undefined") return;
  var root = form.getAttribute("data-root"), list = document.querySelector('[data-awf="found"]');
  var output = form.querySelector("output"), KINDS = ["turn", "summary", "decision"], STEP = 20;
  var base = null, delta = null, shards = {}, texts = {}, waiting = {}, asked = 0;

  window.awfTable = function (value) { base = table(value[1], value[2]); base.shards = value[0]; };
  window.awfDelta = function (value) {
    delta = table(value[0], value[2]);
    delta.replaced = new Set(value[1]);
    delta.terms = value[3];
  };
  window.awfShard = function (value) { shards[value[0]] = value[1]; };
  window.awfTexts = function (value) { texts[value[0]] = value[1]; };

  /* A row: id, kind, feature, date, title, first turns of its later pages, local numbers or how many. */
  function table(features, rows) {
    var next = 0;
    return {rows: rows.map(function (row) {
      var numbers = row[6], count = typeof numbers === "number" ? numbers : numbers.length;
      var made = {id: row[0], kind: KINDS[row[1]], feature: features[row[2]], date: row[3], title: row[4],
        starts: row[5], numbers: typeof numbers === "number" ? null : numbers, first: next};
      next += count;
      made.end = next;
      return made;
    })};
  }

  function script(path) {
    if (!waiting[path]) waiting[path] = new Promise(function (done) {
      var one = document.createElement("script");
      one.src = root + path;
      one.onload = one.onerror = function () { one.remove(); done(); };
      document.head.appendChild(one);
    });
    return waiting[path];
  }

  function unpack(packed) {
    var found = [], at = -1;
    for (var mark of packed) {
      var code = mark.codePointAt(0);
      at += code >= 0xe000 ? code - 0x800 - 32 : code - 32;
      found.push(at);
    }
    return found;
  }

  function shardOf(term) {
    var points = Array.from(term, function (mark) { return mark.codePointAt(0); });
    return (points[0] * 31 + (points[1] || 0)) % base.shards;
  }
  function shardPath(number) { return "search/full/" + number.toString(16).padStart(2, "0") + ".js"; }

  function documents(terms, word) {
    if (!terms) return new Set();
    var names = Object.prototype.hasOwnProperty.call(terms, word.term) ? [word.term] : [];
    if (word.begins) Object.keys(terms).forEach(function (term) {
      if (term !== word.term && term.startsWith(word.begins)) names.push(term);
    });
    var found = new Set();
    names.forEach(function (name) { unpack(terms[name]).forEach(function (at) { found.add(at); }); });
    return found;
  }

  function all(words, termsOf) {
    var found = null;
    words.forEach(function (word) {
      var here = documents(termsOf(word), word);
      found = found ? new Set(Array.from(found).filter(function (at) { return here.has(at); })) : here;
    });
    return Array.from(found || []).sort(function (a, b) { return a - b; });
  }

  function places(index, numbers, replaced) {
    var found = [], at = 0;
    numbers.forEach(function (number) {
      while (at < index.rows.length && index.rows[at].end <= number) at += 1;
      var row = index.rows[at];
      if (!row || (replaced && replaced.has(row.id)) || !fits(row)) return;
      var local = row.numbers ? row.numbers[number - row.first] : number - row.first + 1;
      found.push({row: row, local: local});
    });
    return found;
  }

  function fits(row) {
    return (!form.feature.value || row.feature === form.feature.value) &&
      (!form.kind.value || row.kind === form.kind.value) &&
      (!form.since.value || row.date >= form.since.value) &&
      (!form.until.value || (row.date && row.date <= form.until.value));
  }

  function search() {
    var mine = asked += 1, text = form.words.value.trim(), words = awfWords.wanted(text);
    remember();
    if (!words.length) { list.textContent = ""; output.textContent = ""; return Promise.resolve(); }
    return Promise.all([script("search/full/table.js"), script("search/full/delta.js")]).then(function () {
      if (!base || !delta) { output.textContent = form.getAttribute("data-off"); return null; }
      return Promise.all(words.map(function (word) { return script(shardPath(shardOf(word.term))); }));
    }).then(function (loaded) {
      if (!loaded || mine !== asked) return null;
      var found = places(base, all(words, function (word) { return shards[shardOf(word.term)]; }), delta.replaced)
        .concat(places(delta, all(words, function () { return delta.terms; }), null));
      found.sort(function (a, b) {
        return a.row.date < b.row.date ? 1 : a.row.date > b.row.date ? -1
          : a.row.id < b.row.id ? -1 : a.row.id > b.row.id ? 1 : a.local - b.local;
      });
      list.textContent = "";
      // The count is told when the hits stand: whoever listens to it finds them there.
      return show(found, 0, words, mine).then(function () {
        if (mine !== asked) return;
        output.textContent = found.length ? counted(found.length) : form.getAttribute("data-nothing");
      });
    });
  }

  function counted(number) {
    var forms = form.getAttribute("data-found").split("|");
    return (number === 1 || forms.length === 1 ? forms[0] : forms[1]).replace("{n}", number.toLocaleString());
  }

  function link(place) {
    if (place.row.kind !== "turn") return root + place.row.id;
    var page = 1 + place.row.starts.filter(function (first) { return first <= place.local; }).length;
    return root + place.row.id + "/" + (page === 1 ? "index" : "page-" + page) + ".html?w=" +
      encodeURIComponent(form.words.value.trim()) + "#turn-" + String(place.local).padStart(3, "0");
  }

  function show(found, from, words, mine) {
    var some = found.slice(from, from + STEP);
    return Promise.all(some.map(function (place) {
      return place.row.kind === "turn" ? script(place.row.id + "/texts.js") : null;
    })).then(function () {
      if (mine !== asked) return;
      some.forEach(function (place) { list.appendChild(entry(place, words)); });
      if (from + STEP < found.length) more(found, from + STEP, words, mine);
    });
  }

  function more(found, from, words, mine) {
    var item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.className = "awf-more-button";
    button.textContent = form.getAttribute("data-more");
    button.addEventListener("click", function () {
      var before = list.children.length - 1;
      item.remove();
      show(found, from, words, mine).then(function () {
        var next = list.children[before] && list.children[before].querySelector("a");
        if (next) next.focus();
      });
    });
    item.appendChild(button);
    list.appendChild(item);
  }

  function entry(place, words) {
    var item = document.createElement("li"), head = document.createElement("a"), meta = document.createElement("div");
    var known = (texts[place.row.id] || {})[place.local] || ["", ""];
    item.className = "awf-row awf-kind-" + place.row.kind;
    head.className = "awf-row__title";
    head.href = link(place);
    head.textContent = known[0] || place.row.title;
    meta.className = "awf-meta";
    [place.row.feature, place.row.date, place.row.kind === "turn" && known[0] && known[0] !== place.row.title ? place.row.title : ""]
      .filter(Boolean).forEach(function (text) {
        var part = document.createElement("span");
        part.textContent = text;
        meta.appendChild(part);
      });
    item.appendChild(head);
    item.appendChild(meta);
    if (known[1]) item.appendChild(snippet(known[1], words));
    return item;
  }

  /* The words' surroundings, with the words marked. */
  function snippet(text, words) {
    var line = document.createElement("p"), spans = awfWords.spans(text, words), first = spans.length ? spans[0][0] : 0;
    var start = Math.max(0, first - 60), end = Math.min(text.length, start + 260), at = start;
    line.className = "awf-goal";
    if (start) line.append("… ");
    spans.forEach(function (span) {
      if (span[0] < at || span[1] > end) return;
      var mark = document.createElement("mark");
      mark.textContent = text.slice(span[0], span[1]);
      line.append(text.slice(at, span[0]), mark);
      at = span[1];
    });
    line.append(text.slice(at, end) + (end < text.length ? " …" : ""));
    return line;
  }

  function remember() {
    var kept = new URLSearchParams();
    ["words", "feature", "kind", "since", "until"].forEach(function (name) {
      if (form[name].value) kept.set(name, form[name].value);
    });
    var query = kept.toString();
    try { history.replaceState(null, "", location.pathname + (query ? "?" + query : "")); } catch (e) { /* file:// */ }
  }

  var timer = 0;
  form.hidden = false;
  form.addEventListener("submit", function (event) { event.preventDefault(); search(); });
  form.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(search, 180); });
  new URLSearchParams(location.search).forEach(function (value, name) { if (form[name]) form[name].value = value; });
  if (form.words.value) search();
})();
