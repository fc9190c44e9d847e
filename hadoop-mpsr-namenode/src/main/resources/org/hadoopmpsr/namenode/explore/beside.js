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

import {Chart, colour} from './chart.js'
import {button, element, made} from './elements.js'
import {shortBytes} from './meter.js'
import {printable} from './printable.js'
import {formatTime} from './times.js'

const digits = new Intl.NumberFormat('en', {maximumSignificantDigits: 6})
const whole = new Intl.NumberFormat('en')

/** A number in six digits; nothing for none. */
function number(value) {
  if (value === undefined || Number.isNaN(value)) return ''
  const size = Math.abs(value)
  return size >= 1e9 || (size > 0 && size < 1e-4) ? value.toPrecision(6) : digits.format(value)
}

/** What stands beside the chart. */
export class Beside {
  /** @param {(name: string) => void} onDrop is told which signal is to go */
  constructor(onDrop) {
    this.onDrop = onDrop
    this.series = []
  }

  /** Shows the signals of a picture, and figures about them. */
  statistics(series) {
    this.series = series
    element('statistics').replaceChildren(...series.map(({name, statistics: s}, at) => {
      const row = document.createElement('tr')
      const swatch = made('td', '')
      swatch.append(Object.assign(made('span', '', 'explore-swatch')))
      swatch.firstChild.style.backgroundColor = colour(at)
      const drop = button('×', 'close', () => this.onDrop(name))
      drop.title = printable(`leave out ${name}`)
      const last = document.createElement('td')
      last.append(drop)
      const figures = [s.min, s.max, s.mean, s.deviation, s.first, s.last].map(each => made('td', number(each), 'number'))
      row.append(swatch, made('td', name), made('td', '', 'number explore-under'), made('td', s.count === undefined ? '' : whole.format(s.count), 'number'), ...figures, last)
      return row
    }))
  }

  /** Shows the time under the cursor, and the values up to it. */
  under(time, unit) {
    element('under').textContent = time === undefined ? 'At the cursor' : formatTime(time, unit)
    const cells = element('statistics').querySelectorAll('.explore-under')
    cells.forEach((cell, at) => {
      const {times, values} = this.series[at]
      const found = time === undefined ? -1 : Chart.before(times, time)
      cell.textContent = found < 0 ? '' : number(values[found])
    })
  }

  /** Shows what a picture took, of which groups, and why. */
  took({bytes, requests, ms, plans}) {
    const time = `${Math.round(ms)} ms`
    const said = plans.map(plan => `group ${plan.group}, ${plan.reason}: ${plan.files} file${plan.files === 1 ? '' : 's'}`)
    element('took').textContent = printable(said.length
      ? `Read ${shortBytes(bytes)} in ${requests} requests and ${time}; ${said.join('; ')}.`
      : `Read 0 B: the records were here. ${time}.`)
    element('candidates').replaceChildren(...plans.flatMap(plan => plan.candidates).map(each => {
      const row = document.createElement('tr')
      const cost = each.excluded ?? `${each.atLeast ? 'at least ' : ''}${each.costMs.toFixed(1)} ms`
      const figures = [whole.format(each.files), shortBytes(each.bytes), cost].map(text => made('td', text, 'number'))
      row.append(made('td', each.group), ...figures)
      return row
    }))
    element('why').hidden = !plans.length
  }

  /** Shows that there is no picture of these signals. */
  nothing(signals) {
    this.statistics(signals.map(name => ({name, times: [], values: [], statistics: {}})))
    element('took').textContent = ''
    element('why').hidden = true
  }
}
