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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.IOException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.wire.ColumnWire;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.AlteredColumns;
import org.hadoopmpsr.core.history.DatasetHistory;
import org.hadoopmpsr.core.history.EarlierColumns;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.history.Histories;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Alters the columns of a dataset. Files stay as they are. Thread-safe. */
public final class ColumnAlteration {
    private static final Logger LOG = PrintableLog.of(ColumnAlteration.class);

    private final DefinitionChanges definitions;
    private final Histories histories;

    public ColumnAlteration(DefinitionChanges definitions, Histories histories) {
        this.definitions = definitions;
        this.histories = histories;
    }

    private interface Rule {
        DatasetColumns altered(DatasetRecord dataset, DatasetColumns now);
    }

    /**
     * Adds a column, the last one.
     *
     * @param expected the id of the dataset that the caller knows; null for any
     * @param column its name and type, as in a schema
     * @throws IllegalArgumentException if the wish makes no sense
     */
    public DatasetRecord add(String path, @Nullable String expected, String column) throws IOException {
        Column added = column(column);
        return alter(path, expected, (dataset, now) -> AlteredColumns.added(now, dataset.groups(), added));
    }

    /** Gives a column a type that holds more values; as {@link #add}. */
    public DatasetRecord widen(String path, @Nullable String expected, String column) throws IOException {
        Column wider = column(column);
        return alter(path, expected, (dataset, now) -> AlteredColumns.widened(now, dataset.groups(), wider));
    }

    /** Shows a column under another name; as {@link #add}. */
    public DatasetRecord rename(String path, @Nullable String expected, String name, String to) throws IOException {
        return alter(path, expected, (dataset, now) -> AlteredColumns.renamed(now, dataset.groups(), name, to));
    }

    /** Shows a column no more; as {@link #add}. */
    public DatasetRecord drop(String path, @Nullable String expected, String name) throws IOException {
        return alter(
                path, expected, (dataset, now) -> AlteredColumns.dropped(now, dataset.groups(), dataset.keys(), name));
    }

    /**
     * Shows a column at another place; as {@link #add}.
     *
     * @param after the column before it; null for the first place
     */
    public DatasetRecord move(String path, @Nullable String expected, String name, @Nullable String after)
            throws IOException {
        return alter(path, expected, (dataset, now) -> AlteredColumns.moved(now, name, after));
    }

    private static Column column(String text) {
        Schema one = Schema.parse(text);
        if (one.columns().size() != 1) {
            throw new IllegalArgumentException(
                    "'" + text + "' is more than one column; alter one at a time, such as 'pressure double'");
        }
        return one.columns().get(0);
    }

    private DatasetRecord alter(String path, @Nullable String expected, Rule rule) throws IOException {
        return definitions.byCall(path, expected, dataset -> {
            DatasetColumns now = dataset.columns();
            DatasetColumns altered = rule.altered(dataset, now);
            if (altered.equals(now)) {
                return;
            }
            DatasetProto.Builder definition = dataset.definition().toBuilder()
                    .setFormatVersion(
                            DatasetVersion.withColumns(dataset.definition().getFormatVersion(), altered))
                    .setSchema(altered.stored().ddl())
                    .clearShown()
                    .addAllShown(ColumnWire.shown(altered));
            if (!altered.stored().equals(now.stored())) {
                definition.setMixedFiles(true);
            }
            remember(dataset, now, altered, definition);
            definitions.put(dataset, definition.build());
            LOG.info("MPSR: {} has these columns from now on: {}", dataset.path(), altered.text());
        });
    }

    /** Keeps what readers saw, where they see more than a new column now. */
    private void remember(
            DatasetRecord dataset, DatasetColumns now, DatasetColumns altered, DatasetProto.Builder definition)
            throws IOException {
        if (!now.shown().areAsStored(now.stored()) || !altered.shown().areAsStored(altered.stored())) {
            DatasetHistory history = histories.history(dataset);
            definition.clearEarlier();
            EarlierColumns.with(ColumnWire.earlier(dataset.definition()), now.shown(), history)
                    .forEach(columns -> definition.addEarlier(ColumnWire.earlier(columns)));
        }
    }
}
