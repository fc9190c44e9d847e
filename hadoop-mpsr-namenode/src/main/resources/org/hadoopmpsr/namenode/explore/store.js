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
import {firstFrom, shown} from './m4.js'
import {MOST_RECORDS, readRecords} from './records.js'
import {statistics} from './statistics.js'

/**
 * The records that were read of a shape's signals: of each signal those of one range of times. A picture within is drawn without
 * reading; of one that goes beyond, only what is missing is read.
 */
export class Store {
  constructor(namenode, files) {
    this.namenode = namenode
    this.files = files
    this.clear()
  }

  /** Forgets all records. */
  clear() {
    this.of = undefined
    this.held = new Map()
  }

  /**
   * Has the records of signals in a range of times here.
   *
   * @returns {Promise<object[]>} the plans that were read
   */
  async require(shape, signals, range, meter, signal) {
    const of = JSON.stringify([shape.path, shape.key, shape.time, shape.value])
    if (this.of !== of) {
      this.clear()
      this.of = of
    }
    const plans = []
    for (const [gap, names] of this.#gaps(signals, range)) {
      const {records, plan} = await readRecords(this.namenode, this.files, shape, names, gap, meter, signal)
      signal.throwIfAborted() // a newer picture may have changed what is held
      for (const name of names) this.#hold(name, gap, records.get(name))
      plans.push(plan)
    }
    this.#shrink(signals, range)
    return plans
  }

  /** The ranges that are missing, each with the signals that lack it. A range apart from what is held replaces it. */
  #gaps(signals, {begin, end}) {
    const gaps = new Map()
    const lacks = (name, from, to) => {
      const key = `${from} ${to}`
      if (!gaps.has(key)) gaps.set(key, [{begin: from, end: to}, []])
      gaps.get(key)[1].push(name)
    }
    for (const name of signals) {
      const held = this.held.get(name)
      if (!held || held.end < begin || held.begin > end) {
        lacks(name, begin, end)
        continue
      }
      if (begin < held.begin) lacks(name, begin, held.begin)
      if (end > held.end) lacks(name, held.end, end)
    }
    return gaps.values()
  }

  #hold(name, gap, records) {
    const held = this.held.get(name)
    if (held && gap.end === held.begin) this.held.set(name, {begin: gap.begin, end: held.end, ...joined(records, held)})
    else if (held && gap.begin === held.end) this.held.set(name, {begin: held.begin, end: gap.end, ...joined(held, records)})
    else this.held.set(name, {...gap, ...records})
  }

  /** Lets go of what no chosen signal has, and of what is not in sight where all is too much. */
  #shrink(signals, range) {
    for (const name of this.held.keys()) if (!signals.includes(name)) this.held.delete(name)
    const count = [...this.held.values()].reduce((sum, each) => sum + each.times.length, 0)
    if (count <= MOST_RECORDS) return
    for (const [name, each] of this.held) {
      const from = firstFrom(each.times, range.begin)
      const to = firstFrom(each.times, range.end)
      this.held.set(name, {...range, times: each.times.slice(from, to), values: each.values.slice(from, to)})
    }
  }

  #within(name, begin, end) {
    const held = this.held.get(name)
    if (!held || begin < held.begin || end > held.end) {
      throw new Fault(`the records of ${name} are not here`, 'another picture is being drawn', 'Wait for it.', {kind: 'not-here'})
    }
    return {...held, from: firstFrom(held.times, begin), to: firstFrom(held.times, end)}
  }

  /** What a chart of so many pixels shows of a signal, and figures about all of its records in the range. */
  picture(name, {begin, end}, width) {
    const {times, values, from, to} = this.#within(name, begin, end)
    const points = shown(times, values, begin, end, width)
    return {
      name,
      times: BigInt64Array.from(points, i => times[i]),
      values: Float64Array.from(points, i => values[i]),
      statistics: {...statistics(values, from, to), first: values[from] ?? NaN, last: values[to - 1] ?? NaN}
    }
  }

  /** All records of a signal in a range, by ascending times. */
  records(name, {begin, end}) {
    const {times, values, from, to} = this.#within(name, begin, end)
    return {times: times.subarray(from, to), values: values.subarray(from, to)}
  }
}

function joined(first, second) {
  const times = new BigInt64Array(first.times.length + second.times.length)
  const values = new Float64Array(times.length)
  times.set(first.times)
  times.set(second.times, first.times.length)
  values.set(first.values)
  values.set(second.values, first.values.length)
  return {times, values}
}
