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

/** The worker, as functions that answer later. What a newer question of the same kind gives up stays without an answer. */
export class Remote {
  constructor(url) {
    this.waiting = new Map()
    this.last = 0
    this.worker = new Worker(url, {type: 'module'})
    this.worker.addEventListener('message', ({data}) => this.#take(data))
    this.worker.addEventListener('error', event => {
      for (const {reject} of this.waiting.values()) reject({text: event.message || 'the page\'s worker does not run', more: {kind: 'unknown'}})
      this.waiting.clear()
    })
  }

  /** @returns {Promise<any>} rejected with an object with the text of the fault, and "more" about it */
  ask(kind, asked = {}) {
    return new Promise((resolve, reject) => {
      this.waiting.set(++this.last, {resolve, reject})
      this.worker.postMessage({id: this.last, kind, asked})
    })
  }

  #take({id, answer, fault, aborted}) {
    const {resolve, reject} = this.waiting.get(id)
    this.waiting.delete(id)
    if (fault) reject(fault)
    else if (!aborted) resolve(answer)
  }
}
