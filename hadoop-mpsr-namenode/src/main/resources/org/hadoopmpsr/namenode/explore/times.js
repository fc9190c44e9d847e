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

/**
 * Times as whole numbers of their column's unit since 1970, in UTC: a double does not hold all nanoseconds.
 * A column's unit is told in nanoseconds.
 */

const MS = 1_000_000n
const SECOND = 1_000_000_000n
const DAY = 86_400n * SECOND
const UNITS = {timestamp_ns: 1n, timestamp: 1_000n, timestamp_ntz: 1_000n, date: DAY}
const TEXT = /^([+-]\d{6}|\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?\s*(?:Z|UTC)?$/

/** The unit of a column of times in nanoseconds; undefined if the type is none of times. */
export function unitOf(type) {
  return Object.hasOwn(UNITS, type) ? UNITS[type] : undefined
}

/** The whole number that is not above the quotient; the divisor is positive. */
export function floorDivide(dividend, divisor) {
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

/**
 * The time that a text such as 2014-05-01T06:00:00.5Z says, in whole units; one within a unit is that of the unit's begin.
 * The zone is UTC, whether the text says so or not.
 *
 * @throws {RangeError} if it says none
 */
export function parseTime(text, unit) {
  const parts = TEXT.exec(text.trim())
  if (parts) {
    const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(part => Number(part ?? 0))
    const ms = new Date(0)
    ms.setUTCFullYear(year, month - 1, parts[3] === undefined ? 1 : day)
    ms.setUTCHours(hour, minute, second)
    if (ms.getUTCMonth() === month - 1 && hour < 24 && minute < 60 && second < 60) {
      return floorDivide(BigInt(ms.getTime()) * MS + BigInt((parts[7] ?? '').padEnd(9, '0')), unit)
    }
  }
  throw new RangeError(`'${text}' is no time. Write it as 2014-05-01 or 2014-05-01T06:00:00.5; the zone is UTC`)
}

/** The time as a text that parseTime reads, with as many digits as it needs. */
export function formatTime(time, unit) {
  const nanos = time * unit
  const ms = floorDivide(nanos, MS)
  if (ms < -8_640_000_000_000_000n || ms > 8_640_000_000_000_000n) return String(time)
  const text = new Date(Number(ms)).toISOString().slice(0, -5)
  const fraction = String(nanos - floorDivide(nanos, SECOND) * SECOND).padStart(9, '0').replace(/0+$/, '')
  return fraction ? `${text}.${fraction}Z` : `${text}Z`
}

/** The steps between marks of an axis: of each power of ten up to the second, and of the clock and the calendar. */
const STEPS = [
  ...Array.from({length: 9}, (_, power) => 10n ** BigInt(power)).flatMap(power => [power, 2n * power, 5n * power]),
  ...[1n, 2n, 5n, 10n, 15n, 30n, 60n, 120n, 300n, 600n, 900n, 1_800n].map(step => step * SECOND),
  ...[1n, 2n, 3n, 6n, 12n, 24n, 48n, 96n, 168n, 336n].map(hours => hours * 3_600n * SECOND)
]

/**
 * Marks of an axis from begin to end, at most as many as there is room for, at round times.
 *
 * @returns {{times: bigint[], step: bigint}} the step in nanoseconds, one of months as 30 days each
 */
export function marks(begin, end, unit, room) {
  const least = ((end - begin) * unit) / BigInt(Math.max(1, room))
  const step = STEPS.find(each => each >= least && each % unit === 0n)
  if (step === undefined) return months(begin, end, unit, least)
  const times = []
  const units = step / unit
  for (let time = -floorDivide(-begin, units) * units; time < end; time += units) times.push(time)
  return {times, step}
}

function months(begin, end, unit, least) {
  const month = 30n * DAY
  const count = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200].find(each => BigInt(each) * month >= least) ?? 12_000
  const first = new Date(Number(floorDivide(begin * unit, MS)))
  const times = []
  for (let at = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / count) * count; ; at += count) {
    const date = new Date(0)
    date.setUTCFullYear(Math.floor(at / 12), ((at % 12) + 12) % 12, 1)
    const time = floorDivide(BigInt(date.getTime()) * MS, unit)
    if (time >= end || times.length > 1_000) return {times, step: BigInt(count) * month}
    if (time >= begin) times.push(time)
  }
}

/** A mark's text, as short as the step allows; the first mark, and one of a new day, also tell the day. */
export function markText(time, unit, step, before) {
  const text = formatTime(time, unit)
  const [day, clock] = text.slice(0, -1).split('T')
  if (clock === undefined) return text
  if (step >= 360n * DAY) return day.slice(0, -6)
  if (step >= 28n * DAY) return day.slice(0, -3)
  if (step >= DAY) return day
  const digits = step >= 60n * SECOND ? 5 : step >= SECOND ? 8 : 9 + Math.min(9, 10 - String(step).length)
  const short = (clock.length === 8 && digits > 8 ? `${clock}.` : clock).padEnd(digits, '0').slice(0, digits)
  const sameDay = before !== undefined && formatTime(before, unit).startsWith(day)
  return sameDay ? short : `${short}\n${day}`
}
