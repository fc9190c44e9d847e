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
package org.hadoopmpsr.core.cost;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The tasks that Spark makes of files with default settings, and the time that they take. Files are cut into pieces of
 * at most an even share of all lengths, limited to 4 to 128 MB. The longest piece comes first, and a task takes pieces
 * until the next piece is too large. Each core takes the next task when it is free. Tasks are therefore as uneven as
 * the lengths of the files.
 */
public final class FileTasks {
    /** Spark's default of {@code spark.sql.files.openCostInBytes}. */
    private static final long OPEN_BYTES = 4L << 20;
    /** Spark's default of {@code spark.sql.files.maxPartitionBytes}. */
    private static final long MOST_BYTES = 128L << 20;

    private FileTasks() {}

    /**
     * A file or a piece of a file.
     *
     * @param length in bytes; a reader may need only a few of them
     * @param ms the milliseconds in which one task reads it
     */
    public record Piece(long length, double ms) {}

    /**
     * The milliseconds until the last task ends.
     *
     * @param files in the order of the listing
     * @param parallelism the number of tasks that run at a time, from 1
     */
    public static double doneMs(Collection<Piece> files, int parallelism) {
        return doneMs(files, parallelism, MOST_BYTES, 0);
    }

    /**
     * As {@link #doneMs(Collection, int)}, with another limit of the pieces.
     *
     * @param mostBytes {@code spark.sql.files.maxPartitionBytes}
     * @param taskMs the milliseconds that each task takes besides
     */
    public static double doneMs(Collection<Piece> files, int parallelism, long mostBytes, double taskMs) {
        PriorityQueue<Double> free = new PriorityQueue<>();
        double last = 0;
        for (double ms : tasksMs(files, parallelism, mostBytes)) {
            double done = taskMs + ms + (free.size() < parallelism ? 0 : free.remove());
            free.add(done);
            last = Math.max(last, done);
        }
        return last;
    }

    /** The time of each task, in the order in which the tasks start. */
    private static List<Double> tasksMs(Collection<Piece> files, int parallelism, long mostBytes) {
        long share = files.stream().mapToLong(f -> f.length() + OPEN_BYTES).sum() / parallelism;
        long most = Math.min(mostBytes, Math.max(OPEN_BYTES, share));
        List<Double> tasks = new ArrayList<>();
        long bytes = 0;
        double ms = 0;
        for (Piece piece : pieces(files, most)) {
            if (bytes + piece.length() > most) {
                tasks.add(ms);
                bytes = 0;
                ms = 0;
            }
            bytes += piece.length() + OPEN_BYTES;
            ms += piece.ms();
        }
        tasks.add(ms);
        return tasks;
    }

    /** The pieces from the longest to the shortest. The time of a file divides among its pieces by length. */
    private static List<Piece> pieces(Collection<Piece> files, long most) {
        List<Piece> pieces = new ArrayList<>(files.size());
        for (Piece file : files) {
            long left = file.length();
            for (; left > most; left -= most) {
                pieces.add(new Piece(most, file.ms() * most / file.length()));
            }
            pieces.add(left == file.length() ? file : new Piece(left, file.ms() * left / file.length()));
        }
        pieces.sort(Comparator.comparingLong(Piece::length).reversed());
        return pieces;
    }
}
