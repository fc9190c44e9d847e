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

/** What a user is told when something does not work: the problem, its cause, and what to do. */
export class Fault extends Error {
  /**
   * @param {string} problem
   * @param {string} cause
   * @param {string} fix
   * @param {object} [more] kind, a word for code; other fields for those that handle it
   */
  constructor(problem, cause, fix, more = {}) {
    super(`${problem}: ${cause}${/[.!?]$/.test(cause) ? '' : '.'} ${fix}`)
    this.name = 'Fault'
    this.more = more
  }

  get kind() {
    return this.more.kind
  }
}

/** Anything that was thrown, as an object that a worker can send. */
export function sendable(thrown) {
  const known = thrown instanceof Fault
  return {text: known ? thrown.message : `${thrown?.message ?? thrown}`, more: known ? thrown.more : {kind: 'unknown'}}
}

/** Whether somebody has given the work up. */
export function isAbort(thrown) {
  return thrown?.name === 'AbortError'
}
