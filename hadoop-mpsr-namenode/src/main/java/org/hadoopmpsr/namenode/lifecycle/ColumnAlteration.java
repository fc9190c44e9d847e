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
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.AlteredColumns;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Attributes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Alters the columns of a dataset. Its files stay as they are. Thread-safe. */
public final class ColumnAlteration {
    private static final Logger LOG = PrintableLog.of(ColumnAlteration.class);

    private final MpsrNamesystem system;
    private final DefinitionChanges definitions;

    public ColumnAlteration(MpsrNamesystem system, DefinitionChanges definitions) {
        this.system = system;
        this.definitions = definitions;
    }

    private interface Rule {
        Schema altered(Schema now, ReplicaGroups groups, Column column);
    }

    /**
     * Adds a column, the last one.
     *
     * @param expected the id of the dataset that the caller knows; null for any
     * @param column its name and type, as in a schema
     * @throws IllegalArgumentException if the wish makes no sense
     */
    public DatasetRecord add(String path, @Nullable String expected, String column) throws IOException {
        return alter(path, expected, column, AlteredColumns::added);
    }

    /** Gives a column a type that holds more values; as {@link #add}. */
    public DatasetRecord widen(String path, @Nullable String expected, String column) throws IOException {
        return alter(path, expected, column, AlteredColumns::widened);
    }

    private DatasetRecord alter(String path, @Nullable String expected, String text, Rule rule) throws IOException {
        Schema one = Schema.parse(text);
        if (one.columns().size() != 1) {
            throw new IllegalArgumentException(
                    "'" + text + "' is more than one column; alter one at a time, such as 'pressure double'");
        }
        Column column = one.columns().get(0);
        return definitions.byCall(path, expected, dataset -> {
            Schema altered = rule.altered(dataset.schema(), dataset.groups(), column);
            DatasetProto definition = dataset.definition().toBuilder()
                    .setFormatVersion(
                            DatasetVersion.withSchema(dataset.definition().getFormatVersion(), altered))
                    .setSchema(altered.ddl())
                    .setMixedFiles(true)
                    .build();
            system.write(DefinitionChanges.CALL, edits -> {
                edits.checkXAttr(dataset.path(), Attributes.DATASET, definition.toByteArray());
                definitions.put(edits, dataset, definition);
                return true;
            });
            LOG.info("MPSR: {} has the column '{}' from now on", dataset.path(), column.ddl());
        });
    }
}
