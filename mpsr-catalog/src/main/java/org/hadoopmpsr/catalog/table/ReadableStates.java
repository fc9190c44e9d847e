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

import java.util.NavigableSet;
import java.util.TreeSet;
import org.hadoopmpsr.client.history.History;

/** Which earlier states of a dataset are snapshots of its table. */
public final class ReadableStates {
    /** The most changes that are looked at. */
    public static final int MOST_CHANGES = 1_000;

    private ReadableStates() {}

    /**
     * The numbers of the changes after which the dataset had a state that can be read. The state before the first counted change has the
     * number 0, and is among them if a tag keeps it. The parent of a snapshot is the number below.
     */
    public static NavigableSet<Long> of(History history) {
        NavigableSet<Long> states = new TreeSet<>();
        history.changes().stream().filter(History.Change::readable).forEach(change -> states.add(change.sequence()));
        if (history.tags().stream().anyMatch(tag -> tag.sequence() == 0)) {
            states.add(0L);
        }
        return states;
    }
}
