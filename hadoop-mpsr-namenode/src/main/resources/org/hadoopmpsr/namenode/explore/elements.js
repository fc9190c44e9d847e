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

import {printable} from './printable.js'

/** The elements of mpsr-explore.html. Text from outside becomes text of elements and never HTML. */

/** The element with this name. */
export function element(name) {
  return document.getElementById(`explore-${name}`)
}

/** A new element with a text. */
export function made(tag, text, className = '') {
  const found = document.createElement(tag)
  found.textContent = printable(text)
  found.className = className
  return found
}

/** A new button. */
export function button(text, className, act) {
  const found = made('button', text, className)
  found.type = 'button'
  found.addEventListener('click', act)
  return found
}

/** Does something once nothing has asked for it for a while. */
export function calm(ms, act) {
  let timer
  return (...given) => {
    clearTimeout(timer)
    timer = setTimeout(() => act(...given), ms)
  }
}
