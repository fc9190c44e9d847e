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
package org.hadoopmpsr.core.nested;

/** What a value of a form is, as its first byte says. The first five are those of the content hash. */
final class NestedTag {
    static final byte NULL = 0;
    static final byte BOOLEAN = 1;
    static final byte WHOLE = 2;
    static final byte FLOATING = 3;
    static final byte BYTES = 4;
    static final byte WIDE_DECIMAL = 5;
    static final byte STRUCT = 6;
    static final byte LIST = 7;
    static final byte MAP = 8;

    private NestedTag() {}
}
