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
package org.hadoopmpsr.client.calibration;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hadoopmpsr.client.calibration.Calibration.Figure;
import org.hadoopmpsr.core.config.ConfigKey;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.readtimes.LinearTime;
import org.hadoopmpsr.core.readtimes.ReadCosts;
import org.hadoopmpsr.core.readtimes.ReadCosts.Expected;

/** Turns the measurements of a calibration into configuration. */
public final class CalibratedCosts {

    /**
     * The measured rates of one core.
     *
     * @param mbPerSecond megabytes (10^6 bytes) of compressed pages per second that are decompressed, for each measured
     *     codec
     * @param millionValuesPerSecond millions of values per second that are decoded after decompression
     */
    public record Decoding(Map<Codec.Kind, Figure> mbPerSecond, Optional<Figure> millionValuesPerSecond) {}

    private static final double NANOS_PER_MS = 1e6;
    /** A nanosecond for a byte is so many megabytes (10^6 bytes) a second. */
    private static final double NANOS_PER_BYTE_OF_MB = 1e3;

    private CalibratedCosts() {}

    /**
     * The measured keys with their values. Keys of the network are present only if reads from other hosts are slower
     * than reads from this host; their values are the difference.
     */
    public static SortedMap<String, String> properties(Calibration measured, Decoding decoding) {
        SortedMap<String, String> properties = new TreeMap<>();
        decoding.mbPerSecond()
                .forEach((codec, f) -> properties.put(ConfigKeys.costDecompress(codec), text(f.median())));
        decoding.millionValuesPerSecond()
                .ifPresent(f -> properties.put(ConfigKeys.COST_VALUES.name(), text(f.median())));
        measured.openMs().ifPresent(f -> properties.put(ConfigKeys.COST_OPEN.name(), text(f.median())));
        Optional<Figure> nearMs = measured.localFirstByteMs().or(measured::remoteFirstByteMs);
        Optional<Figure> nearRate = measured.localMbPerSecond().or(measured::remoteMbPerSecond);
        nearMs.ifPresent(f -> properties.put(ConfigKeys.COST_DISK_PREPARE.name(), text(f.median())));
        nearRate.ifPresent(f -> properties.put(ConfigKeys.COST_DISK_RATE.name(), text(f.median())));
        if (measured.localFirstByteMs().isPresent()
                && measured.remoteFirstByteMs().isPresent()) {
            double more = measured.remoteFirstByteMs().get().median()
                    - measured.localFirstByteMs().get().median();
            if (more > 0) {
                properties.put(ConfigKeys.COST_NETWORK_PREPARE.name(), text(more));
            }
        }
        if (measured.localMbPerSecond().isPresent()
                && measured.remoteMbPerSecond().isPresent()) {
            double more = 1 / measured.remoteMbPerSecond().get().median()
                    - 1 / measured.localMbPerSecond().get().median();
            if (more > 0) {
                properties.put(ConfigKeys.COST_NETWORK_RATE.name(), text(1 / more));
            }
        }
        return properties;
    }

    /**
     * The measured keys with their values: those of {@link #properties(Calibration, Decoding)}, with the costs of opening, disks and network from classes
     * of reads. A disk is not taken to be faster than it reads a block: its classes are of small pieces, which a cache of the disk or a limit that allows bursts makes
     * fast.
     *
     * @param expected which reads planning is to expect
     */
    public static SortedMap<String, String> properties(
            Calibration measured, Decoding decoding, ReadCosts costs, Expected expected) {
        SortedMap<String, String> properties = properties(measured, decoding);
        if (expected == Expected.CACHED) {
            measured.openAgainMs().ifPresent(f -> properties.put(ConfigKeys.COST_OPEN.name(), text(f.median())));
        }
        ReadCosts believed = measured.localMbPerSecond()
                .map(blocks -> costs.withDiskNoFaster(NANOS_PER_BYTE_OF_MB / blocks.median()))
                .orElse(costs);
        properties.putAll(ofReads(believed, expected));
        return properties;
    }

    /**
     * The keys of disks, network and slow DataNodes, as far as classes of reads tell them.
     *
     * @param expected which reads planning is to expect
     */
    public static SortedMap<String, String> ofReads(ReadCosts costs, Expected expected) {
        SortedMap<String, String> properties = new TreeMap<>();
        costs.local(expected).or(() -> costs.remote(expected)).ifPresent(near -> {
            properties.put(ConfigKeys.COST_DISK_PREPARE.name(), text(near.nanos() / NANOS_PER_MS));
            putRate(properties, ConfigKeys.COST_DISK_RATE, near);
        });
        costs.network().ifPresent(more -> {
            properties.put(ConfigKeys.COST_NETWORK_PREPARE.name(), text(more.nanos() / NANOS_PER_MS));
            putRate(properties, ConfigKeys.COST_NETWORK_RATE, more);
        });
        costs.slowFactor()
                .ifPresent(factor -> properties.put(ConfigKeys.COST_SLOW_NODE.name(), text(Math.max(1, factor))));
        return properties;
    }

    /** Where all reads have about one size, they tell no rate. */
    private static void putRate(Map<String, String> properties, ConfigKey key, LinearTime time) {
        if (time.nanosPerByte() > 0) {
            properties.put(key.name(), text(NANOS_PER_BYTE_OF_MB / time.nanosPerByte()));
        }
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.3g", value).contains("e")
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
    }

    /** The properties as a Hadoop configuration file. */
    public static String xml(Map<String, String> properties) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        properties.forEach((name, value) -> xml.append("  <property>\n    <name>")
                .append(name)
                .append("</name>\n    <value>")
                .append(value)
                .append("</value>\n  </property>\n"));
        return xml.append("</configuration>\n").toString();
    }
}
