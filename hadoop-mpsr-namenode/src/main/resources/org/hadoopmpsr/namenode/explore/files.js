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
import {ParquetFile} from './parquet.js'
import {RemoteFile} from './ranges.js'
import {together} from './together.js'

/** Files that are read at a time. A browser has six connections to a host at a time. */
export const AT_A_TIME = 8
const KEPT = 500

/** The files of a dataset whose footers are here: the last ones that were needed. */
export class Files {
  constructor(namenode) {
    this.namenode = namenode
    this.open = new Map()
  }

  /** Forgets all footers. */
  clear() {
    this.open.clear()
  }

  /**
   * Does something with each file of a plan, several at a time.
   *
   * @param {object} plan of the NameNode
   * @param {bigint} unit of times in nanoseconds
   * @param {(file: ParquetFile) => Promise<T>} work
   * @returns {Promise<T[]>}
   * @template T
   */
  each(plan, unit, meter, signal, work) {
    const planned = [...plan.files, ...plan.untracked.map(each => ({...each, length: undefined}))]
    return together(planned, AT_A_TIME, async each => work(await this.#file(each, unit, meter, signal)))
  }

  async #file(planned, unit, meter, signal) {
    if (planned.partition === null) {
      throw new Fault(`cannot read ${planned.path}`, 'its directories do not name the values of the dataset\'s partitions',
        'Spark reads it, or have it adopted.', {kind: 'refused'})
    }
    const key = [planned.path, planned.length, planned.modificationTime, unit].join('\n')
    const known = this.open.get(key)
    if (known) {
      this.open.delete(key) // to be the newest
      this.open.set(key, known)
      return known
    }
    const length = planned.length ?? (await this.namenode.length(planned.path, signal))
    if (length === undefined) throw new Fault(`cannot read ${planned.path}`, 'it is not there any more', 'Try again.', {kind: 'gone'})
    const file = await ParquetFile.open(new RemoteFile(this.namenode, planned.path, length), planned.partition, unit, meter, signal)
    if (planned.length !== undefined) this.open.set(key, file) // a file of an ordinary writer may be another one next time
    if (this.open.size > KEPT) this.open.delete(this.open.keys().next().value)
    return file
  }
}
