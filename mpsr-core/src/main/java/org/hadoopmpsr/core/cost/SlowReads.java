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
 * What reads from slow DataNodes cost.
 *
 * @param factor how much longer a read from a slow DataNode takes, from 1; 1 if slow DataNodes count as all others
 */
public record SlowReads(double factor) {
    /** Whether slow DataNodes make no difference. */
    public boolean isNone() {
        return factor == 1;
    }

    /**
     * The milliseconds of a read.
     *
     * @param costMs if no DataNode was slow
     * @param slowBytes the bytes of its files that only slow DataNodes have
     * @param bytes the bytes of all of its files
     */
    public double costMs(double costMs, long slowBytes, long bytes) {
        return bytes == 0 ? costMs : costMs * (1 + (factor - 1) * slowBytes / bytes);
    }
}
