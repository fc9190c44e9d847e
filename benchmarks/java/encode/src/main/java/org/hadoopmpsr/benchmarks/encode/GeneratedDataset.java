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
package org.hadoopmpsr.benchmarks.encode;

import java.util.List;
import org.hadoopmpsr.benchmarks.generator.CalsCatalog;
import org.hadoopmpsr.benchmarks.generator.CalsStream;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;

/** The generator's records and the three groups that programs here write them to. */
final class GeneratedDataset {
    static final Schema SCHEMA = Schema.parse("signal string not null, device string not null,"
            + " system string not null, timestamp_ns timestamp_ns not null, value double");
    private static final long START_NS = 1_493_596_800_000_000_000L;

    private GeneratedDataset() {}

    /** Messages of protobuf, one after the other in time. */
    static CalsStream stream(int signals, long stepNs, long seed) {
        CalsCatalog catalog = new CalsCatalog(signals, Math.max(1, signals / 20), 12, seed);
        return new CalsStream(catalog, new CalsStream.Shape(START_NS, stepNs, 0, 0.001, 0.01), seed);
    }

    /** The next messages. */
    static byte[][] messages(CalsStream stream, int count) {
        byte[][] messages = new byte[count][];
        for (int i = 0; i < count; i++) {
            messages[i] = stream.encode(stream.next());
        }
        return messages;
    }

    /** @param buckets the partitions of the signal group */
    static ReplicaGroups groups(int buckets, String codec) {
        return new ReplicaGroups(
                List.of(
                        group(codec, "time", "day(timestamp_ns)", "timestamp_ns", "signal"),
                        group(codec, "signal", "bucket(" + buckets + ", signal)", "signal", "timestamp_ns"),
                        group(codec, "device", "year(timestamp_ns)", "system", "device", "timestamp_ns")),
                "time");
    }

    private static ReplicaGroup group(String codec, String name, String predicate, String... sort) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse(predicate)), SortKey.of(List.of(sort)), 1, Codec.parse(codec));
    }
}
