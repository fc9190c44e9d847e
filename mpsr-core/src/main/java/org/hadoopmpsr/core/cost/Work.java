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
package org.hadoopmpsr.core.cost;

/**
 * An estimate of a reader's work.
 *
 * @param files the files that the reader opens
 * @param bytes the compressed bytes that it reads
 * @param values the values that it decodes: one per record and read column, null or not
 */
public record Work(int files, double bytes, double values) {
    /** Nothing to read. */
    public static final Work NONE = new Work(0, 0, 0);

    /** The sum of both. */
    public Work plus(Work other) {
        return new Work(files + other.files, bytes + other.bytes, values + other.values);
    }
}
