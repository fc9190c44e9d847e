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
import {toJson} from './json.js'

const API = '/mpsr/v1'
const FILES = '/webhdfs/v1'
const DENIED = ['AccessControlException', 'AuthorizationException', 'SecurityException', 'InvalidToken', 'AuthenticationException']

/** The path of HDFS as one of a URL. */
export function inUrl(path) {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The NameNode that has served the page. Requests have who asks as the page's own address says it. */
export class NameNode {
  /** @param {Record<string, string>} identity the parameters user.name, doas and delegation, as far as there are some */
  constructor(identity) {
    this.identity = identity
  }

  /** A page of the datasets that the caller may read: docs/http.md. */
  datasets(after, signal) {
    return this.#ask(`${API}/datasets`, after === undefined ? {} : {after}, {signal}, 'the datasets')
  }

  /** What the NameNode says of a dataset. */
  dataset(path, signal) {
    return this.#ask(`${API}/datasets${inUrl(path)}`, {}, {signal}, `the dataset ${path}`)
  }

  /**
   * All pages of a plan, as one.
   *
   * @param {object} asked the body of the request
   * @param {number} most files; beyond them the plan is cut off, and "more" is true
   */
  async plan(asked, most, signal) {
    let attempts = 3
    for (;;) {
      try {
        return await this.#pages(asked, most, signal)
      } catch (fault) {
        if (fault.kind !== 'changed' || --attempts === 0) throw fault
      }
    }
  }

  async #pages(asked, most, signal) {
    const post = body => ({method: 'POST', headers: {'Content-Type': 'application/json'}, body: toJson(body), signal})
    const what = `the plan of a read of ${asked.path}`
    const plan = await this.#ask(`${API}/plan`, {}, post(asked), what)
    if (plan.stock) {
      throw new Fault(`there is no plan for ${asked.path}`, `the NameNode leaves the read to stock readers: ${plan.reason}`,
        'Look at the page MPSR, and try again.', {kind: 'stock'})
    }
    const files = [...plan.files]
    for (let next = plan.nextPage; next !== null && files.length <= most;) {
      const page = await this.#ask(`${API}/plan`, {}, post({...asked, page: next}), what)
      files.push(...page.files)
      next = page.nextPage
    }
    return {...plan, files: files.slice(0, most), more: files.length > most}
  }

  /** The length of a file in bytes; undefined if there is no such file. */
  async length(path, signal) {
    try {
      const found = await this.#ask(FILES + inUrl(path), {op: 'GETFILESTATUS'}, {signal}, path)
      return found.FileStatus.length
    } catch (fault) {
      if (fault.kind === 'missing') return undefined
      throw fault
    }
  }

  /** Where the bytes [offset, offset + length) of a file are to be had. */
  range(path, offset, length) {
    return this.#url(FILES + inUrl(path), {op: 'OPEN', offset, length})
  }

  #url(path, parameters) {
    return `${path}?${new URLSearchParams({...parameters, ...this.identity})}`
  }

  async #ask(path, parameters, options, what) {
    let response
    try {
      response = await fetch(this.#url(path, parameters), options)
    } catch (error) {
      if (options.signal?.aborted) throw error
      throw new Fault(`cannot ask for ${what}`, 'the NameNode does not answer', 'Is it up? Reload the page then.', {kind: 'silent'})
    }
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    throw faultOf(what, response.status, text)
  }
}

/** What an answer that is no success says. */
function faultOf(what, status, text) {
  let exception = {}
  try {
    exception = JSON.parse(text).RemoteException ?? {}
  } catch {
    // of a filter before the API, in HTML
  }
  const name = exception.exception ?? ''
  const cause = String(exception.message ?? `the server answers with the status ${status}`).split('\n')[0]
  const problem = `cannot ask for ${what}`
  if (name === 'PlanChangedException') {
    return new Fault(problem, 'the dataset changes all the time', 'Try again in a moment.', {kind: 'changed'})
  }
  if (name === 'StandbyException') {
    return new Fault(problem, 'this NameNode is a standby', 'Open the page of the active one.', {kind: 'standby'})
  }
  if (DENIED.includes(name) || status === 401) {
    return new Fault(problem, cause, 'Ask the owner for the right to read; without Kerberos, ?user.name= in the page\'s address says who you are.',
      {kind: 'denied'})
  }
  if (status === 404) {
    return new Fault(problem, cause, 'Choose another dataset.', {kind: 'missing'})
  }
  const fix = name === 'RetriableException' ? 'Try again in a moment.' : 'The NameNode\'s log may say more.'
  return new Fault(problem, cause, fix, {kind: 'refused'})
}
