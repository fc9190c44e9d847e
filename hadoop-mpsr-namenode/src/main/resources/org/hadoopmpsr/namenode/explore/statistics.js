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

/** What stands beside a chart: figures about all records of the range, not only about those that are drawn. */

/**
 * @param {Float64Array} values without NaN
 * @param {number} from the first position
 * @param {number} to the position behind the last one
 * @returns {{count: number, min: number, max: number, mean: number, deviation: number}} the deviation is that of a sample;
 *     what is not defined for so few values is NaN
 */
export function statistics(values, from, to) {
  let min = Infinity
  let max = -Infinity
  let mean = 0
  let squares = 0
  for (let i = from; i < to; i++) { // Welford's method: no sum of squares, which would lose digits
    const value = values[i]
    if (value < min) min = value
    if (value > max) max = value
    const off = value - mean
    mean += off / (i - from + 1)
    squares += off * (value - mean)
  }
  const count = to - from
  if (count === 0) return {count, min: NaN, max: NaN, mean: NaN, deviation: NaN}
  return {count, min, max, mean, deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : NaN}
}
