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

import {csvOf} from './csv.js'
import {GONE} from './ranges.js'
import {Fault, isAbort, sendable} from './faults.js'
import {Files} from './files.js'
import {Meter} from './meter.js'
import {NameNode} from './namenode.js'
import {Names} from './names.js'
import {outlineOf} from './outline.js'
import {rangeOf, scansOf} from './records.js'
import {Store} from './store.js'

/**
 * Reads and computes beside the page, which stays responsive. A message asks for one thing and gets one answer with its number; a
 * newer message of the same kind gives the older one up.
 */

let namenode
let files
let names
let store
const running = new Map()

const work = {
  start({identity}) {
    namenode = new NameNode(identity)
    files = new Files(namenode)
    names = new Names(namenode, files)
    store = new Store(namenode, files)
  },

  async datasets(_, signal) {
    const found = []
    let after
    do {
      const page = await namenode.datasets(after, signal)
      found.push(...page.datasets.map(each => each.path))
      after = page.next ?? undefined
    } while (after !== undefined && found.length < 10_000)
    return found
  },

  dataset({path}, signal) {
    return namenode.dataset(path, signal)
  },

  names({shape, text}, signal) {
    return names.search(shape, text, signal)
  },

  /** Without a range, of all records; "range" is undefined in the answer if there are none. */
  async picture({shape, signals, range: wanted, width, limit}, signal) {
    const started = performance.now()
    const meter = new Meter(limit)
    const range = wanted ?? (await again(() => rangeOf(namenode, files, shape, signals, meter, signal)))
    if (!range) return {series: []}
    let plans
    try {
      plans = await again(() => store.require(shape, signals, range, meter, signal))
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault
      fault.more.range = range // to zoom into
      if (fault.kind === 'too-much') fault.more.outline = await outline(shape, signals, range, limit, signal)
      throw fault
    }
    const series = signals.map(name => store.picture(name, range, width))
    return {range, series, took: tookOf(meter, started, plans)}
  },

  csv({shape, signals, range, titles}) {
    const series = signals.map(name => ({name, ...store.records(name, range)}))
    return new Blob([...csvOf(series, shape.unit, titles)], {type: 'text/csv;charset=utf-8'})
  },

  forget() {
    files.clear()
    store.clear()
    names.of = undefined
  }
}

/** What a picture took, of which plans. */
function tookOf(meter, started, plans) {
  return {
    bytes: meter.bytes,
    requests: meter.requests,
    ms: performance.now() - started,
    plans: plans
      .map(({group, reason, candidates, files: planned, untracked}) => ({group, reason, candidates, files: planned.length + untracked.length}))
      .filter(plan => plan.files > 0)
  }
}

/** Where records lie that are too many to be read; undefined where nothing tells. */
async function outline(shape, signals, range, limit, signal) {
  const started = performance.now()
  const meter = new Meter(limit)
  try {
    const {plan, scans} = await scansOf(namenode, files, shape, signals, range, meter, signal)
    return {boxes: await outlineOf(scans, shape, signals, range, meter, signal), took: tookOf(meter, started, [plan])}
  } catch (fault) {
    if (fault instanceof Fault && ['no-outline', 'too-much'].includes(fault.kind)) return undefined
    throw fault
  }
}

/** Files that are gone are planned again, once. */
async function again(read) {
  try {
    return await read()
  } catch (fault) {
    if (!(fault instanceof Fault) || fault.kind !== GONE) throw fault
    files.clear()
    return read()
  }
}

self.addEventListener('message', async ({data: {id, kind, asked}}) => {
  running.get(kind)?.abort()
  const control = new AbortController()
  running.set(kind, control)
  try {
    const answer = await work[kind](asked, control.signal)
    self.postMessage(control.signal.aborted ? {id, aborted: true} : {id, answer})
  } catch (error) {
    self.postMessage(isAbort(error) || control.signal.aborted ? {id, aborted: true} : {id, fault: sendable(error)})
  }
})
