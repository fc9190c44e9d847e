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
 * Does something with each item, several at a time, and returns the results in the order of the items. The first failure ends it.
 *
 * @template T, R
 * @param {T[]} items
 * @param {number} most at a time
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R[]>}
 */
export async function together(items, most, work) {
  const results = new Array(items.length)
  let next = 0
  let failed = false
  const run = async () => {
    while (next < items.length && !failed) {
      const at = next++
      try {
        results[at] = await work(items[at])
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({length: Math.min(most, items.length)}, run))
  return results
}
