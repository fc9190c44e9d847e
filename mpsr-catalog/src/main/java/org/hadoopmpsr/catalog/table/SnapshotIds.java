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
package org.hadoopmpsr.catalog.table;

/**
 * The ids of snapshots. That of a counted change is its number. A dataset to which records were only appended does not count its changes:
 * the present state has an id of its own, which no number of a change is.
 */
public final class SnapshotIds {
    private static final long PRESENT = 1L << 62;
    private static final int SEGMENT_BITS = 31;

    private SnapshotIds() {}

    /** The id of a state that no change names. */
    static long present(long lastChange, long segments) {
        return PRESENT | lastChange << SEGMENT_BITS | segments & (1L << SEGMENT_BITS) - 1;
    }

    /**
     * Whether a snapshot is the present state of a dataset that does not count its changes.
     *
     * @param segments how many the dataset has
     */
    public static boolean isUncounted(long id, long lastChange, long segments) {
        return id == present(lastChange, segments);
    }

    /** Whether a snapshot has an id of its own, because no change names the state. */
    public static boolean isOfNoChange(long id) {
        return id >= PRESENT;
    }

    /**
     * Whether a snapshot is read as the present state of the dataset. A state that no change names is, also after an append that a client
     * does not know of yet.
     *
     * @param lastChange the number of the last change that is counted
     */
    public static boolean isPresent(long id, long lastChange) {
        return id == lastChange || isOfNoChange(id) && (id ^ PRESENT) >> SEGMENT_BITS <= lastChange;
    }
}
