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
package org.hadoopmpsr.core.plan;

/**
 * Estimates what reading files costs: {@code files × openMs + bytes / bytesPerMs}, on one core.
 *
 * @param openMs to open a file and read its footer, in milliseconds
 * @param bytesPerMs how fast compressed bytes are read and decoded
 */
public record CostModel(double openMs, double bytesPerMs) {
    /** Constants as the quickstart's cluster of processes on two cores shows them. */
    public static final CostModel DEFAULT = new CostModel(6.0, 40_000.0);

    /** The cost in milliseconds of one core. */
    public double costMs(int files, long bytes) {
        return files * openMs + bytes / bytesPerMs;
    }
}
