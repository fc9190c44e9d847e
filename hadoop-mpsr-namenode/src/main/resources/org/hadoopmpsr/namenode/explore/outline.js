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

import {Fault} from './faults.js'

/**
 * Where the records of a signal lie, as the indexes of pages tell: boxes of times and values, and no record outside of them. It takes
 * a small part of the bytes of the records themselves.
 *
 * @typedef {{from: bigint, to: bigint, low: number, high: number}} Box of the times from "from" to "to" inclusive
 */

/**
 * The boxes of signals in files that were scanned.
 *
 * @param {object[]} scans of scansOf
 * @param {string[]} signals
 * @returns {Promise<Map<string, Box[]>>}
 * @throws {Fault} no-outline, if the indexes do not tell
 */
export async function outlineOf(scans, shape, signals, range, meter, signal) {
  const found = new Map(signals.map(name => [name, []]))
  for (const each of scans) {
    for (const rows of each.scan.ranges) {
      const [keys, times, values] = await Promise.all([each.key, each.time, each.value].map(column =>
        column === undefined ? undefined : each.file.pages(column, rows, meter, signal)))
      for (const page of values) {
        if (page.low === undefined) continue // nulls alone
        const name = keys === undefined ? each.directory : only(keys, page)
        if (name === undefined) throw noOutline(each.file, 'pages that have records of several signals')
        if (!found.has(name)) continue
        const over = times.filter(time => time.rowStart < page.rowEnd && time.rowEnd > page.rowStart && time.low !== undefined)
        if (!over.length) continue
        const from = over.reduce((least, time) => (time.low < least ? time.low : least), over[0].low)
        const to = over.reduce((most, time) => (time.high > most ? time.high : most), over[0].high)
        if (to >= range.begin && from < range.end) found.get(name).push({from, to, low: Number(page.low), high: Number(page.high)})
      }
    }
  }
  return found
}

/** The one name that all rows of a page have; undefined if there are several. */
function only(keys, page) {
  const over = keys.filter(key => key.rowStart < page.rowEnd && key.rowEnd > page.rowStart)
  const name = over[0]?.low
  return over.every(key => key.low === name && key.high === name) ? name : undefined
}

/** Says that indexes do not tell where records lie. */
export function noOutline(file, why) {
  return new Fault('there is no outline', `${file.file.path} has ${why}`, 'Zoom in.', {kind: 'no-outline'})
}
