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

import {Fault, isAbort} from './faults.js'

/** The files of HDFS that somebody who asked for them read before are gone: plan again. */
export const GONE = 'gone'

/** A file of HDFS, of which ranges are read by WebHDFS from the DataNodes that have them. Bytes that are here are not read again. */
export class RemoteFile {
  /**
   * @param {import('./namenode.js').NameNode} namenode
   * @param {string} path
   * @param {number} byteLength of the file
   */
  constructor(namenode, path, byteLength) {
    this.namenode = namenode
    this.path = path
    this.byteLength = byteLength
    this.here = []
  }

  /**
   * The file as one reader sees it: a reader of Parquet asks for slices.
   *
   * @param {import('./meter.js').Meter} meter counts what is read
   * @param {AbortSignal} signal
   */
  reader(meter, signal) {
    return {
      byteLength: this.byteLength,
      slice: (start, end = this.byteLength) => this.#slice(start, end, meter, signal)
    }
  }

  async #slice(start, end, meter, signal) {
    const found = this.here.find(each => each.start <= start && end <= each.end)
    if (found) return found.bytes.slice(start - found.start, end - found.start)
    meter.add(end - start)
    return this.#read(start, end, signal)
  }

  /** Keeps the last bytes of the file, so that what is said about its columns need not be read in pieces. */
  async keepEnd(size, meter, signal) {
    const start = Math.max(0, this.byteLength - size)
    if (this.here.some(each => each.start <= start)) return
    meter.add(this.byteLength - start)
    this.here = [{start, end: this.byteLength, bytes: await this.#read(start, this.byteLength, signal)}]
  }

  async #read(start, end, signal) {
    let bytes
    try {
      const response = await fetch(this.namenode.range(this.path, start, end - start), {signal})
      if (!response.ok) throw await this.#failure(`status ${response.status}`, signal)
      bytes = await response.arrayBuffer()
    } catch (error) {
      if (isAbort(error) || error instanceof Fault) throw error
      throw await this.#failure(`${error.message}`, signal)
    }
    if (bytes.byteLength !== end - start) throw await this.#failure(`${bytes.byteLength} bytes came`, signal)
    return bytes
  }

  /** A browser does not tell what a DataNode said in an error: the NameNode knows whether the file is still there. */
  async #failure(cause, signal) {
    const problem = `cannot read ${this.path}`
    const length = await this.namenode.length(this.path, signal)
    if (length !== this.byteLength) return new Fault(problem, 'it is not there any more', 'Try again.', {kind: GONE})
    return new Fault(problem, `the DataNode that has it does not answer this browser (${cause})`,
      'The browser must reach the DataNodes\' web servers by the names that HDFS has for them.', {kind: 'unreachable'})
  }
}
