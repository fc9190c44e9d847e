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
package org.hadoopmpsr.benchmarks.settings;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.tune.DesignedGrid;
import org.hadoopmpsr.core.tune.Settings;

/**
 * The settings that are varied: those that the sink, the files' writers and Parquet's readers really have. MPSR's writer ends row groups
 * and pages by itself, with the values of a file.
 */
final class SettingsGrid {
    static final String CODEC = "dfs.mpsr.replica.group.<g>.codec";
    static final String FLUSH = "mpsr.flush.records";
    static final String SPLIT = "spark.sql.files.maxPartitionBytes";
    /** The most bytes of one read, into one buffer. */
    static final String READ_AHEAD = "parquet.read.allocation.size";

    static final String DICTIONARY = "parquet.filter.dictionary.enabled";
    static final String COLUMN_INDEX = "parquet.filter.columnindex.enabled";

    private static final Map<String, List<String>> VALUES = Map.of(
            CODEC, List.of("none", "lz4_raw", "snappy", "gzip:6", "zstd:1", "zstd:3", "zstd:9"),
            FLUSH, List.of("5000", "20000", "10000000"),
            SPLIT, List.of("524288", "2097152", "134217728"),
            READ_AHEAD, List.of("1048576", "8388608"),
            DICTIONARY, List.of("true", "false"),
            COLUMN_INDEX, List.of("true", "false"));

    /** What is there without any configuration. */
    static final Settings DEFAULTS = new Settings(Map.of(
            CODEC, "zstd:3",
            FLUSH, "10000000",
            SPLIT, "134217728",
            READ_AHEAD, "8388608",
            DICTIONARY, "true",
            COLUMN_INDEX, "true"));

    private SettingsGrid() {}

    /** So many configurations of all, the defaults first. */
    static List<Settings> of(int count, long seed) {
        return DesignedGrid.of(VALUES, DEFAULTS, count, seed);
    }
}
