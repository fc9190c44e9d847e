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
package org.hadoopmpsr.namenode.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;

/** Divides long work into short holds of the namesystem's lock, so that other operations come in between. */
public final class LockSteps {
    /** The number of files or blocks in one hold of the lock. */
    public static final int SIZE = 1_000;
    /** The number of changed files in one hold of the write lock, each of which is an edit of HDFS. */
    private static final int EDITS = 100;

    private LockSteps() {}

    /** The items from an index up to another one, which is not part of it. */
    public record Range(int from, int to) {}

    /** The work of one hold of the read lock. */
    public interface Look<T> {
        void run(List<T> items) throws IOException;
    }

    /** The work of one hold of the write lock. */
    public interface Edit<T> {
        void run(NamespaceEdits edits, List<T> items) throws IOException;
    }

    /** Looks at all items with the read lock. */
    public static <T> void read(MpsrNamesystem system, List<T> items, Look<T> look) throws IOException {
        for (List<T> part : parts(items, SIZE)) {
            system.read(() -> {
                look.run(part);
                return true;
            });
        }
    }

    /** Edits for all items with the write lock. */
    public static <T> void write(MpsrNamesystem system, String operation, List<T> items, Edit<T> edit)
            throws IOException {
        for (List<T> part : parts(items, EDITS)) {
            system.write(operation, edits -> {
                edit.run(edits, part);
                return true;
            });
        }
    }

    /** Consecutive parts of a list, each of at most so many items. */
    public static <T> List<List<T>> parts(List<T> items, int size) {
        List<List<T>> parts = new ArrayList<>();
        for (Range range : ranges(items.size(), size)) {
            parts.add(items.subList(range.from(), range.to()));
        }
        return parts;
    }

    /** Consecutive ranges of so many items. */
    public static List<Range> ranges(int items) {
        return ranges(items, SIZE);
    }

    private static List<Range> ranges(int items, int size) {
        List<Range> ranges = new ArrayList<>();
        for (int from = 0; from < items; from += size) {
            ranges.add(new Range(from, Math.min(from + size, items)));
        }
        return ranges;
    }
}
