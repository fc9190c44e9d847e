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

import {formatTime} from './times.js'

const ROWS = 10_000

/** Records as CSV (RFC 4180): parts of the text, a header first. A text is quoted where it needs to be. */
export function* csvOf(series, unit, names) {
  yield `${[names.key, names.time, names.value].map(quoted).join(',')}\r\n`
  for (const {name, times, values} of series) {
    const first = quoted(name)
    for (let start = 0; start < times.length; start += ROWS) {
      let part = ''
      for (let i = start; i < Math.min(start + ROWS, times.length); i++) {
        part += `${first},${formatTime(times[i], unit)},${values[i]}\r\n`
      }
      yield part
    }
  }
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
