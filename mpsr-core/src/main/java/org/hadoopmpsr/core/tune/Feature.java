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
package org.hadoopmpsr.core.tune;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What is known of a workload before it runs. The order is that of vectors of features. */
public enum Feature {
    /** Records. */
    ROWS("rows", "", "records"),
    /** Bytes of all records, without compression. */
    BYTES("bytes", "", "bytes of all records without compression"),
    /** Columns that a read returns or has conditions on; 0 if nothing is read. */
    COLUMNS("columns", "", "columns that a read needs, of all columns"),
    /** Share of the records that pass the conditions of a read, from 0 to 1. */
    SELECTIVITY("selectivity", "", "share of the records that a read returns, from 0 to 1"),
    /** Bytes of a record, without compression. */
    WIDTH("width", " bytes", "bytes of a record without compression"),
    /** Share of the columns that are numbers or times, from 0 to 1. */
    NUMERIC("numeric", "", "share of the columns that are numbers or times, from 0 to 1"),
    /** How often the records are read after they are written once. */
    READS("reads", "", "how often they are read after they are written once"),
    /** Between readers, writers and the disks; in megabytes (10^6 bytes) per second, for each task. */
    BANDWIDTH("bandwidth", " MB/s", "megabytes per second that a task gets from the disks or the network");

    private final String key;
    private final String unit;
    private final String text;

    Feature(String key, String unit, String text) {
        this.key = key;
        this.unit = unit;
        this.text = text;
    }

    /** The name in files, options and rules. */
    public String key() {
        return key;
    }

    /** What follows a value in rules, with a blank in front; empty for a number without a unit. */
    public String unit() {
        return unit;
    }

    /** What it is, for people. */
    public String text() {
        return text;
    }

    /**
     * The feature of a name.
     *
     * @throws IllegalArgumentException if there is none, with a message for the user
     */
    public static Feature of(String key) {
        return Arrays.stream(values())
                .filter(feature -> feature.key.equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no feature '" + key + "'; there are "
                        + Arrays.stream(values()).map(Feature::key).collect(Collectors.joining(", "))));
    }
}
