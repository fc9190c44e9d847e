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
package org.hadoopmpsr.catalog.plan;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.history.History;

/**
 * What was added to a dataset by some changes.
 *
 * @param after the change before the first one
 * @param to the last change
 */
public record SnapshotRange(long after, long to) {

    /**
     * A range of changes that add segments and remove none.
     *
     * @throws IllegalArgumentException if there is no such range, with a message for the user
     */
    static SnapshotRange of(long after, long to, History history) {
        if (after < 0 || to > history.last() || after > to) {
            throw new IllegalArgumentException("there is no range of changes from snapshot " + after + " to " + to
                    + ": a range begins with the older snapshot, and the last change is " + history.last());
        }
        Map<Long, History.Change> changes =
                history.changes().stream().collect(Collectors.toMap(History.Change::sequence, Function.identity()));
        for (long number = after + 1; number <= to; number++) {
            History.Change change = changes.get(number);
            if (change == null) {
                throw new IllegalArgumentException("change " + number + " between the snapshots " + after + " and " + to
                        + " is not known any more; read the table as of a snapshot");
            }
            if (change.removedSegments() > 0) {
                throw new IllegalArgumentException("change " + number + " between the snapshots " + after + " and " + to
                        + " replaces or deletes records; scans of what was added go over appends alone: choose a range"
                        + " without this change, or read the table as of a snapshot");
            }
        }
        return new SnapshotRange(after, to);
    }
}
