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

import {decompress as zstd} from './third-party/fzstd/index.mjs'
import {gunzip} from './third-party/hyparquet-compressors/gzip.js'
import {decompressLz4, decompressLz4Raw} from './third-party/hyparquet-compressors/lz4.js'
import {parquetHeader, readPage} from './third-party/hyparquet/column.js'
import {convert, DEFAULT_PARSERS} from './third-party/hyparquet/convert.js'
import {readColumnIndex, readOffsetIndex} from './third-party/hyparquet/indexes.js'
import {parquetMetadataAsync, parquetSchema} from './third-party/hyparquet/metadata.js'
import {parquetScan} from './third-party/hyparquet/scan.js'
import {Fault} from './faults.js'
import {noOutline} from './outline.js'
import {isPlain} from './printable.js'
import {floorDivide} from './times.js'

/** Footers are mostly shorter, and the indexes of pages lie before them. */
const END = 1 << 16

/** The codecs that Parquet has and a group may have; hyparquet itself has snappy. */
const COMPRESSORS = {
  ZSTD: (input, length) => zstd(input, new Uint8Array(length)),
  GZIP: (input, length) => gunzip(input, new Uint8Array(length)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw
}

/** Has times read as whole numbers of a unit, which is told in nanoseconds. */
function parsers(unit) {
  return {
    timestampFromMilliseconds: ms => (ms === undefined ? ms : floorDivide(ms * 1_000_000n, unit)),
    timestampFromMicroseconds: micros => (micros === undefined ? micros : floorDivide(micros * 1_000n, unit)),
    timestampFromNanoseconds: nanos => (nanos === undefined ? nanos : floorDivide(nanos, unit)),
    dateFromDays: days => (days === undefined ? days : floorDivide(BigInt(days) * 86_400_000_000_000n, unit))
  }
}

/** A Parquet file of a plan, whose footer is here. Columns are named as the dataset stores them, whatever case the file has. */
export class ParquetFile {
  /**
   * Reads the footer.
   *
   * @param {import('./ranges.js').RemoteFile} file
   * @param {Record<string, string | null>} partition what its directories say, by the names of columns
   * @param {bigint} unit of times in nanoseconds
   */
  static async open(file, partition, unit, meter, signal) {
    await file.keepEnd(END, meter, signal)
    const reader = file.reader(meter, signal)
    const metadata = await parquetMetadataAsync(reader, {initialFetchSize: END, parsers: parsers(unit), geoparquet: false})
    return new ParquetFile(file, partition, unit, metadata)
  }

  constructor(file, partition, unit, metadata) {
    this.file = file
    this.metadata = metadata
    this.unit = unit
    this.partition = new Map(Object.entries(partition).map(([name, text]) => [name.toLowerCase(), text]))
    this.columns = new Map()
    for (const {element} of parquetSchema(metadata).children) {
      const name = element.name.toLowerCase()
      if (this.columns.has(name)) {
        throw new Fault(`cannot read ${file.path}`, `it has the column '${element.name}' more than once`,
          'Nobody can tell which is meant: take the file away.', {kind: 'refused'})
      }
      this.columns.set(name, element.name)
    }
  }

  /** What a directory says of a column, as a text or null; undefined if none does. */
  directory(name) {
    return this.partition.get(name.toLowerCase())
  }

  /** The name that a column has in the file; undefined if it has none of it. */
  column(name) {
    return this.directory(name) === undefined ? this.columns.get(name.toLowerCase()) : undefined
  }

  #chunks(column) {
    return this.metadata.row_groups.map(group => group.columns.find(chunk => {
      const path = chunk.meta_data.path_in_schema
      return path.length === 1 && path[0] === column
    }))
  }

  /**
   * The rows that may pass a condition, with which only row groups and pages are left out.
   *
   * @param {Record<string, object>} condition in hyparquet's words, of columns of the file
   * @param {string[]} columns of the file, that are to be read
   */
  async scan(condition, columns, meter, signal) {
    const filter = Object.fromEntries(Object.entries(condition).filter(([name]) => !name.includes('.')))
    const scan = await parquetScan({
      file: this.file.reader(meter, signal),
      metadata: this.metadata,
      columns,
      pruningFilter: Object.keys(filter).length ? filter : undefined,
      usePageIndex: true,
      parsers: parsers(this.unit),
      compressors: COMPRESSORS
    })
    return {...scan, bytes: this.#bytes(scan.ranges, columns)}
  }

  /** About how many bytes ranges of rows take: as many of their chunks as they have rows of them. */
  #bytes(ranges, columns) {
    const chunks = columns.map(column => this.#chunks(column))
    let bytes = 0
    let start = 0
    this.metadata.row_groups.forEach((group, at) => {
      const rows = Number(group.num_rows)
      const size = chunks.reduce((sum, each) => sum + Number(each[at].meta_data.total_compressed_size), 0)
      for (const range of ranges) {
        const shared = Math.min(range.rowEnd, start + rows) - Math.max(range.rowStart, start)
        if (shared > 0) bytes += (size * shared) / rows
      }
      start += rows
    })
    return bytes
  }

  /** The least and the greatest value of a column in each row group; undefined where the footer does not say. */
  bounds(column) {
    return this.#chunks(column).map(chunk => {
      const said = chunk.meta_data.statistics
      return said && said.min_value !== undefined && said.max_value !== undefined ? [said.min_value, said.max_value] : undefined
    })
  }

  /** The value that all values of a column have in a row group; undefined if there may be several. */
  #single(column, at) {
    const bounds = this.bounds(column)[at]
    const said = this.#chunks(column)[at].meta_data.statistics
    const exact = said?.is_min_value_exact !== false && said?.is_max_value_exact !== false
    return exact && bounds && bounds[0] === bounds[1] ? bounds[0] : undefined
  }

  /** The value that a column has in all rows of the row group with this row; undefined if it may have several, or null. */
  only(column, row) {
    let start = 0
    const at = this.metadata.row_groups.findIndex(group => row < (start += Number(group.num_rows)))
    const nulls = this.#chunks(column)[at].meta_data.statistics?.null_count
    return nulls !== undefined && Number(nulls) === 0 ? this.#single(column, at) : undefined
  }

  /**
   * The least and the greatest value in each page of a column that has some of the rows; undefined for a page of nulls.
   *
   * @param {string} column of the file
   * @param {{rowStart: number, rowEnd: number}} rows of one row group
   * @returns {Promise<{rowStart: number, rowEnd: number, low: any, high: any}[]>}
   * @throws {Fault} no-outline, if the file does not say
   */
  async pages(column, {rowStart, rowEnd}, meter, signal) {
    let start = 0
    const at = this.metadata.row_groups.findIndex(group => rowStart < (start += Number(group.num_rows)))
    const rows = Number(this.metadata.row_groups[at].num_rows)
    start -= rows
    const chunk = this.#chunks(column)[at]
    if (!chunk.column_index_length || !chunk.offset_index_length) throw noOutline(this, `no index of the pages of ${column}`)
    const reader = this.file.reader(meter, signal)
    const read = async (offset, length) => {
      const view = new DataView(await reader.slice(Number(offset), Number(offset) + length))
      return {view, offset: 0}
    }
    const element = parquetSchema(this.metadata).children.find(each => each.element.name === column).element
    const values = readColumnIndex(await read(chunk.column_index_offset, chunk.column_index_length), element, parsers(this.unit))
    const places = readOffsetIndex(await read(chunk.offset_index_offset, chunk.offset_index_length)).page_locations
    const begins = places.map(place => start + Number(place.first_row_index))
    return begins
      .map((begin, page) => {
        const none = values.null_pages[page]
        return {
          rowStart: begin,
          rowEnd: begins[page + 1] ?? start + rows,
          low: none ? undefined : values.min_values[page],
          high: none ? undefined : values.max_values[page]
        }
      })
      .filter(page => page.rowEnd > rowStart && page.rowStart < rowEnd)
  }

  /**
   * The distinct values of a column of texts that may begin so: of its dictionaries, where there are some.
   *
   * @param {string} column of the file
   * @param {string} prefix
   * @param {(text: string) => void} take is called for each, perhaps several times
   */
  async texts(column, prefix, take, meter, signal) {
    const reader = this.file.reader(meter, signal)
    const bounds = this.bounds(column)
    const schemaPath = [parquetSchema(this.metadata), parquetSchema(this.metadata).children.find(each => each.element.name === column)]
    let start = 0
    const chunks = this.#chunks(column)
    for (let at = 0; at < chunks.length; at++) {
      const rows = Number(this.metadata.row_groups[at].num_rows)
      const outside = bounds[at] && (bounds[at][1] < prefix || (bounds[at][0] > prefix && !bounds[at][0].startsWith(prefix)))
      const single = this.#single(column, at)
      if (single !== undefined) {
        take(single)
      } else if (!outside || !isPlain(prefix)) {
        const found = (await dictionary(reader, chunks[at].meta_data, schemaPath)) ?? (await this.#all(column, start, start + rows, meter, signal))
        found.forEach(each => typeof each === 'string' && take(each))
      }
      start += rows
    }
  }

  async #all(column, rowStart, rowEnd, meter, signal) {
    const scan = await this.scan({}, [column], meter, signal)
    return scan.readColumn({column, rowStart, rowEnd})
  }
}

/** The values of a chunk's dictionary; undefined if it has none, or if some of its pages do without. */
async function dictionary(reader, meta, schemaPath) {
  const first = Number(meta.dictionary_page_offset ?? 0)
  const data = Number(meta.data_page_offset)
  const whole = meta.encoding_stats?.every(each => each.page_type === 'DICTIONARY_PAGE' || each.encoding.endsWith('_DICTIONARY'))
  if (!first || first >= data || !whole) return undefined
  const page = {view: new DataView(await reader.slice(first, data)), offset: 0}
  const decoder = {...meta, element: schemaPath[1].element, schemaPath, compressors: COMPRESSORS, parsers: DEFAULT_PARSERS}
  const header = parquetHeader(page)
  if (header.type !== 'DICTIONARY_PAGE') return undefined
  return convert(readPage(page, header, decoder, undefined, undefined, 0).data, decoder)
}
