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

/** Counts the bytes that one answer takes, and stops where they become too many. */
export class Meter {
  /** @param {number} limit of bytes; Infinity for none */
  constructor(limit) {
    this.limit = limit
    this.bytes = 0
    this.requests = 0
  }

  /** Notes a read that is about to be made. @throws {Fault} too-much */
  add(bytes) {
    if (this.bytes + bytes > this.limit) throw this.tooMuch(this.bytes + bytes)
    this.bytes += bytes
    this.requests++
  }

  /** Says that so many bytes are to be read. */
  tooMuch(bytes) {
    return new Fault('the picture is not drawn', `it needs about ${shortBytes(bytes)}, and the limit is ${shortBytes(this.limit)}`,
      'Zoom in, choose fewer signals, or read it anyway.', {kind: 'too-much', bytes})
  }
}

/** A number of bytes for people. */
export function shortBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let at = 0
  while (bytes >= 1_000 && at < units.length - 1) {
    bytes /= 1_000
    at++
  }
  return `${at === 0 ? bytes : Number(bytes.toPrecision(3))} ${units[at]}`
}
