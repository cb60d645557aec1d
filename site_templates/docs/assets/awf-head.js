/* Runs before anything is painted: what pages look like where scripts run, and as the reader left the bar. */
(function () {
  "use strict";
  var root = document.documentElement, view = {};
  root.classList.add("awf-js");
  try { view = JSON.parse(localStorage.getItem("awf-view") || "{}"); } catch (problem) { /* kept nothing that reads */ }
  ["prompts", "notools"].forEach(function (name) { if (view[name]) root.classList.add("awf-" + name); });

  /* From file:// a browser starts no worker: the search box's runs in a hidden frame instead. */
  function Stand(url) {
    var hub = new EventTarget(), frame = document.createElement("iframe"), waiting = [], ready = false;
    frame.hidden = true;
    document.body.appendChild(frame);
    var inner = frame.contentWindow, script = frame.contentDocument.createElement("script");
    function tell(data) {
      setTimeout(function () { inner.dispatchEvent(new inner.MessageEvent("message", { data: data })); });
    }
    inner.postMessage = function (data) {
      setTimeout(function () { hub.dispatchEvent(new MessageEvent("message", { data: data })); });
    };
    hub.postMessage = function (data) { if (ready) tell(data); else waiting.push(data); };
    hub.terminate = function () { frame.remove(); };
    script.onload = function () { ready = true; waiting.forEach(tell); };
    script.src = url;
    frame.contentDocument.body.appendChild(script);
    return hub;
  }
  if (location.protocol === "file:") window.Worker = Stand;
})();
