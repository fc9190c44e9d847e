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
package org.hadoopmpsr.core.maintain;

/**
 * How far the scrub of a dataset is, and what all of its runs have found. Immutable.
 *
 * @param segments the current segments
 * @param inTime those that were read or written within the period
 * @param oldestMs when the segment that has waited longest was read or written, in milliseconds since the epoch; 0 if there is no
 *     segment
 * @param found the segments of groups that were ever found to be wrong
 * @param healed those of them that were written anew
 * @param wrong those that are wrong now, as far as is known, and could not be healed
 */
public record ScrubSummary(long segments, long inTime, long oldestMs, long found, long healed, long wrong) {
    /** @throws IllegalArgumentException if a number is below 0 */
    public ScrubSummary {
        if (segments < 0 || inTime < 0 || oldestMs < 0 || found < 0 || healed < 0 || wrong < 0) {
            throw new IllegalArgumentException("the summary of a scrub has a number below 0; segments: " + segments
                    + ", in time: " + inTime + ", oldest: " + oldestMs + ", found: " + found + ", healed: " + healed
                    + ", wrong: " + wrong);
        }
    }

    /** For people, without times. */
    public String text() {
        return inTime + " of " + segments + " segments were read in time; segments of groups found wrong: " + found
                + ", healed: " + healed + ", still wrong: " + wrong;
    }
}
