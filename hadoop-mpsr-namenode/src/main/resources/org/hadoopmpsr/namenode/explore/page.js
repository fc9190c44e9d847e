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

import {identityOf, searchOf, viewOf} from './address.js'
import {Chart, colour, pictureOf} from './chart.js'
import {shortBytes} from './meter.js'
import {printable} from './printable.js'
import {Remote} from './remote.js'
import {choices, shapeOf} from './shape.js'
import {formatTime, parseTime} from './times.js'

/**
 * The page of pictures: it puts together what the worker reads, the chart, and the address. Names become text of elements and never
 * HTML. Only this file knows the elements of mpsr-explore.html.
 */

const MEGABYTE = 1_000_000
const TYPED_MS = 150
const MOVED_MS = 80
const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

const element = id => document.getElementById(`explore-${id}`)

/** Does something once nothing has asked for it for a while. */
function calm(ms, act) {
  let timer
  return (...given) => {
    clearTimeout(timer)
    timer = setTimeout(() => act(...given), ms)
  }
}

function made(tag, text, className = '') {
  const found = document.createElement(tag)
  found.textContent = printable(text)
  found.className = className
  return found
}

const digits = new Intl.NumberFormat('en', {maximumSignificantDigits: 6})
const number = value => (Number.isNaN(value) ? '' : Math.abs(value) >= 1e9 || (value && Math.abs(value) < 1e-4) ? value.toPrecision(6) : digits.format(value))

class Page {
  constructor() {
    this.identity = identityOf(location.search)
    this.view = viewOf(location.search)
    this.remote = new Remote(new URL('worker.js', import.meta.url))
    this.chart = new Chart(element('chart'), range => this.#look(range), time => this.#under(time))
    this.soon = calm(MOVED_MS, () => this.#draw())
    this.later = calm(TYPED_MS, () => this.#search())
  }

  async start() {
    history.replaceState(null, '', searchOf(this.view, this.identity)) // a token does not stay in the address
    await this.remote.ask('start', {identity: this.identity})
    this.#listen()
    this.#tell(async () => {
      const paths = await this.remote.ask('datasets')
      element('datasets').replaceChildren(...paths.map(path => Object.assign(document.createElement('option'), {value: path})))
      if (!paths.length) this.#notice('There is no dataset that you may read.')
    })
    await this.#open()
  }

  #listen() {
    const on = (id, event, act) => element(id).addEventListener(event, act)
    on('dataset', 'change', () => this.#go({dataset: element('dataset').value.trim(), signals: []}))
    for (const role of ['key', 'time', 'value']) {
      on(role, 'change', () => this.#go({...this.view, [role]: element(role).value, signals: role === 'key' ? [] : this.view.signals}))
    }
    on('search', 'input', () => this.later())
    on('search', 'focus', () => this.#search())
    on('search', 'keydown', event => {
      if (event.key === 'Enter') element('names').querySelector('button')?.click()
      if (event.key === 'Escape') element('names').replaceChildren()
    })
    on('range', 'submit', event => {
      event.preventDefault()
      this.#typed()
    })
    on('limit', 'change', () => this.#go({...this.view, limit: element('limit').value}))
    on('all', 'click', () => this.#go({...this.view, from: undefined, to: undefined}))
    on('in', 'click', () => this.chart.zoom(0.5))
    on('out', 'click', () => this.chart.zoom(2))
    on('earlier', 'click', () => this.chart.move(-0.5))
    on('later', 'click', () => this.chart.move(0.5))
    on('chart', 'dblclick', () => this.#go({...this.view, from: undefined, to: undefined}))
    on('reload', 'click', () => this.#tell(async () => {
      await this.remote.ask('forget')
      await this.#open()
    }))
    on('png', 'click', () => this.#tell(async () => this.#save(await pictureOf(this.chart, this.#title(), this.shape.unit), 'png')))
    on('csv', 'click', () => this.#tell(async () => {
      const asked = {shape: this.shape, signals: this.view.signals, range: this.range, titles: this.titles}
      this.#save(await this.remote.ask('csv', asked), 'csv')
    }))
    on('link', 'click', () => this.#tell(async () => {
      await navigator.clipboard.writeText(location.href)
      this.#notice('The link is in the clipboard.')
    }))
    document.addEventListener('click', event => {
      if (!element('finder').contains(event.target)) element('names').replaceChildren()
    })
    window.addEventListener('popstate', () => {
      this.view = viewOf(location.search)
      this.#open()
    })
    window.addEventListener('resize', calm(MOVED_MS, () => {
      this.chart.resize()
      this.#draw()
    }))
  }

  /** Does something that may fail, and shows that as a failure. */
  async #tell(act) {
    try {
      await act()
    } catch (fault) {
      this.#fault(fault)
    }
  }

  #fault(fault) {
    const text = fault.text ?? fault.message ?? String(fault)
    if (fault.more?.kind === 'too-much') {
      this.#notice(text, `Read ${shortBytes(fault.more.bytes)}`, () => this.#draw(Infinity))
      return
    }
    const panel = document.getElementById('alert-panel')
    panel.textContent = printable(text)
    panel.hidden = false
  }

  #notice(text, button, act) {
    const notice = element('notice')
    notice.replaceChildren(made('span', `${text} `))
    if (button) {
      const pressed = made('button', button, 'btn btn-default btn-sm')
      pressed.type = 'button'
      pressed.addEventListener('click', act)
      notice.append(pressed)
    }
    notice.hidden = false
  }

  #quiet() {
    document.getElementById('alert-panel').hidden = true
    element('notice').hidden = true
  }

  /** Shows another view, to which the browser's button leads back. */
  #go(view) {
    const opens = view.dataset !== this.view.dataset || ['key', 'time', 'value'].some(role => view[role] !== this.view[role])
    this.view = view
    history.pushState(null, '', searchOf(view, this.identity))
    return opens ? this.#open() : this.#draw()
  }

  /** Asks what the dataset is like, and shows its picture. */
  #open() {
    return this.#tell(async () => {
      this.#quiet()
      const {dataset} = this.view
      element('dataset').value = dataset ?? ''
      element('body').hidden = true
      if (!dataset) return
      const description = await this.remote.ask('dataset', {path: dataset})
      const {shape, titles} = shapeOf(description, this.view)
      Object.assign(this, {shape, titles})
      const may = choices(description)
      for (const role of ['key', 'time', 'value']) {
        element(role).replaceChildren(...may[role].map(each => {
          const option = made('option', each.name)
          option.value = each.name
          return option
        }))
        element(role).value = titles[role]
      }
      element('limit').value = this.view.limit ?? '32'
      element('body').hidden = false
      this.range = undefined
      await this.#draw()
    })
  }

  /** The range that the view says; undefined if it says none. */
  #range() {
    const {from, to} = this.view
    if (!from || !to) return undefined
    const range = {begin: parseTime(from, this.shape.unit), end: parseTime(to, this.shape.unit)}
    if (range.begin >= range.end) throw new RangeError(`the picture ends at ${to}, and begins at ${from}: give a later end`)
    return range
  }

  #limit(limit) {
    return limit ?? Number(element('limit').value) * MEGABYTE
  }

  #draw(limit) {
    return this.#tell(async () => {
      this.#quiet()
      const {signals} = this.view
      const {shape} = this
      element('picture').hidden = !signals.length
      if (!signals.length) return
      element('busy').hidden = false
      try {
        const asked = {shape, signals, limit: this.#limit(limit)}
        const range = this.#range() ?? (await this.remote.ask('range', asked))
        if (!range) {
          this.#notice('There are no records of these signals.')
          element('picture').hidden = true
          return
        }
        this.range = range
        this.#times(range)
        this.chart.range(range, shape.unit)
        const {series, took} = await this.remote.ask('picture', {...asked, range, width: this.chart.width()})
        this.chart.draw(series.map(each => ({...each, title: printable(each.name)})), range, shape.unit)
        this.#statistics(series)
        this.#took(took)
      } finally {
        element('busy').hidden = true
      }
    })
  }

  #times(range) {
    element('from').value = formatTime(range.begin, this.shape.unit)
    element('to').value = formatTime(range.end, this.shape.unit)
  }

  /** Shows a range that somebody has reached with the mouse: the chart at once, the records soon. */
  #look({begin, end}) {
    if (begin < LEAST || end > MOST) return
    const {unit} = this.shape
    const view = {...this.view, from: formatTime(begin, unit), to: formatTime(end, unit)}
    const moving = this.moved !== undefined && performance.now() - this.moved < 500
    this.moved = performance.now()
    history[moving ? 'replaceState' : 'pushState'](null, '', searchOf(view, this.identity))
    this.view = view
    this.range = {begin, end}
    this.#times(this.range)
    this.chart.range(this.range, unit)
    this.soon()
  }

  #typed() {
    return this.#tell(async () => {
      const {unit} = this.shape
      const [from, to] = ['from', 'to'].map(id => element(id).value)
      await this.#go({...this.view, from: formatTime(parseTime(from, unit), unit), to: formatTime(parseTime(to, unit), unit)})
    })
  }

  #search() {
    return this.#tell(async () => {
      const text = element('search').value
      const {names, complete} = await this.remote.ask('names', {shape: this.shape, text})
      if (element('search').value !== text) return
      const chosen = new Set(this.view.signals)
      const items = names.filter(name => !chosen.has(name)).map(name => {
        const item = made('button', name, 'list-group-item')
        item.type = 'button'
        item.addEventListener('click', () => this.#choose(name))
        return item
      })
      if (!complete) items.push(made('p', 'There may be more: type how the name begins.', 'list-group-item disabled'))
      else if (!items.length) items.push(made('p', 'There is no such signal.', 'list-group-item disabled'))
      element('names').replaceChildren(...items)
    })
  }

  #choose(name) {
    element('search').value = ''
    element('names').replaceChildren()
    this.#go({...this.view, signals: [...this.view.signals, name]})
  }

  #statistics(series) {
    this.series = series
    element('statistics').replaceChildren(...series.map(({name, statistics: s}, at) => {
      const row = document.createElement('tr')
      const swatch = made('td', '')
      swatch.append(Object.assign(made('span', '', 'explore-swatch')))
      swatch.firstChild.style.backgroundColor = colour(at)
      const drop = made('button', '×', 'close')
      drop.type = 'button'
      drop.title = printable(`leave out ${name}`)
      drop.addEventListener('click', () => this.#go({...this.view, signals: this.view.signals.filter(each => each !== name)}))
      const last = document.createElement('td')
      last.append(drop)
      const figures = [s.min, s.max, s.mean, s.deviation, s.first, s.last].map(each => made('td', number(each), 'number'))
      row.append(swatch, made('td', name), made('td', '', 'number explore-under'), made('td', digits.format(s.count), 'number'), ...figures, last)
      return row
    }))
  }

  /** Shows the values before the cursor. */
  #under(time) {
    element('under').textContent = time === undefined ? 'At the cursor' : formatTime(time, this.shape.unit)
    const cells = element('statistics').querySelectorAll('.explore-under')
    cells.forEach((cell, at) => {
      const {times, values} = this.series[at]
      const found = time === undefined ? -1 : Chart.before(times, time)
      cell.textContent = found < 0 ? '' : number(values[found])
    })
  }

  #took({bytes, requests, ms, plans}) {
    const time = `${Math.round(ms)} ms`
    const said = plans.map(plan => `group ${plan.group}, ${plan.reason}: ${plan.files} file${plan.files === 1 ? '' : 's'}`)
    element('took').textContent = printable(said.length
      ? `Read ${shortBytes(bytes)} in ${requests} requests and ${time}; ${said.join('; ')}.`
      : `Read 0 B: the records were here. ${time}.`)
    element('candidates').replaceChildren(...plans.flatMap(plan => plan.candidates).map(each => {
      const row = document.createElement('tr')
      const cost = each.excluded ?? `${each.atLeast ? 'at least ' : ''}${each.costMs.toFixed(1)} ms`
      row.append(made('td', each.group), made('td', digits.format(each.files), 'number'), made('td', shortBytes(each.bytes), 'number'), made('td', cost, 'number'))
      return row
    }))
    element('why').hidden = !plans.length
  }

  #title() {
    return `${this.titles.value} of ${this.shape.path}`
  }

  #save(blob, ending) {
    const name = this.shape.path.split('/').pop().replace(/[^\w.-]/g, '_')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = `${name}.${ending}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }
}

new Page().start()
