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
package org.hadoopmpsr.client.wire;

import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.client.proto.MpsrProtos.EarlierColumnsProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ShownColumnProto;
import org.hadoopmpsr.core.history.EarlierColumns;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumn;
import org.hadoopmpsr.core.schema.ShownColumns;

/** Translates the columns of datasets. Without messages of shown columns, those of the schema are shown. */
public final class ColumnWire {

    private ColumnWire() {}

    /** The columns in a definition. */
    public static DatasetColumns columns(DatasetProto definition) {
        Schema schema = Schema.parse(definition.getSchema());
        return new DatasetColumns(schema, shown(schema, definition.getShownList()));
    }

    public static ShownColumns shown(Schema schema, List<ShownColumnProto> protos) {
        return protos.isEmpty()
                ? ShownColumns.of(schema)
                : new ShownColumns(protos.stream().map(ColumnWire::shown).toList());
    }

    private static ShownColumn shown(ShownColumnProto proto) {
        return new ShownColumn(proto.getName(), proto.getStored());
    }

    /** What readers saw in earlier states. */
    public static List<EarlierColumns> earlier(DatasetProto definition) {
        return definition.getEarlierList().stream()
                .map(proto -> new EarlierColumns(
                        proto.getUntil(),
                        new ShownColumns(proto.getShownList().stream()
                                .map(ColumnWire::shown)
                                .toList())))
                .toList();
    }

    /** The message for what readers saw in earlier states. */
    public static EarlierColumnsProto earlier(EarlierColumns columns) {
        return EarlierColumnsProto.newBuilder()
                .setUntil(columns.until())
                .addAllShown(all(columns.shown()))
                .build();
    }

    /** The messages for columns; none if they are shown as they are stored. */
    public static List<ShownColumnProto> shown(DatasetColumns columns) {
        return columns.shown().areAsStored(columns.stored()) ? List.of() : all(columns.shown());
    }

    /** The messages for columns, however they are shown. */
    private static List<ShownColumnProto> all(ShownColumns shown) {
        return shown.columns().stream()
                .map(column -> ShownColumnProto.newBuilder()
                        .setName(column.name())
                        .setStored(column.stored())
                        .build())
                .toList();
    }
}
