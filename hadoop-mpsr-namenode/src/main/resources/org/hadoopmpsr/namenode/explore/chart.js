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

import {columnUnits} from './m4.js'
import {formatTime, marks, markText} from './times.js'

/** Colours that people with weak sight for colours tell apart (Okabe and Ito), and then again from the start. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8a7a00']
const HEIGHT = 420
const ROOM = 90

/** The colour of the signal with this number. */
export function colour(number) {
  return COLOURS[number % COLOURS.length]
}

/** The lines of signals over time, drawn by uPlot. Times are whole numbers; the chart knows how far they are from its base. */
export class Chart {
  /**
   * @param {HTMLElement} element
   * @param {(range: {begin: bigint, end: bigint}) => void} onRange is told which range somebody wants to see
   * @param {(number: number | undefined) => void} onCursor is told the time under the cursor
   */
  constructor(element, onRange, onCursor) {
    this.element = element
    this.onRange = onRange
    this.onCursor = onCursor
    this.series = []
    this.plot = undefined
    element.addEventListener('wheel', event => this.#wheel(event), {passive: false})
    element.addEventListener('mousedown', event => this.#pan(event), {capture: true})
  }

  /** The width of the drawn part in pixels of the screen: the columns of M4. */
  width() {
    return Math.max(1, Math.round(this.plot ? this.plot.bbox.width : (this.element.clientWidth - ROOM) * devicePixelRatio))
  }

  /** Shows a range of times; lines that are not of it move and become wider, until they are drawn anew. */
  range({begin, end}, unit) {
    Object.assign(this, {begin, end, unit})
    if (!this.plot || this.plot.series.length !== this.series.length + 1) this.#make()
    this.plot.setScale('x', {min: 0, max: 1})
  }

  /** Draws signals: their names, times and values. */
  draw(series, range, unit) {
    const kind = list => list.map(each => Boolean(each.boxes)).join()
    const others = kind(series) !== kind(this.series) || series.length !== this.series.length
    this.series = series
    this.base = range.begin
    Object.assign(this, {...range, unit})
    if (others || !this.plot) this.#make()
    this.plot.setData(this.#data(), false)
    this.plot.setScale('x', {min: 0, max: 1})
  }

  /** Makes the chart as wide as there is room now. */
  resize() {
    this.plot?.setSize({width: this.element.clientWidth, height: HEIGHT})
  }

  /** The pixels, as a canvas. */
  get canvas() {
    return this.plot.ctx.canvas
  }

  /** The number of the last point of a signal that is not after the time; -1 if there is none. */
  static before(times, time) {
    let [from, to] = [0, times.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (times[middle] <= time) from = middle + 1
      else to = middle
    }
    return from - 1
  }

  #data() {
    const tables = this.series.map(each => {
      if (each.boxes) { // only for the vertical axis
        const low = each.boxes.reduce((least, box) => Math.min(least, box.low), Infinity)
        const high = each.boxes.reduce((most, box) => Math.max(most, box.high), -Infinity)
        return [this.#shown(), low <= high ? [low, high] : [null, null]]
      }
      return [Array.from(each.times, time => Number(time - this.base)), each.values]
    })
    return tables.length ? uPlot.join(tables) : [[]]
  }

  /** Fills the boxes of outlines. */
  #boxes(plot) {
    plot.ctx.save()
    plot.ctx.beginPath()
    plot.ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height)
    plot.ctx.clip()
    plot.ctx.globalAlpha = 0.5
    this.series.forEach(({boxes = []}, number) => {
      plot.ctx.fillStyle = colour(number)
      for (const {from, to, low, high} of boxes) {
        const [left, right] = [from, to].map(time => plot.valToPos(Number(time - this.base), 'x', true))
        const [top, bottom] = [high, low].map(value => plot.valToPos(value, 'y', true))
        plot.ctx.fillRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top))
      }
    })
    plot.ctx.restore()
  }

  /** From where to where the horizontal axis goes: whole columns of M4, unless that leaves a gap that one sees. */
  #shown() {
    const from = Number(this.begin - (this.base ?? this.begin))
    const span = this.end - this.begin
    const whole = columnUnits(this.begin, this.end, this.width()) * BigInt(this.width())
    return [from, from + Number((whole - span) * 100n > span ? span : whole)]
  }

  #make() {
    this.plot?.destroy()
    this.base ??= this.begin
    const line = ({boxes}, number) => {
      const nothing = boxes ? {paths: () => null, points: {show: false}} : {}
      return {stroke: colour(number), width: 1, spanGaps: true, ...nothing}
    }
    this.plot = new uPlot({
      width: this.element.clientWidth,
      height: HEIGHT,
      scales: {x: {time: false, range: () => this.#shown()}},
      series: [{}, ...this.series.map(line)],
      axes: [{splits: plot => this.#marks(plot).splits, values: plot => this.#marks(plot).texts, size: 44}, {size: 70}],
      legend: {show: false},
      cursor: {drag: {x: true, y: false, setScale: false}, y: false, points: {show: false}},
      hooks: {draw: [plot => this.#boxes(plot)], setSelect: [plot => this.#select(plot)], setCursor: [plot => this.#cursor(plot)]}
    }, this.#data(), this.element)
  }

  #marks(plot) {
    const {times, step} = marks(this.begin, this.end, this.unit, Math.floor(plot.width / ROOM) - 1)
    return {
      splits: times.map(time => Number(time - this.base)),
      texts: times.map((time, i) => markText(time, this.unit, step, times[i - 1]))
    }
  }

  /** The time at a place of the drawn part, in pixels from its left. */
  #at(left) {
    return this.base + BigInt(Math.round(this.plot.posToVal(left, 'x')))
  }

  #cursor(plot) {
    this.onCursor(plot.cursor.left >= 0 ? this.#at(plot.cursor.left) : undefined)
  }

  #select(plot) {
    const {left, width} = plot.select
    if (width < 3) return
    const [begin, end] = [this.#at(left), this.#at(left + width)]
    plot.setSelect({left: 0, top: 0, width: 0, height: 0}, false)
    this.onRange({begin, end: end > begin ? end : begin + 1n})
  }

  #wheel(event) {
    if (!this.plot || !this.plot.over.contains(event.target)) return
    event.preventDefault()
    const under = this.#at(event.clientX - this.plot.over.getBoundingClientRect().left)
    this.zoom(event.deltaY < 0 ? 0.8 : 1.25, Number(under - this.begin) / Number(this.end - this.begin))
  }

  /** Shows a range that is so many times as long, around a share of the present one. */
  zoom(factor, share = 0.5) {
    const span = this.end - this.begin
    const wanted = BigInt(Math.max(1, Math.round(Number(span) * factor)))
    const begin = this.begin + BigInt(Math.round(share * (Number(span) - Number(wanted))))
    this.onRange({begin, end: begin + (wanted === span && factor > 1 ? span + 1n : wanted)})
  }

  /** Shows a range of the same length, a share of it later. */
  move(share) {
    const by = BigInt(Math.round(Number(this.end - this.begin) * share))
    this.onRange({begin: this.begin + by, end: this.end + by})
  }

  #pan(event) {
    if (!this.plot || !event.shiftKey || event.button !== 0 || !this.plot.over.contains(event.target)) return
    event.preventDefault()
    event.stopPropagation() // or uPlot selects
    const {begin, end} = this
    const perPixel = Number(end - begin) / this.plot.over.clientWidth
    const follow = moved => {
      const by = BigInt(Math.round((event.clientX - moved.clientX) * perPixel))
      this.onRange({begin: begin + by, end: end + by})
    }
    document.addEventListener('mousemove', follow)
    document.addEventListener('mouseup', () => document.removeEventListener('mousemove', follow), {once: true})
  }
}

/** The chart as a PNG with what it shows written above it. */
export function pictureOf(chart, title, unit) {
  const from = chart.canvas
  const line = 20 * devicePixelRatio
  const made = document.createElement('canvas')
  made.width = from.width
  made.height = from.height + line * (chart.series.length + 2)
  const context = made.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, made.width, made.height)
  context.font = `${13 * devicePixelRatio}px sans-serif`
  context.fillStyle = '#333'
  context.fillText(`${title}, ${formatTime(chart.begin, unit)} to ${formatTime(chart.end, unit)}`, line / 2, line)
  chart.series.forEach((each, number) => {
    context.fillStyle = colour(number)
    context.fillText(`― ${each.title}`, line / 2, line * (number + 2))
  })
  context.drawImage(from, 0, line * (chart.series.length + 2))
  return new Promise(resolve => made.toBlob(resolve, 'image/png'))
}
