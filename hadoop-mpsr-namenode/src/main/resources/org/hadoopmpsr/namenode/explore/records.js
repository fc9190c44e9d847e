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
import {AT_A_TIME} from './files.js'
import {isPlain} from './printable.js'
import {together} from './together.js'

/** So many files may one picture have. */
export const MOST_FILES = 2_000
/** So many records are held of all signals. */
export const MOST_RECORDS = 20_000_000

/**
 * Which columns a picture shows: "key" names signals, "time" and "value" are its axes, each as stored in files, and "unit" is that
 * of the times in nanoseconds.
 *
 * @typedef {{path: string, key: string, time: string, value: string, unit: bigint}} Shape
 */

/** The filter of a plan for signals in a range of times; without "range" at all times. */
export function filterOf(shape, signals, range) {
  const parts = [{op: 'in', column: shape.key, values: signals}]
  if (range) {
    parts.push({op: '>=', column: shape.time, value: range.begin}, {op: '<', column: shape.time, value: range.end})
  }
  return {op: 'and', parts}
}

function bodyOf(shape, signals, range) {
  return {path: shape.path, filter: filterOf(shape, signals, range), columns: [shape.key, shape.time, shape.value].sort()}
}

/**
 * Reads the records of signals in a range of times: of the cheapest group, the pages that may have some.
 *
 * @param {import('./namenode.js').NameNode} namenode
 * @param {import('./files.js').Files} files
 * @param {Shape} shape
 * @param {string[]} signals
 * @param {{begin: bigint, end: bigint}} range in units
 * @returns {Promise<{records: Map<string, {times: BigInt64Array, values: Float64Array}>, plan: object}>} of each signal those
 *     with a number, by ascending times
 * @throws {Fault} too-much, before the meter's limit is passed
 */
export async function readRecords(namenode, files, shape, signals, range, meter, signal) {
  const {plan, scans} = await scansOf(namenode, files, shape, signals, range, meter, signal)
  const bytes = scans.reduce((sum, each) => sum + each.scan.bytes, 0)
  if (meter.bytes + bytes > meter.limit) throw meter.tooMuch(meter.bytes + bytes)
  let count = 0
  const read = await together(scans, AT_A_TIME, async each => {
    const found = new Map(signals.map(name => [name, []]))
    for (const rows of each.scan.ranges) {
      count += await take(each, rows, shape, range, found)
      if (count > MOST_RECORDS) {
        throw new Fault('the picture is not drawn', `it has more than ${MOST_RECORDS} records`, 'Zoom in, or choose fewer signals.', {kind: 'many'})
      }
      signal?.throwIfAborted()
    }
    return found
  })
  return {records: new Map(signals.map(name => [name, ordered(read.flatMap(found => found.get(name)))])), plan}
}

/**
 * The files that may have records of signals in a range of times, and their rows that may.
 *
 * @returns {Promise<{plan: object, scans: object[]}>}
 */
export async function scansOf(namenode, files, shape, signals, range, meter, signal) {
  const plan = await namenode.plan(bodyOf(shape, signals, range), MOST_FILES, signal)
  if (plan.more) {
    throw new Fault('the picture is not drawn', `it needs more than ${MOST_FILES} files`, 'Zoom in, or choose fewer signals.', {kind: 'many'})
  }
  const scans = (await files.each(plan, shape.unit, meter, signal, file => scanOf(file, shape, signals, range, meter, signal))).filter(Boolean)
  return {plan, scans}
}

async function scanOf(file, shape, signals, range, meter, signal) {
  const directory = file.directory(shape.key)
  const [key, time, value] = [shape.key, shape.time, shape.value].map(name => file.column(name))
  if (time === undefined || value === undefined) return undefined // null in all records of the file
  if (directory === undefined ? key === undefined : !signals.includes(directory)) return undefined
  const condition = {[time]: {$gte: range.begin, $lt: range.end}}
  if (key !== undefined) condition[key] = {$in: signals}
  const columns = [...new Set([key, time, value].filter(each => each !== undefined))]
  return {file, key, time, value, directory, scan: await file.scan(condition, columns, meter, signal)}
}

async function take({file, key, time, value, directory, scan}, rows, shape, range, found) {
  const of = column => scan.readColumn({column, ...rows})
  const only = directory ?? file.only(key, rows.rowStart)
  if (only !== undefined && !found.has(only)) return 0
  const [names, times, values] = await Promise.all([only === undefined ? of(key) : undefined, of(time), of(value)])
  const runs = new Map([...found.keys()].map(name => [name, new Run()]))
  const single = only === undefined ? undefined : runs.get(only)
  for (let i = 0; i < times.length; i++) {
    const run = single ?? runs.get(names[i])
    if (run === undefined || values[i] === null || values[i] === undefined || times[i] === null || times[i] === undefined) continue
    if (typeof times[i] !== 'bigint') throw wrong(file, shape.time)
    if (times[i] < range.begin || times[i] >= range.end) continue
    const number = typeof values[i] === 'bigint' ? Number(values[i]) : values[i]
    if (typeof number !== 'number') throw wrong(file, shape.value)
    if (!Number.isNaN(number)) run.add(times[i], number)
  }
  let count = 0
  for (const [name, run] of runs) {
    if (run.length) found.get(name).push(run.end())
    count += run.length
  }
  return count
}

/** Records that come one by one. */
class Run {
  constructor() {
    this.length = 0
    this.times = new BigInt64Array(0)
    this.values = new Float64Array(0)
  }

  add(time, value) {
    if (this.length === this.times.length) {
      const [times, values] = [this.times, this.values]
      this.times = new BigInt64Array(Math.max(1_024, 2 * this.length))
      this.values = new Float64Array(this.times.length)
      this.times.set(times)
      this.values.set(values)
    }
    this.times[this.length] = time
    this.values[this.length++] = value
  }

  end() {
    return {times: this.times.slice(0, this.length), values: this.values.slice(0, this.length)}
  }
}

function wrong(file, column) {
  return new Fault(`cannot read ${file.file.path}`, `its column '${column}' is of another type than the dataset's`, 'Spark reads it.', {kind: 'refused'})
}

/** Runs of records as one, by ascending times; of equal times in the order in which they were read. */
export function ordered(runs) {
  const length = runs.reduce((sum, run) => sum + run.times.length, 0)
  const times = new BigInt64Array(length)
  const values = new Float64Array(length)
  let at = 0
  for (const run of runs.toSorted((a, b) => (a.times[0] < b.times[0] ? -1 : a.times[0] > b.times[0] ? 1 : 0))) {
    times.set(run.times, at)
    values.set(run.values, at)
    at += run.times.length
  }
  if (times.every((time, i) => i === 0 || times[i - 1] <= time)) return {times, values}
  const order = Uint32Array.from(times, (_, i) => i).sort((a, b) => (times[a] < times[b] ? -1 : times[a] > times[b] ? 1 : a - b))
  return {times: BigInt64Array.from(order, i => times[i]), values: Float64Array.from(order, i => values[i])}
}

/**
 * The range of times that signals have, as footers tell; undefined if there are no records.
 *
 * @returns {Promise<{begin: bigint, end: bigint} | undefined>}
 * @throws {Fault} if they do not tell
 */
export async function rangeOf(namenode, files, shape, signals, meter, signal) {
  const plan = await namenode.plan(bodyOf(shape, signals), MOST_FILES, signal)
  if (plan.more) throw noRange(`there are more than ${MOST_FILES} files`)
  const bounds = await files.each(plan, shape.unit, meter, signal, async file => {
    const [key, time] = [file.column(shape.key), file.column(shape.time)]
    if (time === undefined) return []
    const keys = key === undefined ? [] : file.bounds(key)
    const within = ([low, high]) => signals.some(each => !isPlain(each) || (each >= low && each <= high))
    const mine = (_, at) => !keys[at] || within(keys[at])
    const found = file.bounds(time).filter(mine)
    if (found.some(each => typeof each?.[0] !== 'bigint')) throw noRange(`${file.file.path} does not tell its times`)
    return found
  })
  const all = bounds.flat()
  if (!all.length) return undefined
  const least = all.reduce((a, [low]) => (low < a ? low : a), all[0][0])
  const most = all.reduce((a, [, high]) => (high > a ? high : a), all[0][1])
  return {begin: least, end: most + 1n}
}

function noRange(why) {
  return new Fault('nobody can tell from when to when there are records', why, 'Write from when to when the picture is.', {kind: 'no-range'})
}
