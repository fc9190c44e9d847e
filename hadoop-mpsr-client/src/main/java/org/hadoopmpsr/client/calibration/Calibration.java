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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.net.NetUtils;

/**
 * Measures the cost of reads by reading files. Data that DataNodes or the operating system still have in memory arrives
 * faster than data from disks: use files that were not read lately.
 */
public final class Calibration {
    /** Half of a block that is shorter shows no bandwidth. */
    private static final long LONG_ENOUGH = 512 << 10;
    /** The maximum number of bytes that are read of a file. */
    private static final long ENOUGH = 64 << 20;

    private static final int TAIL = 8;
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private final List<Double> openMs = new ArrayList<>();
    private final List<Double> openAgainMs = new ArrayList<>();
    private final Reads local = new Reads();
    private final Reads remote = new Reads();

    /**
     * Reads of one kind: the milliseconds until the first byte, and the megabytes per second of the following bytes.
     */
    private static final class Reads {
        private final List<Double> firstByteMs = new ArrayList<>();
        private final List<Double> mbPerSecond = new ArrayList<>();
    }

    /** The median of measurements, and the range of the middle eight of ten. */
    public record Figure(double median, double low, double high, int count) {
        static Optional<Figure> of(List<Double> measured) {
            double[] sorted = measured.stream().mapToDouble(m -> m).sorted().toArray();
            return sorted.length == 0
                    ? Optional.empty()
                    : Optional.of(new Figure(at(sorted, 0.5), at(sorted, 0.1), at(sorted, 0.9), sorted.length));
        }

        private static double at(double[] sorted, double share) {
            return sorted[(int) Math.round(share * (sorted.length - 1))];
        }
    }

    /**
     * Opens the file and reads the footer, as readers of Parquet begin. Measures nothing for files that are not
     * Parquet.
     *
     * @param again true if the footer was read before, and is in memory
     */
    public void footer(FileSystem fs, LocatedFileStatus file, boolean again) throws IOException {
        if (file.getLen() <= TAIL + MAGIC.length) {
            return;
        }
        long start = System.nanoTime();
        try (FSDataInputStream in = fs.open(file.getPath())) {
            byte[] tail = new byte[TAIL];
            in.readFully(file.getLen() - TAIL, tail);
            long footer = littleEndian(tail);
            if (Arrays.equals(MAGIC, Arrays.copyOfRange(tail, TAIL - MAGIC.length, TAIL))
                    && footer > 0
                    && footer < file.getLen() - TAIL) {
                in.readFully(file.getLen() - TAIL - footer, new byte[(int) footer]);
                (again ? openAgainMs : openMs).add((System.nanoTime() - start) / 1e6);
            }
        }
    }

    private static long littleEndian(byte[] bytes) {
        return (bytes[0] & 0xFFL) | (bytes[1] & 0xFFL) << 8 | (bytes[2] & 0xFFL) << 16 | (bytes[3] & 0xFFL) << 24;
    }

    /** Reads the first half of the file's first block from the replica that HDFS offers. */
    public void block(FileSystem fs, LocatedFileStatus file) throws IOException {
        BlockLocation[] blocks = file.getBlockLocations();
        if (blocks.length == 0 || blocks[0].getNames().length == 0) {
            return;
        }
        Reads reads = isHere(blocks[0]) ? local : remote;
        long length = Math.max(1, Math.min(ENOUGH, Math.min(blocks[0].getLength(), file.getLen()) / 2));
        byte[] buffer = new byte[1 << 20];
        try (FSDataInputStream in = fs.open(file.getPath())) {
            long start = System.nanoTime();
            in.readFully(buffer, 0, 1);
            long first = System.nanoTime();
            for (long left = length - 1; left > 0; ) {
                int next = (int) Math.min(left, buffer.length);
                in.readFully(buffer, 0, next);
                left -= next;
            }
            reads.firstByteMs.add((first - start) / 1e6);
            if (length >= LONG_ENOUGH) {
                reads.mbPerSecond.add((length - 1) / 1e6 / ((System.nanoTime() - first) / 1e9));
            }
        }
    }

    static boolean isHere(BlockLocation block) throws IOException {
        for (String name : block.getNames()) {
            InetSocketAddress address = NetUtils.createSocketAddr(name);
            if (!address.isUnresolved() && NetUtils.isLocalAddress(address.getAddress())) {
                return true;
            }
        }
        return false;
    }

    /** The milliseconds to open a Parquet file and read its footer. */
    public Optional<Figure> openMs() {
        return Figure.of(openMs);
    }

    /** The milliseconds to open a Parquet file and read its footer, which is in memory. */
    public Optional<Figure> openAgainMs() {
        return Figure.of(openAgainMs);
    }

    /** The milliseconds until the first byte of a block on this host. */
    public Optional<Figure> localFirstByteMs() {
        return Figure.of(local.firstByteMs);
    }

    /** The bandwidth of blocks on this host, in megabytes (10^6 bytes) per second. */
    public Optional<Figure> localMbPerSecond() {
        return Figure.of(local.mbPerSecond);
    }

    /** The milliseconds until the first byte of a block on another host. */
    public Optional<Figure> remoteFirstByteMs() {
        return Figure.of(remote.firstByteMs);
    }

    /** The bandwidth of blocks on other hosts, in megabytes (10^6 bytes) per second. */
    public Optional<Figure> remoteMbPerSecond() {
        return Figure.of(remote.mbPerSecond);
    }
}
