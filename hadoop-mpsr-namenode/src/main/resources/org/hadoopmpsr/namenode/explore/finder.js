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

import {button, calm, element, made} from './elements.js'

const TYPED_MS = 150

/** The search for signals as somebody types. */
export class Finder {
  /**
   * @param {(text: string) => Promise<{names: string[], complete: boolean}>} search
   * @param {(name: string) => void} onChoose is told which one somebody wants to see
   * @param {(fault: any) => void} onFault is told why there are no names
   */
  constructor(search, onChoose, onFault) {
    this.search = search
    this.onChoose = onChoose
    this.onFault = onFault
    this.chosen = []
    const field = element('search')
    field.addEventListener('input', calm(TYPED_MS, () => this.#look()))
    field.addEventListener('focus', () => this.#look())
    field.addEventListener('keydown', event => {
      if (event.key === 'Enter') element('names').querySelector('button')?.click()
      if (event.key === 'Escape') this.#close()
    })
    document.addEventListener('click', event => {
      if (!element('finder').contains(event.target)) this.#close()
    })
  }

  #close() {
    element('names').replaceChildren()
  }

  async #look() {
    const text = element('search').value
    try {
      const {names, complete} = await this.search(text)
      if (element('search').value === text) this.#show(names.filter(name => !this.chosen.includes(name)), complete)
    } catch (fault) {
      this.onFault(fault)
    }
  }

  #show(names, complete) {
    const items = names.map(name => button(name, 'list-group-item', () => {
      element('search').value = ''
      this.#close()
      this.onChoose(name)
    }))
    if (!complete) items.push(made('p', 'There may be more: type how the name begins.', 'list-group-item disabled'))
    else if (!items.length) items.push(made('p', 'There is no such signal.', 'list-group-item disabled'))
    element('names').replaceChildren(...items)
  }
}
