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
package org.hadoopmpsr.benchmarks.generator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Readings in columns: names as numbers into one dictionary, about 36 bytes a reading.
 *
 * <p>Not safe for use by several threads.
 */
final class Readings {

    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> idOfName = new LinkedHashMap<>();
    private final BitSet missing = new BitSet();
    private int[] signals = new int[1024];
    private int[] devices = new int[1024];
    private int[] systems = new int[1024];
    private long[] timestampsNs = new long[1024];
    private double[] values = new double[1024];
    private int size;

    /** The number of a name, the same for the same name. */
    int idOf(String name) {
        Integer known = idOfName.get(name);
        if (known != null) {
            return known;
        }
        idOfName.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }

    /** All names that have a number, at the index of their number. */
    List<String> names() {
        return names;
    }

    /** Adds a reading; {@code hasValue} tells whether the sensor gave a value. */
    void add(int signal, int device, int system, long timestampNs, boolean hasValue, double value) {
        if (size == signals.length) {
            grow();
        }
        signals[size] = signal;
        devices[size] = device;
        systems[size] = system;
        timestampsNs[size] = timestampNs;
        values[size] = value;
        missing.set(size, !hasValue);
        size++;
    }

    private void grow() {
        int capacity = size * 2;
        signals = Arrays.copyOf(signals, capacity);
        devices = Arrays.copyOf(devices, capacity);
        systems = Arrays.copyOf(systems, capacity);
        timestampsNs = Arrays.copyOf(timestampsNs, capacity);
        values = Arrays.copyOf(values, capacity);
    }

    int size() {
        return size;
    }

    String signal(int row) {
        return names.get(signals[row]);
    }

    int signalId(int row) {
        return signals[row];
    }

    int deviceId(int row) {
        return devices[row];
    }

    int systemId(int row) {
        return systems[row];
    }

    long timestampNs(int row) {
        return timestampsNs[row];
    }

    boolean hasValue(int row) {
        return !missing.get(row);
    }

    double value(int row) {
        return values[row];
    }

    /** The rows in the order of time; rows of the same time keep their order. */
    int[] inTimeOrder() {
        return TimeOrder.of(timestampsNs, size);
    }
}
