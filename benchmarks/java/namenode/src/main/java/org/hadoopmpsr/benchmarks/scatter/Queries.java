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

import java.util.Arrays;
import java.util.Random;
import org.hadoopmpsr.benchmarks.scatter.Archive.Segment;
import org.hadoopmpsr.core.alloc.ScatterWidth;

/**
 * What queries read of which node: the mix of the suite {@code peers}, in which newer times are asked for more often. How
 * long ago a query's time is has a density of one over the age: as often the last hour to ten hours as the last ten to a
 * hundred.
 */
final class Queries {
    private static final long HOUR = 60 * Archive.MINUTE;

    private final Archive archive;
    private final Layout layout;
    private final ScatterWidth width;
    private final Random random;

    Queries(Archive archive, Layout layout, ScatterWidth width, long seed) {
        this.archive = archive;
        this.layout = layout;
        this.width = width;
        this.random = new Random(seed);
    }

    /** Draws a query; returns the bytes that it reads of each node, by group. */
    double[][] next() {
        double[][] read = new double[Group.values().length][layout.nodes()];
        int dataset = (int) (Math.pow(archive.datasets() + 1.0, random.nextDouble()) - 1); // a few are asked most
        int kind = random.nextInt(100);
        if (kind < 20) { // window_many_signals: six hours of all signals
            span(read, dataset, Group.TIME, 6 * HOUR, 1);
        } else if (kind < 55) { // one_signal_long, correlation
            for (int i = 0; i < (kind < 45 ? 1 : 2); i++) {
                partition(read, dataset, Group.SIGNAL, random.nextInt(Group.BUCKETS), archive.end(), 1.0 / 8);
            }
        } else if (kind < 70) { // device_month
            partition(read, dataset, Group.DEVICE, random.nextInt(Group.DEVICES), 30 * Archive.DAY, 1);
        } else if (kind < 80) { // system_mode: a tenth of the devices, for a month
            int system = random.nextInt(10);
            long from = begin(30 * Archive.DAY);
            for (int device = 0; device < Group.DEVICES / 10; device++) {
                partition(read, dataset, Group.DEVICE, system * Group.DEVICES / 10 + device, from, 30 * Archive.DAY, 1);
            }
        } else if (kind < 90) { // value_threshold: a column of all records
            span(read, dataset, Group.TIME, archive.end(), 0.4);
        } else if (kind < 95) { // top_n: all of a week
            span(read, dataset, Group.TIME, 7 * Archive.DAY, 1);
        } else { // full_scan
            span(read, dataset, Group.DEVICE, archive.end(), 0.6);
        }
        return read;
    }

    /** Draws a query of six hours of all signals that end now. */
    double[][] newestWindow() {
        double[][] read = new double[Group.values().length][layout.nodes()];
        span(read, random.nextInt(archive.datasets()), Group.TIME, archive.end() - 6 * HOUR, 6 * HOUR, 1);
        return read;
    }

    private long begin(long length) {
        double ago = HOUR * Math.pow((double) archive.end() / HOUR, random.nextDouble());
        return (long) Math.max(0, Math.min(archive.end() - length, archive.end() - ago));
    }

    private void span(double[][] read, int dataset, Group group, long length, double share) {
        span(read, dataset, group, begin(length), length, share);
    }

    private void span(double[][] read, int dataset, Group group, long from, long length, double share) {
        for (Segment segment : archive.of(dataset)) {
            int partitions = group.partitions(segment);
            for (int partition = 0; partition < partitions; partition++) {
                long begin = segment.from();
                long end = segment.to();
                if (group == Group.TIME) { // a day is a partition
                    begin += partition * (end - begin) / partitions;
                    end = begin + (end - segment.from()) / partitions;
                }
                double overlap = overlap(begin, end, from, from + length);
                if (overlap > 0) {
                    add(read, segment, group, partition, share * overlap);
                }
            }
        }
    }

    private void partition(double[][] read, int dataset, Group group, int partition, long length, double share) {
        partition(read, dataset, group, partition, begin(length), length, share);
    }

    private void partition(
            double[][] read, int dataset, Group group, int partition, long from, long length, double share) {
        for (Segment segment : archive.of(dataset)) {
            double overlap = overlap(segment.from(), segment.to(), from, from + length);
            if (overlap > 0) {
                add(read, segment, group, partition, share * overlap);
            }
        }
    }

    /** Which share of a span of time lies in another. */
    private static double overlap(long begin, long end, long from, long to) {
        return Math.max(0.0, Math.min(end, to) - Math.max(begin, from)) / (end - begin);
    }

    private void add(double[][] read, Segment segment, Group group, int partition, double share) {
        int blocks = group.blocks(segment);
        double bytes = segment.bytes() / group.partitions(segment) / blocks * share;
        for (int block = 0; block < blocks; block++) {
            read[group.ordinal()][layout.node(segment, group, partition, block, width)] += bytes;
        }
    }

    /** The bytes of the node of which most is read. */
    static double busiest(double[][] read) {
        return Arrays.stream(read).flatMapToDouble(Arrays::stream).max().orElse(0);
    }

    /** The same if each group's reads were spread evenly over its nodes. */
    static double even(double[][] read) {
        return Arrays.stream(read).mapToDouble(Rebuild::mean).max().orElse(0);
    }

    static void add(double[][] sum, double[][] more) {
        for (int group = 0; group < sum.length; group++) {
            for (int node = 0; node < sum[group].length; node++) {
                sum[group][node] += more[group][node];
            }
        }
    }
}
