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

/** Text from outside. */

/** Text on one line, with what cannot be seen as escapes; as PrintableText in mpsr-core, which has the reasons. */
export function printable(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, hidden =>
    hidden.split('').map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''))
}

/** Whether JavaScript compares the text as Parquet does, by the bytes of UTF-8: it has ASCII alone. */
export function isPlain(text) {
  return /^[\0-\x7f]*$/.test(text)
}
