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

import {unitOf} from './times.js'

/** Which columns of a dataset can be shown how, and which are shown where nobody says it. */

const NUMBER = /^(tinyint|smallint|int|bigint|float|double|decimal\(.*)$/

/** The columns that may name signals, be times, or be values. */
export function choices(description) {
  const stored = new Set(description.columns.map(each => each.stored.toLowerCase()))
  const directories = description.directoryColumns.filter(each => !stored.has(each.name.toLowerCase()))
  const all = [...description.columns, ...directories.map(each => ({...each, stored: each.name}))]
  return {
    key: all.filter(each => each.type === 'string'),
    time: description.columns.filter(each => unitOf(each.type) !== undefined),
    value: description.columns.filter(each => NUMBER.test(each.type))
  }
}

/**
 * The shape of a picture: what the view says, else the first column by which a group is sorted or partitioned, else the first one.
 *
 * @returns {{shape: import('./records.js').Shape, titles: {key: string, time: string, value: string}}}
 * @throws {RangeError} if the dataset has no such columns
 */
export function shapeOf(description, view) {
  const may = choices(description)
  const groups = description.groups
  const sorted = groups.filter(each => each.name !== description.defaultGroup).flatMap(each => each.sort)
  const partitioned = groups.filter(each => each.name === description.defaultGroup).flatMap(each => each.predicates)
  const by = {
    key: columns => sorted.map(name => columns.find(each => each.stored === name)).find(Boolean),
    time: columns => columns.find(each => partitioned.some(text => text.replaceAll('`', '').includes(`(${each.stored})`))),
    value: columns => columns.find(each => /^(double|float)$/.test(each.type))
  }
  const found = {}
  for (const [role, word] of [['key', 'texts, which name signals'], ['time', 'times'], ['value', 'numbers']]) {
    found[role] = may[role].find(each => each.name === view[role]) ?? by[role](may[role]) ?? may[role][0]
    if (!found[role]) throw new RangeError(`${description.path} has no column of ${word}`)
  }
  const {key, time, value} = found
  return {
    shape: {path: description.path, key: key.stored, time: time.stored, value: value.stored, unit: unitOf(time.type)},
    titles: {key: key.name, time: time.name, value: value.name}
  }
}
