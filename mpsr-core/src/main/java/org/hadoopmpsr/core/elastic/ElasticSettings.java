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
package org.hadoopmpsr.core.elastic;

/**
 * How far files that are read much get further copies.
 *
 * @param budgetPercent the most bytes of all further copies, in percent of the bytes that all files take in their groups' numbers of
 *     copies; 0 for no further copies
 * @param queriesPerCopy a file gets its n-th further copy when n times so many queries have read it, of those that still count
 * @param halfLifeMs a query counts half after so many milliseconds
 * @param bytesPerSecond the most bytes of new copies in a second; 0 for no limit
 */
public record ElasticSettings(int budgetPercent, int queriesPerCopy, long halfLifeMs, long bytesPerSecond) {

    public ElasticSettings {
        if (budgetPercent < 0 || queriesPerCopy < 1 || halfLifeMs < 1 || bytesPerSecond < 0) {
            throw new IllegalArgumentException("budget, queries, half-life or rate out of range: " + budgetPercent + " "
                    + queriesPerCopy + " " + halfLifeMs + " " + bytesPerSecond);
        }
    }

    /** True if files may have further copies. */
    public boolean isOn() {
        return budgetPercent > 0;
    }

    /** The most bytes of all further copies, where all files take {@code bytes} in their groups' numbers of copies. */
    public long budgetBytes(long bytes) {
        return bytes / 100 * budgetPercent + bytes % 100 * budgetPercent / 100;
    }
}
