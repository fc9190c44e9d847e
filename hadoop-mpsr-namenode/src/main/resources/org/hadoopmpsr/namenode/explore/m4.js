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

/**
 * As few points as a line chart can show (M4: Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation",
 * VLDB 2014), by the rules of hadoop_mpsr.m4 in Python, with which a test compares it.
 */

/**
 * The first position in [from, to) whose time is not before the limit; "to" if there is none. The times ascend.
 *
 * @param {BigInt64Array} times
 * @param {bigint} limit
 */
export function firstFrom(times, limit, from = 0, to = times.length) {
  while (from < to) {
    const middle = (from + to) >>> 1
    if (times[middle] < limit) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * How many whole units of time each column of pixels stands for.
 *
 * @param {bigint} begin
 * @param {bigint} end after begin
 * @param {number} width in pixels, at least 1
 */
export function columnUnits(begin, end, width) {
  return (end - begin + BigInt(width) - 1n) / BigInt(width)
}

/**
 * The positions of the points that a line chart of so many columns of pixels shows, ascending: of each column the first,
 * the last, the lowest and the highest. Lines between them cover the pixels that lines between all points cover.
 *
 * @param {BigInt64Array} times ascending
 * @param {Float64Array} values as many, none of them NaN
 * @param {bigint} begin the first time of the chart
 * @param {bigint} end the first time behind it
 * @param {number} width
 * @returns {number[]}
 */
export function shown(times, values, begin, end, width) {
  const until = firstFrom(times, end)
  const units = columnUnits(begin, end, width)
  const found = []
  for (let start = firstFrom(times, begin); start < until;) {
    const column = (times[start] - begin) / units
    const behind = firstFrom(times, begin + (column + 1n) * units, start, until)
    let low = start
    let high = start
    for (let i = start + 1; i < behind; i++) {
      if (values[i] < values[low]) low = i
      if (values[i] >= values[high]) high = i
    }
    const four = [start, Math.min(low, high), Math.max(low, high), behind - 1]
    found.push(...four.filter((each, i) => i === 0 || each !== four[i - 1]))
    start = behind
  }
  return found
}
