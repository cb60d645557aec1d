/* Cuts what is typed into terms, as awf_archive/search/analysis.py cuts what is indexed. One table of cases holds
   both to it: tests/site_builder/words.json. */
var awfWords = (function () {
  "use strict";
  var CJK = "\\u1100-\\u11ff\\u2e80-\\u2fdf\\u3005\\u3007\\u3021-\\u3029\\u3041-\\u3096\\u3099\\u309a\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u3105-\\u312f\\u3131-\\u318e\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua960-\\ua97c\\uac00-\\ud7a3\\ud7b0-\\ud7fb\\uf900-\\ufaff\\uff66-\\uff9f\\uffa1-\\uffdc\\u{20000}-\\u{3ffff}";
  var AROUND = "\\u1100-\\u11ff\\u2e80-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\uff66-\\uffdc\\u{20000}-\\u{3ffff}";
  var MARKS = "\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u064b-\\u065f\\u0900-\\u0963\\u0966-\\u0e7f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200c\\u200d";
  var LETTER = "(?![" + AROUND + "])[\\p{L}\\p{N}_]";
  var IN_WORD = "(?:" + LETTER + "|[" + MARKS + "])";
  var SCAN = new RegExp(
    "([\u27e6]U\\+[0-9A-F]{4}[\u27e7])|([" + CJK + "]+)" +
    "|([cC]\\+\\+(?!\\+)|[cCfF]#(?![\\p{L}\\p{N}_]))" +
    "|(" + LETTER + IN_WORD + "*(?:['’]" + IN_WORD + "+)*)", "gu");
  var CLUSTERS = new RegExp("[\\u1100-\\u11ff\\u2e80-\\u2fdf\\u3099\\u309a\\u309f\\u30ff\\u3131-\\u318e" +
    "\\ua960-\\ua97c\\ud7b0-\\ud7fb\\uf900-\\ufaff\\uff66-\\uffdc\\u{2f800}-\\u{2fa1f}]", "u");
  var PLAIN = {"đ": "d", "ð": "d", "ł": "l", "ø": "o", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h", "ŋ": "n"};
  var ASCII_PARTS = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
  var OTHER_PARTS = new RegExp("(?!\\p{Nd})[\\p{L}\\p{N}](?:(?!\\p{Nd})[\\p{L}\\p{N}]|[" + MARKS + "])*|\\p{Nd}+", "gu");
  var HASH = /^(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,64}$/i;
  var CONTRACTIONS = {s: 1, re: 1, ve: 1, ll: 1, d: 1, m: 1};
  var MAX_TERM = 64, MAX_PARTS = 8;

  function isAscii(text) { return /^[\x00-\x7f]*$/.test(text); }
  function has(table, name) { return Object.prototype.hasOwnProperty.call(table, name); }
  function flat(lists) { return [].concat.apply([], lists); }

  function fold(text) {
    if (isAscii(text)) return text.toLowerCase();
    return text.normalize("NFKC").toLowerCase().replace(/ß/g, "ss").replace(/ς/g, "σ").normalize("NFD")
      .replace(/[\u0300-\u036f\u200c\u200d]/g, "")
      .replace(/[đðłøıæœþħŋ]/g, function (mark) { return PLAIN[mark]; }).normalize("NFC");
  }

  /* Porter2, as the index's stemmer has it. */
  var SPECIAL = {"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently":
    "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news",
    "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes", "inning": "inning",
    "innings": "inning", "outing": "outing", "outings": "outing", "canning": "canning", "cannings": "canning",
    "herring": "herring", "herrings": "herring", "earring": "earring", "earrings": "earring", "proceed":
    "proceed", "proceeds": "proceed", "proceeded": "proceed", "proceeding": "proceed", "exceed": "exceed",
    "exceeds": "exceed", "exceeded": "exceed", "exceeding": "exceed", "succeed": "succeed", "succeeds": "succeed",
    "succeeded": "succeed", "succeeding": "succeed"};
  var OWN = {"organ": "organ", "police": "police", "redis": "redis", "kubernetes": "kubernetes", "aws": "aws", "css":
    "css", "sass": "sass", "alias": "alias", "news": "news", "windows": "windows", "organs": "organ"};
  var BEGINNINGS = {"importan": "important", "organiz": "organiz", "organis": "organiz", "universit": "university"};
  var STEP2 = ["ization", "ational", "fulness", "ousness", "iveness", "tional", "biliti", "lessli", "entli", "ation",
    "alism", "aliti", "ousli", "iviti", "fulli", "enci", "anci", "abli", "izer", "ator", "alli", "bli", "ogi",
    "li"];
  var TO2 = {izer: "ize", ization: "ize", ational: "ate", ation: "ate", ator: "ate", alism: "al", aliti: "al",
    alli: "al", ousli: "ous", ousness: "ous", iveness: "ive", iviti: "ive", biliti: "ble", bli: "ble"};
  var LESS2 = {tional: 2, entli: 2, fulness: 4, fulli: 2, lessli: 2};
  var ADDS_E = {ational: 1, ation: 1, ator: 1, iveness: 1, iviti: 1};
  var STEP3 = ["ational", "tional", "alize", "icate", "iciti", "ative", "ical", "ness", "ful"];
  var LESS3 = {tional: 2, alize: 3};
  var TO3 = {ational: "ate", icate: "ic", iciti: "ic", ical: "ic", ful: "", ness: ""};
  var STEP4 = ["ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize",
    "ion", "al", "er", "ic"];

  function isVowel(letter) { return "aeiouy".indexOf(letter) >= 0; }
  function region(word) {
    for (var i = 1; i < word.length; i++)
      if (!isVowel(word[i]) && isVowel(word[i - 1])) return word.slice(i + 1);
    return "";
  }
  function ending(word, suffixes) {
    return suffixes.find(function (suffix) { return word.endsWith(suffix); });
  }
  /* Cuts letters off a word and its regions and puts `put` there instead. */
  function change(w, cut, put) {
    w.word = w.word.slice(0, w.word.length - cut) + put;
    w.r1 = w.r1.length >= cut ? w.r1.slice(0, w.r1.length - cut) + put : "";
    w.r2 = w.r2.length >= cut ? w.r2.slice(0, w.r2.length - cut) + put : "";
  }
  function drop(w, cut) {
    w.word = w.word.slice(0, -cut); w.r1 = w.r1.slice(0, -cut); w.r2 = w.r2.slice(0, -cut);
  }
  function step1a(w) {
    var suffix = ending(w.word, ["sses", "ied", "ies", "us", "ss", "s"]);
    if (suffix === "sses") drop(w, 2);
    else if (suffix === "ied" || suffix === "ies") drop(w, w.word.length > 4 ? 2 : 1);
    else if (suffix === "s" && w.word.slice(0, -2).split("").some(isVowel)) drop(w, 1);
  }
  function step1b(w) {
    var suffix = ending(w.word, ["eedly", "ingly", "edly", "eed", "ing", "ed"]);
    if (!suffix) return;
    if (suffix === "eed" || suffix === "eedly") {
      if (w.r1.endsWith(suffix)) change(w, suffix.length, "ee");
      return;
    }
    if (!w.word.slice(0, -suffix.length).split("").some(isVowel)) return;
    drop(w, suffix.length);
    var word = w.word, n = word.length;
    if (/(at|bl|iz)$/.test(word)) {
      w.word += "e"; w.r1 += "e";
      if (w.word.length > 5 || w.r1.length >= 3) w.r2 += "e";
    } else if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(word)) drop(w, 1);
    else if (w.r1 === "" && (
      (n >= 3 && !isVowel(word[n - 1]) && "wxY".indexOf(word[n - 1]) < 0 && isVowel(word[n - 2]) &&
        !isVowel(word[n - 3])) || (n === 2 && isVowel(word[0]) && !isVowel(word[1])))) {
      w.word += "e";
      if (w.r2.length) w.r2 += "e";
    }
  }
  function step1c(w) {
    var n = w.word.length;
    if (n > 2 && /[yY]$/.test(w.word) && !isVowel(w.word[n - 2])) change(w, 1, "i");
  }
  function step2(w) {
    var suffix = ending(w.word, STEP2);
    if (!suffix || !w.r1.endsWith(suffix)) return;
    if (suffix === "ogi") { if (w.word[w.word.length - 4] === "l") drop(w, 1); }
    else if (suffix === "li") { if ("cdeghkmnrt".indexOf(w.word[w.word.length - 3]) >= 0) drop(w, 2); }
    else if (has(LESS2, suffix)) drop(w, LESS2[suffix]);
    else if (/^(enci|anci|abli)$/.test(suffix)) change(w, 1, "e");
    else {
      var isShort = ADDS_E[suffix] && w.r2.length < suffix.length;
      change(w, suffix.length, TO2[suffix]);
      if (isShort) w.r2 = "e";
    }
  }
  function step3(w) {
    var suffix = ending(w.word, STEP3);
    if (!suffix || !w.r1.endsWith(suffix)) return;
    if (suffix === "ative") { if (w.r2.endsWith(suffix)) drop(w, 5); }
    else if (has(LESS3, suffix)) drop(w, LESS3[suffix]);
    else change(w, suffix.length, TO3[suffix]);
  }
  function step4(w) {
    var suffix = ending(w.word, STEP4);
    if (!suffix || !w.r2.endsWith(suffix)) return;
    if (suffix !== "ion" || "st".indexOf(w.word[w.word.length - 4]) >= 0) drop(w, suffix.length);
  }
  function step5(w) {
    var word = w.word, n = word.length;
    if (w.r2.endsWith("l") && word[n - 2] === "l") w.word = word.slice(0, -1);
    else if (w.r2.endsWith("e")) w.word = word.slice(0, -1);
    else if (w.r1.endsWith("e") && n >= 4 && (isVowel(word[n - 2]) || "wxY".indexOf(word[n - 2]) >= 0 ||
      !isVowel(word[n - 3]) || isVowel(word[n - 4]))) w.word = word.slice(0, -1);
  }
  function porter2(word) {
    if (has(SPECIAL, word)) return SPECIAL[word];
    word = word.replace(/^y/, "Y");
    for (var i = 1; i < word.length; i++)
      if (word[i] === "y" && isVowel(word[i - 1])) word = word.slice(0, i) + "Y" + word.slice(i + 1);
    var begun = /^(gener|commun|arsen)/.exec(word), r1 = begun ? word.slice(begun[0].length) : region(word);
    var w = {word: word, r1: r1, r2: region(r1)};
    [step1a, step1b, step1c, step2, step3, step4, step5].forEach(function (step) { step(w); });
    return w.word.replace(/Y/g, "y");
  }
  function stem(word) {
    if (word.length < 3 || !/^[a-zA-Z]+$/.test(word)) return word;
    if (has(OWN, word)) return OWN[word];
    for (var beginning in BEGINNINGS) if (word.startsWith(beginning)) return BEGINNINGS[beginning];
    return porter2(word);
  }

  function single(word) {
    var folded = fold(word);
    return folded.length && folded.length <= MAX_TERM ? [stem(folded)] : [];
  }
  function oneWord(word) {
    if (/['’]/.test(word)) return withApostrophe(word);
    if (/^[vV][0-9]+$/.test(word)) return [word.slice(1)];
    var parts = word.match(isAscii(word) ? ASCII_PARTS : OTHER_PARTS) || [];
    if (!parts.length || parts.length > MAX_PARTS || HASH.test(word)) return single(word);
    return flat(parts.map(single));
  }
  function withApostrophe(word) {
    var parts = word.split(/['’]/), tail = parts.length === 2 ? parts[1].toLowerCase() : "";
    if (has(CONTRACTIONS, tail)) return oneWord(parts[0]);
    if (tail === "t") return [stem(fold(parts[0] + "t"))];
    return flat(parts.map(oneWord));
  }
  function run(text) {
    var units = Array.from(CLUSTERS.test(text) ? text.normalize("NFKC") : text);
    if (units.length === 1) return units;
    return units.slice(1).map(function (unit, at) { return units[at] + unit; });
  }

  /* The terms that are looked for, in order. */
  function terms(text) {
    var found = [], match;
    SCAN.lastIndex = 0;
    while ((match = SCAN.exec(text))) {
      if (match[2]) found = found.concat(run(match[2]));
      else if (match[3]) found.push(match[3].toLowerCase());
      else if (match[4]) found = found.concat(oneWord(match[4]));
    }
    return found;
  }

  /* Where in a text the wanted words stand: each is a term, and maybe what it begins with. */
  function spans(text, wanted) {
    var found = [], match;
    function fits(term, word) {
      return wanted.some(function (one) {
        return one.term === term || Boolean(one.begins && fold(word).startsWith(one.begins));
      });
    }
    function add(start, end) {
      var last = found[found.length - 1];
      if (last && start <= last[1]) last[1] = end; else found.push([start, end]);
    }
    SCAN.lastIndex = 0;
    while ((match = SCAN.exec(text))) {
      var all = match[0], at = match.index;
      if (match[2]) {
        for (var i = 0; i < all.length; i++)
          if (fits(all.slice(i, i + 2), "") || fits(all[i], "")) add(at + i, at + Math.min(i + 2, all.length));
      } else if (match[3] ? fits(all.toLowerCase(), all)
        : match[4] && oneWord(all).some(function (term) { return fits(term, all); })) add(at, at + all.length);
    }
    return found;
  }

  /* What is looked for: terms, and of the last word what it may be the beginning of while it is being typed. */
  function wanted(text) {
    var list = terms(text).map(function (term) { return {term: term, begins: ""}; });
    var typed = /[\p{L}\p{N}\p{M}]+$/u.exec(text), last = list[list.length - 1];
    var begins = typed && last ? fold(typed[0]) : "";
    if (begins.length > 1 && begins.slice(0, 2) === last.term.slice(0, 2)) last.begins = begins;
    return list;
  }

  return {terms: terms, fold: fold, spans: spans, wanted: wanted};
})();
