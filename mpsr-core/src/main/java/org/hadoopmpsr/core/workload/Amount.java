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
package org.hadoopmpsr.core.workload;

/**
 * How much is read. Sums are floating-point numbers, because those of years of queries exceed whole ones.
 *
 * @param records negative if unknown
 */
public record Amount(double files, double bytes, double records) {
    /** Nothing. */
    public static final Amount NONE = new Amount(0, 0, 0);

    /** The sum of both. */
    public Amount plus(Amount other) {
        return new Amount(
                files + other.files,
                bytes + other.bytes,
                records < 0 || other.records < 0 ? -1 : records + other.records);
    }
}
