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
package org.hadoopmpsr.benchmarks.scatter;

import java.util.BitSet;
import java.util.Random;
import org.hadoopmpsr.benchmarks.scatter.Archive.Segment;
import org.hadoopmpsr.core.alloc.ScatterWidth;
import org.jspecify.annotations.Nullable;

/**
 * The chance that a record is lost when nodes die at once. A segment has records for every combination of its blocks in the
 * three groups, so it loses some if in each group one of its nodes is dead.
 */
final class Losses {
    private static final int TRIALS = 20_000;

    private final int nodes;
    /** The triples of nodes that hold all copies of some records; null if every triple does. */
    private final @Nullable BitSet triples;

    Losses(Archive archive, Layout layout, ScatterWidth width) {
        nodes = layout.nodes();
        triples = width.isAll() ? null : new BitSet(nodes * nodes * nodes);
        if (triples != null) {
            archive.all().forEach(segment -> add(triples, layout, segment, Math.min(width.nodes(), nodes)));
        }
    }

    private void add(BitSet found, Layout layout, Segment segment, int width) {
        for (int i = 0; i < width * width * width; i++) {
            found.set(triple(
                    layout.homes(segment, Group.TIME)[i % width],
                    layout.homes(segment, Group.SIGNAL)[i / width % width],
                    layout.homes(segment, Group.DEVICE)[i / width / width]));
        }
    }

    private int triple(int a, int b, int c) {
        return (a * nodes + b) * nodes + c;
    }

    /** The chance that something is lost when so many nodes of the cluster die. */
    double chance(int dead, long seed) {
        Random random = new Random(seed);
        int lost = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] all = random.ints(0, 3 * nodes).distinct().limit(dead).toArray();
            lost += loses(all) ? 1 : 0;
        }
        return (double) lost / TRIALS;
    }

    private boolean loses(int[] dead) {
        for (int a : dead) {
            for (int b : dead) {
                for (int c : dead) {
                    boolean oneOfEach = a < nodes && b >= nodes && b < 2 * nodes && c >= 2 * nodes;
                    if (oneOfEach && (triples == null || triples.get(triple(a, b - nodes, c - 2 * nodes)))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
