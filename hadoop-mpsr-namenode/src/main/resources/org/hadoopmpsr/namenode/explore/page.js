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
import {Beside} from './beside.js'
import {Chart, pictureOf} from './chart.js'
import {button, calm, element, made} from './elements.js'
import {Finder} from './finder.js'
import {shortBytes} from './meter.js'
import {printable} from './printable.js'
import {Remote} from './remote.js'
import {choices, shapeOf} from './shape.js'
import {formatTime, parseTime} from './times.js'

/** The page of pictures: it puts together what the worker reads, the chart, and the address. */

const MEGABYTE = 1_000_000
const MEGABYTES = 32
const MOST_MEGABYTES = 512
const MOVED_MS = 80
const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

class Page {
  constructor() {
    this.identity = identityOf(location.search)
    this.view = viewOf(location.search)
    this.turn = 0
    this.remote = new Remote(new URL('worker.js', import.meta.url))
    this.chart = new Chart(element('chart'), range => this.#look(range), time => this.beside.under(time, this.shape.unit))
    this.beside = new Beside(name => this.#go({...this.view, signals: this.view.signals.filter(each => each !== name)}))
    this.finder = new Finder(
      text => this.remote.ask('names', {shape: this.shape, text}),
      name => this.#go({...this.view, signals: [...this.view.signals, name]}),
      fault => this.#fault(fault))
    this.soon = calm(MOVED_MS, () => this.#draw())
  }

  /** Shows what the address says. */
  start() {
    history.replaceState(null, '', searchOf(this.view, this.identity)) // a token does not stay in the address
    this.#listen()
    return this.#tell(() => this.#begin())
  }

  async #begin() {
    await this.remote.ask('start', {identity: this.identity})
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
    if (fault.more?.range) this.#blank(fault.more)
    if (fault.more?.kind === 'too-much') {
      const drawn = fault.more.outline ? 'The boxes are an outline: all records lie within.' : ''
      this.#notice(`${text} ${drawn}`, `Read ${shortBytes(fault.more.bytes)}`, () => this.#draw(Infinity))
      return
    }
    const panel = document.getElementById('alert-panel')
    panel.textContent = printable(text)
    panel.hidden = false
  }

  /** Shows a range without its picture, or where its records lie, if that is known. */
  #blank({range, outline}) {
    const {signals} = this.view
    this.#show(range)
    this.beside.nothing(signals)
    if (!outline) {
      this.chart.draw([], range, this.shape.unit)
      return
    }
    this.chart.draw(signals.map(name => ({name, title: printable(name), boxes: outline.boxes.get(name)})), range, this.shape.unit)
    this.beside.took(outline.took)
  }

  #notice(text, does, act) {
    const notice = element('notice')
    notice.replaceChildren(made('span', `${text} `))
    if (act) notice.append(button(does, 'btn btn-default btn-sm', act))
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
    this.turn++
    return this.#tell(async () => {
      this.#quiet()
      const {dataset} = this.view
      element('dataset').value = dataset ?? ''
      element('busy').hidden = true
      element('body').hidden = true
      if (!dataset) return
      const description = await this.remote.ask('dataset', {path: dataset})
      const {shape, titles} = shapeOf(description, this.view)
      Object.assign(this, {shape, titles})
      const may = choices(description)
      for (const role of ['key', 'time', 'value']) {
        element(role).replaceChildren(...may[role].map(each => Object.assign(made('option', each.name), {value: each.name})))
        element(role).value = titles[role]
      }
      const limit = String(this.#megabytes())
      if (![...element('limit').options].some(each => each.value === limit)) {
        element('limit').append(Object.assign(made('option', `${limit} MB`), {value: limit}))
      }
      element('limit').value = limit
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

  /** The most to read in megabytes, as the view says it: a link cannot ask for more than the list has. */
  #megabytes() {
    const said = Number(this.view.limit)
    return said > 0 ? Math.min(said, MOST_MEGABYTES) : MEGABYTES
  }

  #draw(limit) {
    const turn = ++this.turn
    return this.#tell(async () => {
      this.#quiet()
      const {signals} = this.view
      const {shape} = this
      this.finder.chosen = signals
      element('busy').hidden = !signals.length
      element('picture').hidden = !signals.length
      if (!signals.length) return
      try {
        const wanted = this.#range()
        if (wanted) this.#show(wanted)
        const asked = {shape, signals, range: wanted, width: this.chart.width(), limit: limit ?? this.#megabytes() * MEGABYTE}
        const picture = await this.remote.ask('picture', asked)
        if (turn === this.turn) this.#picture(picture)
      } catch (fault) {
        if (turn === this.turn) throw fault // else somebody wants to see something else by now
      } finally {
        if (turn === this.turn) element('busy').hidden = true
      }
    })
  }

  #picture({range, series, took}) {
    if (!range) {
      this.#notice('There are no records of these signals.')
      element('picture').hidden = true
      return
    }
    this.#show(range)
    this.chart.draw(series.map(each => ({...each, title: printable(each.name)})), range, this.shape.unit)
    this.beside.statistics(series)
    this.beside.took(took)
  }

  /** Shows a range without its records. */
  #show(range) {
    this.range = range
    element('from').value = formatTime(range.begin, this.shape.unit)
    element('to').value = formatTime(range.end, this.shape.unit)
    this.chart.range(range, this.shape.unit)
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
    this.turn++
    this.#show({begin, end})
    element('busy').hidden = false
    this.soon()
  }

  #typed() {
    return this.#tell(async () => {
      const {unit} = this.shape
      const [from, to] = ['from', 'to'].map(id => element(id).value)
      await this.#go({...this.view, from: formatTime(parseTime(from, unit), unit), to: formatTime(parseTime(to, unit), unit)})
    })
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
