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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The signals of an imagined accelerator: each belongs to a device and each device to a system, and a few signals log
 * most of the records. The n-th busiest signal logs in proportion to 1/n, as the archives of accelerators roughly do.
 * Immutable; the same seed makes the same catalog.
 */
public final class CalsCatalog {
    private static final String[] SYSTEMS = {
        "CRYO", "VACUUM", "RF", "BPM", "BLM", "MAGNETS", "QPS", "COLLIMATORS", "BEAMDUMP", "TIMING", "COOLING", "RADMON"
    };
    private static final String[] KINDS = {"I_MEAS", "U_MEAS", "TEMP", "PRESSURE", "POS_H", "POS_V", "STATUS", "LOSS"};

    private final byte[][] systems;
    private final byte[][] devices;
    private final byte[][] signals;
    private final int[] deviceOfSignal;
    private final double[] levels;
    private final double[] keep;
    private final int[] alias;

    /**
     * Makes a catalog.
     *
     * @param signalCount how many signals, at least 1
     * @param deviceCount how many devices, at least 1
     * @param systemCount how many systems, at least 1
     * @param seed draws which signal belongs to which device, and how often each logs
     */
    public CalsCatalog(int signalCount, int deviceCount, int systemCount, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        systems = new byte[systemCount][];
        for (int i = 0; i < systemCount; i++) {
            systems[i] = utf8(i < SYSTEMS.length ? SYSTEMS[i] : "SYSTEM" + i);
        }
        devices = new byte[deviceCount][];
        for (int i = 0; i < deviceCount; i++) {
            devices[i] = utf8(text(systems[i % systemCount]) + ".R" + (i % 8 + 1) + ".D" + i);
        }
        signals = new byte[signalCount][];
        deviceOfSignal = new int[signalCount];
        levels = new double[signalCount];
        for (int i = 0; i < signalCount; i++) {
            deviceOfSignal[i] = random.nextInt(deviceCount);
            signals[i] = utf8(text(devices[deviceOfSignal[i]]) + ":" + KINDS[i % KINDS.length] + "_" + i);
            levels[i] = Math.rint(random.nextDouble() * 10_000) / 10;
        }
        keep = new double[signalCount];
        alias = new int[signalCount];
        buildAliases(random);
    }

    /** The alias method of Walker (1977) in Vose's form (1991): a signal by its rate in constant time. */
    private void buildAliases(SplittableRandom random) {
        int n = signals.length;
        int[] ranks = new int[n];
        Arrays.setAll(ranks, i -> i);
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = ranks[i];
            ranks[i] = ranks[j];
            ranks[j] = swapped;
        }
        double sum = 0;
        for (int i = 1; i <= n; i++) {
            sum += 1.0 / i;
        }
        double[] scaled = new double[n];
        int[] small = new int[n];
        int[] large = new int[n];
        int smalls = 0;
        int larges = 0;
        for (int i = 0; i < n; i++) {
            scaled[i] = n / (sum * (ranks[i] + 1));
            if (scaled[i] < 1) {
                small[smalls++] = i;
            } else {
                large[larges++] = i;
            }
        }
        Arrays.fill(keep, 1);
        while (smalls > 0 && larges > 0) {
            int less = small[--smalls];
            int more = large[larges - 1];
            keep[less] = scaled[less];
            alias[less] = more;
            scaled[more] -= 1 - scaled[less];
            if (scaled[more] < 1) {
                larges--;
                small[smalls++] = more;
            }
        }
    }

    /** Draws a signal by its rate. */
    int draw(SplittableRandom random) {
        int column = random.nextInt(keep.length);
        return random.nextDouble() < keep[column] ? column : alias[column];
    }

    /** The name of a signal in UTF-8; not a copy. */
    public byte[] signal(int signal) {
        return signals[signal];
    }

    /** The name of a signal's device in UTF-8; not a copy. */
    public byte[] device(int signal) {
        return devices[deviceOfSignal[signal]];
    }

    /** The name of a signal's system in UTF-8; not a copy. */
    public byte[] system(int signal) {
        return systems[deviceOfSignal[signal] % systems.length];
    }

    /** What a signal's values lie around. */
    double level(int signal) {
        return levels[signal];
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
