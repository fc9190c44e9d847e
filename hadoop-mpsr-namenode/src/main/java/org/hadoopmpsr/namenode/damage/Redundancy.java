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
package org.hadoopmpsr.namenode.damage;

import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.namenode.index.GroupIndex;

/**
 * How many records and bytes of a dataset have how many live copies: groups that hold all of the segment. Immutable.
 *
 * @param byCopies by the number of copies; also for each number from 0 to that of the groups
 */
public record Redundancy(Map<Integer, Amount> byCopies) {

    /** Records, and the bytes of one copy of them. */
    public record Amount(long records, long bytes) {
        private static final Amount NONE = new Amount(0, 0);

        private Amount plus(long moreRecords, long moreBytes) {
            return new Amount(records + moreRecords, bytes + moreBytes);
        }
    }

    public Redundancy {
        byCopies = Map.copyOf(byCopies);
    }

    /** All records have all copies. */
    static Redundancy whole(int groups, GroupIndex index) {
        Map<Integer, Amount> all = new TreeMap<>();
        for (int copies = 0; copies < groups; copies++) {
            all.put(copies, Amount.NONE);
        }
        all.put(groups, new Amount(index.content().count(), index.bytes()));
        return new Redundancy(all);
    }

    /**
     * This where a segment has fewer copies.
     *
     * @param copies how many it has
     * @param segment what it holds
     * @param counted what was counted of it
     */
    Redundancy with(int copies, Segment.Group segment, Segment.Group counted) {
        int most = byCopies.size() - 1;
        Map<Integer, Amount> all = new TreeMap<>(byCopies);
        all.compute(
                most,
                (c, a) -> (a == null ? Amount.NONE : a).plus(-counted.content().count(), -counted.bytes()));
        all.compute(
                copies,
                (c, a) -> (a == null ? Amount.NONE : a).plus(segment.content().count(), segment.bytes()));
        return new Redundancy(all);
    }

    /**
     * This where records are missing of which no segment tells: they have no live copy, and of how many bytes they were nobody
     * knows.
     *
     * @param committed the number of records that were committed
     */
    Redundancy atLeast(long committed) {
        long told = byCopies.values().stream().mapToLong(Amount::records).sum();
        if (committed <= told) {
            return this;
        }
        Map<Integer, Amount> all = new TreeMap<>(byCopies);
        all.compute(0, (c, a) -> (a == null ? Amount.NONE : a).plus(committed - told, 0));
        return new Redundancy(all);
    }

    /** True if all records have all copies. */
    public boolean isWhole() {
        int most = byCopies.size() - 1;
        return byCopies.entrySet().stream()
                .allMatch(e -> e.getKey() == most || e.getValue().records() == 0);
    }

    /** The fewest copies that some record has. */
    public int fewest() {
        return byCopies.entrySet().stream()
                .filter(e -> e.getValue().records() > 0)
                .mapToInt(Map.Entry::getKey)
                .min()
                .orElse(byCopies.size() - 1);
    }

    /** What has so many live copies. */
    public Amount of(int copies) {
        return byCopies.getOrDefault(copies, Amount.NONE);
    }
}
