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
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.hadoopmpsr.client.readtimes.ReadTimesFile;
import org.hadoopmpsr.core.readtimes.ReadTime;

/**
 * Reads pieces of files, each by a connection of its own and twice: the second read finds it in memory. The pieces lie in the second half of a
 * file's first block, apart from each other, and are read from the last to the first: a DataNode reads ahead of what it is asked for. For one
 * thread.
 */
public final class PieceReads {
    private static final long SMALLEST = 64 << 10;
    private static final int SIZES = 4;
    /** As far as a DataNode reads ahead, unless it is configured otherwise. */
    private static final long AHEAD = 4 << 20;

    private static final int PIECES = 6;

    private final String here;
    private final Random random;
    private final List<ReadTime> first = new ArrayList<>();
    private final List<ReadTime> again = new ArrayList<>();

    /** @param seed equal seeds choose equal pieces of equal files */
    public PieceReads(long seed) throws IOException {
        this.here = InetAddress.getLocalHost().getHostName();
        this.random = new Random(seed);
    }

    /** Reads pieces of a file, of 64 KiB to 4 MiB; none if its first half is all that there is room for. */
    public void file(FileSystem fs, LocatedFileStatus file) throws IOException {
        BlockLocation[] blocks = file.getBlockLocations();
        if (blocks.length == 0 || blocks[0].getNames().length == 0) {
            return;
        }
        long half = Math.min(blocks[0].getLength(), file.getLen()) / 2;
        long start = half > 4 * AHEAD ? half + AHEAD : half;
        long room = (2 * half - start) / PIECES;
        String host = blocks[0].getHosts()[0];
        String reader = Calibration.isHere(blocks[0]) ? host : here;
        try (FSDataInputStream in = fs.open(file.getPath())) {
            List<long[]> pieces = new ArrayList<>();
            for (int i = PIECES - 1; i >= 0; i--) {
                long length = SMALLEST << 2 * random.nextInt(SIZES);
                if (length <= room) {
                    pieces.add(new long[] {start + i * room + (long) (random.nextDouble() * (room - length)), length});
                }
            }
            for (long[] piece : pieces) {
                first.add(read(in, host, reader, piece));
            }
            for (long[] piece : pieces) {
                again.add(read(in, host, reader, piece));
            }
        }
    }

    private static ReadTime read(FSDataInputStream in, String host, String reader, long[] piece) throws IOException {
        byte[] buffer = new byte[(int) piece[1]];
        long atMs = System.currentTimeMillis();
        long start = System.nanoTime();
        in.readFully(piece[0], buffer);
        return new ReadTime(host, "", reader, piece[1], Math.max(1, System.nanoTime() - start), atMs);
    }

    /** Writes all reads, each with its turn. */
    public void write(Path file) throws IOException {
        List<ReadTime> all = new ArrayList<>(first);
        all.addAll(again);
        List<String> turns = new ArrayList<>(Collections.nCopies(first.size(), "first"));
        turns.addAll(Collections.nCopies(again.size(), "again"));
        ReadTimesFile.write(file, all, "turn", turns);
    }

    /** The first reads of each piece, in their order. */
    public List<ReadTime> first() {
        return List.copyOf(first);
    }

    /** The second reads, in the order of the first ones. */
    public List<ReadTime> again() {
        return List.copyOf(again);
    }
}
