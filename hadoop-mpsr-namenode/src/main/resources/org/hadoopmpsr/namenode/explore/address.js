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

/** What the page shows, as its address says it: whoever has the link sees the same picture. */

const IDENTITY = ['user.name', 'doas', 'delegation']
const ONE = ['dataset', 'key', 'time', 'value', 'from', 'to', 'limit']

/**
 * @typedef {{dataset?: string, key?: string, time?: string, value?: string, from?: string, to?: string, limit?: string,
 *     signals: string[]}} View
 */

/** The view of an address. @returns {View} */
export function viewOf(search) {
  const asked = new URLSearchParams(search)
  const view = {signals: [...new Set(asked.getAll('signal'))]}
  for (const name of ONE) {
    if (asked.get(name)) view[name] = asked.get(name)
  }
  return view
}

/** Who asks, as an address says it. A token is in no link and in no history. */
export function identityOf(search) {
  const asked = new URLSearchParams(search)
  return Object.fromEntries(IDENTITY.filter(name => asked.get(name)).map(name => [name, asked.get(name)]))
}

/** The part of an address that says a view, and who asks, but no token. */
export function searchOf(view, identity) {
  const said = new URLSearchParams()
  for (const name of IDENTITY) {
    if (identity[name] && name !== 'delegation') said.set(name, identity[name])
  }
  for (const name of ONE) {
    if (view[name]) said.set(name, view[name])
  }
  view.signals.forEach(each => said.append('signal', each))
  return `?${said}`
}
