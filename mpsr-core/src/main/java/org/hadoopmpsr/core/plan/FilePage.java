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
package org.hadoopmpsr.core.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * A page of the files that a filter leaves of one representation. A page costs the evaluation of its own files, and of
 * the pruned files between them.
 *
 * @param starts where a page starts that begins with each of the files
 * @param next the start of the next page, or {@link #END}
 */
public record FilePage(List<DataFile> files, List<Long> starts, long next) {
    /** The position after the last file. */
    public static final long END = -1;

    private static final int PARTITION_SHIFT = 32;

    public FilePage {
        files = List.copyOf(files);
        starts = List.copyOf(starts);
    }

    /** The first files of this page. */
    public FilePage first(int count) {
        return count >= files.size()
                ? this
                : new FilePage(files.subList(0, count), starts.subList(0, count), starts.get(count));
    }

    /**
     * The files in the order of {@link Plan#files()}.
     *
     * @param from 0 for the first page, otherwise a {@link #next} of a page before
     * @param limit the size of the page
     * @param workLimit ends the work
     * @throws IllegalArgumentException if no page starts there
     * @throws WorkLimit.Overrun from {@code workLimit}
     */
    public static FilePage of(
            Schema schema, GroupFiles group, Filter filter, long from, Limit limit, WorkLimit workLimit) {
        int first = (int) from;
        if (from < 0 || first < 0) {
            throw new IllegalArgumentException("no page of a plan starts at " + Long.toUnsignedString(from)
                    + "; ask for the next of a page before");
        }
        Pruner pruner = new Pruner(schema, group.group().predicates());
        List<DataFile> files = new ArrayList<>();
        List<Long> starts = new ArrayList<>();
        long bytes = 0;
        long partition = 0;
        Iterator<? extends PartitionFiles> partitions = group.partitions().iterator();
        for (; partitions.hasNext() && partition < from >>> PARTITION_SHIFT; partition++) {
            partitions.next();
        }
        for (; partitions.hasNext(); partition++) {
            workLimit.spend(1);
            PartitionFiles next = partitions.next();
            FileStatistics summary = next.summary();
            List<DataFile> all = summary == null || pruner.mayMatch(filter, summary) ? next.files() : List.of();
            for (int i = first; i < all.size(); i++) {
                long start = partition << PARTITION_SHIFT | i;
                if (files.size() == limit.files() || bytes > limit.bytes()) {
                    return new FilePage(files, starts, start);
                }
                workLimit.spend(1);
                DataFile file = all.get(i);
                if (pruner.mayMatch(filter, file.statistics())) {
                    DataFile kept = limit.kept(file);
                    files.add(kept);
                    starts.add(start);
                    bytes += Limit.bytes(kept);
                }
            }
            first = 0;
        }
        return new FilePage(files, starts, END);
    }

    /**
     * How large a page of a plan becomes.
     *
     * @param files the maximum number of files
     * @param bytes about how many bytes the files may take in an answer; a page has at least one file all the same
     * @param columns the columns whose statistics the files of the page have, in lower case
     */
    public record Limit(int files, long bytes, Set<String> columns) {
        /** Of a file's numbers and the frame of its message. */
        private static final int FILE_BYTES = 64;
        /** Of a column's numbers, bounds and values. */
        private static final int COLUMN_BYTES = 64;

        public Limit {
            columns = Set.copyOf(columns);
        }

        /** @param names columns by name without regard to case */
        public static Limit of(int files, long bytes, Collection<String> names) {
            return new Limit(
                    files,
                    bytes,
                    names.stream().map(n -> n.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet()));
        }

        /** The file with the statistics of the page's columns. */
        DataFile kept(DataFile file) {
            return file.withColumns(columns);
        }

        /** About how many bytes a file takes in an answer, without its blocks. */
        public static long bytes(DataFile file) {
            long bytes = FILE_BYTES + file.path().length();
            for (var column : file.statistics().columns().entrySet()) {
                ColumnStatistics its = column.getValue();
                bytes += COLUMN_BYTES + column.getKey().length() + length(its.min()) + length(its.max());
            }
            return bytes;
        }

        private static int length(@Nullable Object bound) {
            return bound instanceof String text ? text.length() : 0;
        }
    }
}
