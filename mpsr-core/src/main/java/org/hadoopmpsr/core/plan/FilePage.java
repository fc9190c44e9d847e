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
import java.util.Iterator;
import java.util.List;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * A page of the files that a filter leaves of one representation. A page costs the evaluation of its own files, and of
 * the pruned files between them.
 *
 * @param next the start of the next page, or {@link #END}
 */
public record FilePage(List<DataFile> files, long next) {
    /** The position after the last file. */
    public static final long END = -1;

    private static final int PARTITION_SHIFT = 32;

    public FilePage {
        files = List.copyOf(files);
    }

    /**
     * The files in the order of {@link Plan#files()}.
     *
     * @param from 0 for the first page, otherwise {@link #next} of the page before
     * @param most the maximum number of files in a page
     */
    public static FilePage of(Schema schema, GroupFiles group, Filter filter, long from, int most) {
        Pruner pruner = new Pruner(schema, group.group().predicates());
        List<DataFile> files = new ArrayList<>();
        long partition = 0;
        Iterator<? extends PartitionFiles> partitions = group.partitions().iterator();
        for (; partitions.hasNext() && partition < from >>> PARTITION_SHIFT; partition++) {
            partitions.next();
        }
        int first = (int) from;
        for (; partitions.hasNext(); partition++) {
            PartitionFiles next = partitions.next();
            FileStatistics summary = next.summary();
            List<DataFile> all = summary == null || pruner.mayMatch(filter, summary) ? next.files() : List.of();
            for (int i = first; i < all.size(); i++) {
                if (files.size() == most) {
                    return new FilePage(files, partition << PARTITION_SHIFT | i);
                }
                DataFile file = all.get(i);
                if (pruner.mayMatch(filter, file.statistics())) {
                    files.add(file);
                }
            }
            first = 0;
        }
        return new FilePage(files, END);
    }
}
