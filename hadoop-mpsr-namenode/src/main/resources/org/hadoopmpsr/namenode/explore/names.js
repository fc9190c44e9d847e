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

import {Meter} from './meter.js'

/** So many files and bytes one search for names takes; then it says that there may be more. */
const MOST_FILES = 200
const MOST_BYTES = 8_000_000

/** So many names are shown. */
export const MOST_NAMES = 200

/**
 * The names of signals, as far as they are known: of the dictionaries of the files of the cheapest group. Where a dataset has
 * few, one search knows all of them, and the next ones are answered from here.
 */
export class Names {
  constructor(namenode, files) {
    this.namenode = namenode
    this.files = files
    this.of = undefined
  }

  /**
   * Names in which the text is found, whatever their case, those that begin with it first.
   *
   * @param {import('./records.js').Shape} shape
   * @param {string} text
   * @returns {Promise<{names: string[], complete: boolean}>} complete if there are no others with this beginning
   */
  async search(shape, text, signal) {
    const of = JSON.stringify([shape.path, shape.key])
    if (this.of !== of) Object.assign(this, {of, known: new Set(), whole: undefined, begun: new Set()})
    this.whole ??= this.#all(shape) // somebody who types on does not give it up
    const {begun} = this
    const whole = await this.whole
    signal.throwIfAborted()
    if (!whole && text && !begun.has(text) && (await this.#read(shape, text, signal))) begun.add(text)
    signal.throwIfAborted()
    const {first, others} = this.#matching(text)
    const names = [...first, ...others]
    return {
      names: names.slice(0, MOST_NAMES),
      complete: names.length <= MOST_NAMES && (whole || begun.has(text))
    }
  }

  #matching(text) {
    const lower = text.toLowerCase()
    const first = []
    const others = []
    for (const name of this.known) {
      if (name.startsWith(text)) first.push(name)
      else if (name.toLowerCase().includes(lower)) others.push(name)
    }
    return {first: first.sort(), others: others.sort()}
  }

  async #all(shape) {
    const {of} = this
    try {
      return await this.#read(shape, '')
    } catch (fault) {
      if (this.of === of) this.whole = undefined // the next search tries again
      throw fault
    }
  }

  /** Reads the names that begin with a text; returns whether these are all. */
  async #read(shape, prefix, signal) {
    const meter = new Meter(MOST_BYTES)
    const {known} = this
    const asked = {path: shape.path, columns: [shape.key]}
    if (prefix) asked.filter = {op: 'starts-with', column: shape.key, value: prefix}
    const plan = await this.namenode.plan(asked, MOST_FILES, signal)
    try {
      await this.files.each(plan, shape.unit, meter, signal, async file => {
        const directory = file.directory(shape.key)
        const column = file.column(shape.key)
        if (typeof directory === 'string') known.add(directory)
        else if (column !== undefined) await file.texts(column, prefix, name => known.add(name), meter, signal)
      })
    } catch (fault) {
      if (fault.kind !== 'too-much') throw fault
      return false
    }
    return !plan.more
  }
}
