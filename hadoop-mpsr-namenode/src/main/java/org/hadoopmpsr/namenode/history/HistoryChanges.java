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
package org.hadoopmpsr.namenode.history;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.history.DatasetHistory;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.core.history.Tag;
import org.hadoopmpsr.core.history.UnknownStateException;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.segment.HistoryRecords;
import org.hadoopmpsr.namenode.segment.OwnerRule;
import org.jspecify.annotations.Nullable;

/**
 * Changes what is kept of the earlier states of datasets, by order of the dataset's owner or a superuser. A dataset that does not count its
 * changes counts them from then on. Thread-safe.
 */
public final class HistoryChanges {
    private static final String CALL = "mpsrSetHistory";

    private final MpsrNamesystem system;
    private final OwnerRule owners;
    private final DatasetLocks locks;
    private final DatasetUpgrade upgrade;
    private final Histories histories;
    private final HistoryRecords records;

    public HistoryChanges(
            MpsrNamesystem system,
            OwnerRule owners,
            DatasetLocks locks,
            DatasetUpgrade upgrade,
            Histories histories,
            HistoryRecords records) {
        this.system = system;
        this.owners = owners;
        this.locks = locks;
        this.upgrade = upgrade;
        this.histories = histories;
        this.records = records;
    }

    /** What is changed of the record of a dataset, of which the history is known. */
    private interface Change {
        HistoryRecord of(HistoryRecord record, DatasetHistory history) throws IOException;
    }

    /**
     * Gives a state a name.
     *
     * @param expected the id of the dataset that the caller knows; null for any
     * @param asOf which state; null for the present one
     * @return the number of the change after which the dataset is so
     * @throws IOException if there is no such state, or what it had is deleted, or another state has the name
     */
    public long tag(String path, @Nullable String expected, String name, @Nullable AsOf asOf) throws IOException {
        AsOf.checkTag(name);
        long[] sequence = new long[1];
        change(path, expected, (record, history) -> {
            try {
                sequence[0] = asOf == null
                        ? history.last()
                        : history.resolve(asOf, system.clock().now());
            } catch (UnknownStateException e) {
                throw new IOException("cannot tag " + asOf + " of " + path + ": " + e.getMessage(), e);
            }
            Tag known = record.tag(name).orElse(null);
            if (known != null && known.sequence() == sequence[0]) {
                return record; // this call came before
            }
            if (known != null) {
                throw new IOException("tag '" + name + "' of " + path + " names change " + known.sequence()
                        + " already; delete it first, or choose another name");
            }
            return record.with(new Tag(name, sequence[0], system.clock().now(), system.caller()));
        });
        return sequence[0];
    }

    /** Deletes a tag; no effect if there is none. */
    public void deleteTag(String path, @Nullable String expected, String name) throws IOException {
        change(path, expected, (record, history) -> record.without(name));
    }

    /**
     * Says for how long replaced files are kept.
     *
     * @param seconds {@link HistoryRecord#AS_CONFIGURED} for as long as the configuration says
     */
    public void keep(String path, @Nullable String expected, long seconds) throws IOException {
        change(path, expected, (record, history) -> record.keeping(seconds));
    }

    private void change(String path, @Nullable String expected, Change change) throws IOException {
        DatasetRecord dataset = owners.require(CALL, path, expected, "change the history of");
        locks.alone(dataset, () -> {
            upgrade.run(dataset);
            DatasetHistory history = histories.of(dataset).history();
            return system.write(CALL, edits -> {
                HistoryRecord known = records.get(dataset);
                HistoryRecord record = known == null ? history.kept() : known;
                if (record.horizon() > history.kept().horizon()
                        || !record.tags().containsAll(history.kept().tags())) {
                    throw new IOException(
                            "files of earlier states of " + path + " were deleted in this moment; try again");
                }
                records.put(edits, dataset, change.of(record, history));
                return true;
            });
        });
    }
}
