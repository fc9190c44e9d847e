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

import java.util.Random;
import org.hadoopmpsr.benchmarks.scatter.Archive.Segment;
import org.hadoopmpsr.core.alloc.ScatterWidth;

/**
 * One copy in each of three replica groups, which share no rack. A segment has records for every combination of its homes in
 * the three groups. Racks have about as many nodes.
 */
final class SegmentCopies implements Copies {
    private static final int GROUPS = Group.values().length;

    private final int inGroup;
    private final int racks;
    private final int width;
    private final double delay;
    private final double seconds;
    /** The number of segments of each triple of nodes, one of each group. */
    private final short[] segments;

    /**
     * @param delay the seconds from a node's death to the first read
     * @param seconds from then on, until all it held is written anew
     */
    SegmentCopies(Archive archive, Layout layout, ScatterWidth width, int racks, double delay, double seconds) {
        this.inGroup = layout.nodes();
        this.racks = racks;
        this.width = Math.min(width.nodes(), inGroup);
        this.delay = delay;
        this.seconds = seconds;
        this.segments = new short[this.width == inGroup ? 0 : inGroup * inGroup * inGroup];
        if (segments.length > 0) {
            archive.all().forEach(segment -> add(layout, segment));
        }
    }

    private void add(Layout layout, Segment segment) {
        for (int i = 0; i < width * width * width; i++) {
            int triple = triple(
                    layout.homes(segment, Group.TIME)[i % width],
                    layout.homes(segment, Group.SIGNAL)[i / width % width],
                    layout.homes(segment, Group.DEVICE)[i / width / width]);
            segments[triple]++;
        }
    }

    private int triple(int a, int b, int c) {
        return (a * inGroup + b) * inGroup + c;
    }

    @Override
    public int nodes() {
        return GROUPS * inGroup;
    }

    @Override
    public int racks() {
        return racks;
    }

    @Override
    public int rack(int node) {
        return node * racks / nodes();
    }

    @Override
    public double delay() {
        return delay;
    }

    @Override
    public double whole(Random random) {
        return seconds;
    }

    /** Of the segments of a node, each has its homes in another group on any nodes there. */
    @Override
    public double shared(int a, int b) {
        return a / inGroup == b / inGroup ? 0 : seconds * width / inGroup;
    }

    @Override
    public double chance(int a, int b, int c, double share) {
        int[] node = {-1, -1, -1};
        for (int each : new int[] {a, b, c}) {
            node[each / inGroup] = each % inGroup;
        }
        if (node[0] < 0 || node[1] < 0 || node[2] < 0) {
            return 0;
        }
        return segments.length == 0 ? 1 : 1 - Math.pow(1 - share, segments[triple(node[0], node[1], node[2])]);
    }
}
