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
package org.hadoopmpsr.core.reduction;

import java.io.Serializable;

/**
 * A window that is similar to a pattern.
 *
 * @param begin the time of its first record, in units of the column of times
 * @param end the time of its last record
 * @param distance its distance from the pattern
 */
public record WindowMatch(long begin, long end, double distance) implements Comparable<WindowMatch>, Serializable {

    /** The most similar window first, then the earliest. */
    @Override
    public int compareTo(WindowMatch other) {
        int order = Double.compare(distance, other.distance);
        if (order == 0) {
            order = Long.compare(begin, other.begin);
        }
        return order == 0 ? Long.compare(end, other.end) : order;
    }
}
