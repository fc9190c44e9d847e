/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

// Fills the templates of mpsr.html from the NameNode's JMX. Values become text of elements and never HTML or code, so
// that the page can forbid all scripts but those of the NameNode itself (Content-Security-Policy in WebPages.java).
import {printable} from "./mpsr-explore/printable.js";

(function () {
  "use strict";

  var BEANS = [
    {name: "info", url: "/jmx?qry=Hadoop:service=NameNode,name=MpsrInfo"},
    {name: "metrics", url: "/jmx?qry=Hadoop:service=NameNode,name=Mpsr"},
    {name: "namenode", url: "/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus"}
  ];

  var COUNTERS = [
    ["Commits", "Commits published"],
    ["CommittedFiles", "Files published"],
    ["WaitingCommits", "Commits that are published or wait for it now"],
    ["PublishAvgTime", "Publishing a commit, with waiting, on average, in ms"],
    ["PublishLockMsMax", "Longest hold of the namesystem lock by publishing, in ms"],
    ["FencedCommits", "Commits refused because another writer had committed their offsets"],
    ["RefusedCommits", "Commits refused because they were not valid"],
    ["BusyCommits", "Commits told to try again because too many waited"],
    ["RolledForwardCommits", "Commits completed after a crash or an error"],
    ["Plans", "Reads planned, counting pages"],
    ["PlanAvgTime", "Planning a page, on average, in ms"],
    ["StockPlans", "Plans that left the reader on the default group"],
    ["FallbacksNotReady", "… because MPSR was off or not ready"],
    ["FallbacksPending", "… because a commit waited to be completed"],
    ["FallbacksDiverged", "… because the default representation had been changed"],
    ["FallbacksNoGroup", "… because no group could be read"],
    ["AvoidedDegraded", "Times that planning turned away from lost or changed files"],
    ["AvoidedSlow", "Plans that turned away from slow DataNodes"],
    ["UnionPlans", "Plans that read segments from several groups"],
    ["BytesToRebuild", "About how many bytes are missing in all groups and can be rebuilt"],
    ["FullRedundancySeconds", "Seconds until nothing is left to rebuild, at the pace so far; -1 while nothing was rebuilt yet"],
    ["RefusedWrites", "Writes into datasets refused because MPSR was off or not ready"],
    ["RefusedRenames", "Renames refused because blocks would have lain outside their group"],
    ["RefusedStoreCalls", "Calls refused because they would have changed the store"],
    ["RefusedMoves", "Blocks that a Balancer or Mover took out of their group, undone"],
    ["Errors", "Unexpected errors, see the NameNode's log"]
  ];

  var LABELS = {ok: "label-success", degraded: "label-warning", diverged: "label-danger"};

  function show_error(text) {
    var panel = document.getElementById("alert-panel");
    panel.textContent = printable(text);
    panel.hidden = false;
  }

  function field(scope, name) {
    var value = name === "." ? scope : scope[name];
    return value === undefined || value === null ? "" : value;
  }

  /** The address of the page of pictures for a dataset, asked for by whom this page is. */
  function pictures(path) {
    var asked = new URLSearchParams({dataset: path});
    var user = new URLSearchParams(location.search).get("user.name");
    if (user) {
      asked.set("user.name", user);
    }
    return "mpsr-explore.html?" + asked;
  }

  function content(template) {
    return document.importNode(document.getElementById(template).content, true);
  }

  function repeat(element, items) {
    items.forEach(function (item) {
      var copy = element.cloneNode(true);
      delete copy.dataset.each;
      element.parentNode.insertBefore(copy, element);
      fill(copy, item);
    });
    element.remove();
  }

  function fill(element, scope) {
    var data = element.dataset;
    if (data.each) {
      repeat(element, field(scope, data.each));
      return;
    }
    if (data.if && !field(scope, data.if) || data.unless && field(scope, data.unless)) {
      element.remove();
      return;
    }
    if (data.text) {
      var value = field(scope, data.text);
      element.textContent = printable(data.format ? dust.filters[data.format](value) : value);
    }
    if (data.title) {
      element.title = printable(field(scope, data.title));
    }
    if (data.class && field(scope, data.class)) {
      element.classList.add(field(scope, data.class));
    }
    if (data.width) {
      element.style.width = Number(field(scope, data.width)) + "%";
    }
    if (data.pictures) {
      element.href = pictures(field(scope, data.pictures));
    }
    if (data.include) {
      element.appendChild(content(data.include));
    }
    fill_all(element, scope);
  }

  function fill_all(parent, scope) {
    Array.from(parent.children).forEach(function (child) { fill(child, scope); });
  }

  function bean(response) {
    return (response.beans || [])[0];
  }

  function time(ms) {
    return ms > 0 ? dust.filters.date_tostring(ms) : "not looked at yet";
  }

  function add_bar(of) {
    of.usedPercent = of.capacityBytes > 0 ? Math.round(100 * of.usedBytes / of.capacityBytes) : 0;
    of.barClass = of.usedPercent < 70 ? "progress-bar-success"
        : of.usedPercent < 85 ? "progress-bar-warning" : "progress-bar-danger";
    of.usage = dust.filters.fmt_bytes(of.usedBytes) + " of " + dust.filters.fmt_bytes(of.capacityBytes);
    return of;
  }

  function node(n) {
    n.dead = n.state === "Dead";
    n.name = n.host || n.uuid;
    n.rowClass = n.dead ? "danger" : "";
    return add_bar(n);
  }

  function group(g) {
    var live = g.nodes.map(node).filter(function (n) { return !n.dead; });
    var racks = live.map(function (n) { return n.rack; });
    g.liveNodes = live.length + " of " + g.nodes.length;
    g.rowClass = g.nodes.length > 0 && live.length === 0 ? "danger" : "";
    g.shownName = g.name + (g.defaultGroup ? " (default)" : "");
    g.racks = racks.filter(function (rack, i) { return racks.indexOf(rack) === i; }).join(", ");
    g.predicates = g.predicates.join(", ");
    g.sort = g.sort.join(", ");
    return add_bar(g);
  }

  function dataset(d) {
    d.representations.forEach(function (r) { r.label = LABELS[r.health] || "label-default"; });
    d.commitCount = d.commits.length;
    d.liveCopies = d.liveCopies || [];
    d.lacksCopies = d.liveCopies.slice(1).some(function (c) { return c.records > 0; });
    d.commits.forEach(function (c) { c.sources = c.sources.join(", "); });
    return d;
  }

  var OUTCOMES = {done: "label-success", running: "label-info", failed: "label-danger"};

  function maintainer(m) {
    if (!m.enabled) {
      return "switched off by dfs.mpsr.maintenance.enabled";
    }
    if (m.holder && m.expires > Date.now()) {
      return m.holder + ", since " + dust.filters.date_tostring(m.since);
    }
    return m.since > 0 ? "nobody, since " + dust.filters.date_tostring(m.holder ? m.expires : m.since) : "nobody";
  }

  function run(r) {
    r.label = OUTCOMES[r.outcome] || "label-default";
    r.startedText = dust.filters.date_tostring(r.started);
    r.endedText = r.ended > 0 ? dust.filters.date_tostring(r.ended) : "";
    r.doneText = r.lastDone > 0 ? dust.filters.date_tostring(r.lastDone) : "never";
    return r;
  }

  function to_rebuild(path, r) {
    r.path = path;
    r.stateText = r.runningSince > 0 ? "a rebuild runs since " + dust.filters.date_tostring(r.runningSince)
        : (r.due > Date.now() ? "due at " : "due since ") + dust.filters.date_tostring(r.due);
    r.leftText = r.secondsLeft > 0 ? r.secondsLeft + " s" : "not known yet";
    return r;
  }

  // none if files that are read much get no further copies
  function further_copies(f) {
    if (!f || !f.budgetPercent) {
      return [];
    }
    f.more = (f.waiting ? ", " + f.waiting + " more wait for these" : "") +
        (f.refused ? ", " + f.refused + " more fit into no budget or quota" : "");
    return [f];
  }

  function counters(metrics) {
    return COUNTERS.filter(function (c) { return metrics[c[0]] !== undefined; }).map(function (c) {
      return {name: c[0], text: c[1], value: Math.round(100 * metrics[c[0]]) / 100};
    });
  }

  function view(info, metrics, namenode) {
    var groups = (info.Groups || []).map(group);
    var maintenance = info.Maintenance || {enabled: true, runs: []};
    var unallocated = (info.UnallocatedNodes || []).map(node);
    unallocated.forEach(function (n) { n.group = "none yet"; });
    var toRebuild = (info.Datasets || []).reduce(function (all, d) {
      return all.concat((d.toRebuild || []).map(function (r) { return to_rebuild(d.path, r); }));
    }, []);
    return {
      state: info.State.replace("_", " "),
      passive: namenode.State === "active" ? "" : namenode.State,
      problems: info.Problems || [],
      warnings: info.Warnings || [],
      storeDirectory: info.StoreDirectory,
      healthTime: time(info.LastHealthCheck),
      version: info.Version,
      maintainer: maintainer(maintenance),
      checkedTime: time(maintenance.checked),
      runCount: maintenance.runs.length,
      runs: maintenance.runs.map(run),
      toRebuildCount: toRebuild.length,
      toRebuild: toRebuild,
      rebuildingCount: (info.Rebuilding || []).length,
      rebuilding: info.Rebuilding || [],
      further: further_copies(info.FurtherCopies),
      groups: groups,
      nodes: groups.reduce(function (all, g) { return all.concat(g.nodes); }, []).concat(unallocated),
      datasetCount: (info.Datasets || []).length,
      datasets: (info.Datasets || []).map(dataset),
      counters: counters(metrics)
    };
  }

  function render(data) {
    var info = bean(data.info);
    if (!info) {
      show_error("MPSR does not run in this NameNode; its log says why.");
      return;
    }
    var page = content("mpsr-page");
    fill_all(page, view(info, bean(data.metrics) || {}, bean(data.namenode) || {}));
    document.getElementById("mpsr").replaceChildren(page);
  }

  load_json(BEANS, render, function (url, request, text, error) {
    show_error("Failed to retrieve data from " + url + ", cause: " + (error || text));
  });
})();
