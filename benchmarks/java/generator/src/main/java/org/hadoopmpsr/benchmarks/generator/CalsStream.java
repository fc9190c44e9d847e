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

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Readings of a catalog's signals, one after the other. Time goes on evenly; a share of the readings comes late, and a
 * share comes twice. The same seed makes the same readings. For one thread.
 */
public final class CalsStream {
    private static final byte[][] MODES =
            utf8("INJPROT", "INJPHYS", "PRERAMP", "RAMP", "FLATTOP", "SQUEEZE", "STABLE", "DUMP", "RAMPDOWN");
    private static final long FILL_NS = 12L * 3600 * 1_000_000_000;
    private static final long MAX_LATE_NS = 48L * 3600 * 1_000_000_000;
    private static final int RECENT = 1024;

    private final CalsCatalog catalog;
    private final Shape shape;
    private final SplittableRandom random;
    private final Reading[] recent = new Reading[RECENT];
    private final byte[] scratch = new byte[1024];
    private long count;
    private long timeNs;

    /**
     * How the readings come.
     *
     * @param startNs the time of the first one, in nanoseconds since the epoch
     * @param stepNs the time between two readings
     * @param lateShare how many of them come up to two days late, from 0 to 1
     * @param duplicateShare how many of them come again soon after, from 0 to 1
     * @param nullShare how many of them have no value, from 0 to 1
     */
    public record Shape(long startNs, long stepNs, double lateShare, double duplicateShare, double nullShare) {}

    /** One reading; {@code mode} is the position of the beam mode in its cycle. */
    public record Reading(int signal, long timestampNs, boolean hasValue, double value, long fill, int mode) {}

    /** Begins the readings of a catalog; the same seed makes the same readings. */
    public CalsStream(CalsCatalog catalog, Shape shape, long seed) {
        this.catalog = catalog;
        this.shape = shape;
        random = new SplittableRandom(seed);
        timeNs = shape.startNs();
    }

    /** The next reading. */
    public Reading next() {
        if (count > RECENT && random.nextDouble() < shape.duplicateShare()) {
            return recent[random.nextInt(RECENT)];
        }
        timeNs += shape.stepNs();
        long at = timeNs;
        if (random.nextDouble() < shape.lateShare()) {
            at -= random.nextLong(Math.min(MAX_LATE_NS, at - shape.startNs()) + 1);
        }
        int signal = catalog.draw(random);
        boolean hasValue = random.nextDouble() >= shape.nullShare();
        double value = catalog.level(signal) + random.nextInt(-50, 51) / 100.0;
        long sinceStart = Math.floorDiv(at, FILL_NS);
        int mode = (int) (Math.floorMod(at, FILL_NS) * MODES.length / FILL_NS);
        Reading reading = new Reading(signal, at, hasValue, value, sinceStart, mode);
        recent[(int) (count++ % RECENT)] = reading;
        return reading;
    }

    /** The name of a beam mode. */
    public static byte[] mode(int mode) {
        return MODES[mode];
    }

    /** A reading as the message of {@code data/measurement.proto}. */
    public byte[] encode(Reading reading) {
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(scratch);
            out.writeByteArray(1, catalog.signal(reading.signal()));
            out.writeByteArray(2, catalog.device(reading.signal()));
            out.writeByteArray(3, catalog.system(reading.signal()));
            out.writeInt64(4, reading.timestampNs());
            if (reading.hasValue()) {
                out.writeDouble(5, reading.value());
            }
            out.writeInt64(6, reading.fill());
            out.writeByteArray(7, mode(reading.mode()));
            return Arrays.copyOf(scratch, out.getTotalBytesWritten());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "a reading of " + new String(catalog.signal(reading.signal()), StandardCharsets.UTF_8)
                            + " is too long",
                    e);
        }
    }

    private static byte[][] utf8(String... texts) {
        byte[][] all = new byte[texts.length][];
        for (int i = 0; i < texts.length; i++) {
            all[i] = texts[i].getBytes(StandardCharsets.UTF_8);
        }
        return all;
    }
}
