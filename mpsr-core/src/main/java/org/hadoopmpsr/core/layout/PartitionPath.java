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
package org.hadoopmpsr.core.layout;

import java.time.LocalDate;
import java.util.List;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/** The directory of a partition as Hive writes it: {@code day=2017-05-01/system=CRYO}. */
public final class PartitionPath {
    /** The name that Hive gives to null. */
    public static final String NULL = "__HIVE_DEFAULT_PARTITION__";

    private static final String ESCAPED = "\"#%'*/:=?\\{[]^\u007f";

    private PartitionPath() {}

    /**
     * The relative directory of a partition tuple.
     *
     * @param fields the group's partition fields
     * @param values a value for each field, null allowed
     */
    public static String of(List<Column> fields, List<? extends @Nullable Object> values) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            path.append(i == 0 ? "" : "/")
                    .append(escape(fields.get(i).name()))
                    .append('=')
                    .append(text(fields.get(i).type(), values.get(i)));
        }
        return path.toString();
    }

    private static String text(ColumnType type, @Nullable Object value) {
        if (value == null || value.equals("")) {
            return NULL;
        }
        return escape(
                type == ColumnType.DATE ? LocalDate.ofEpochDay((Long) value).toString() : value.toString());
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || ESCAPED.indexOf(c) >= 0) {
                escaped.append(String.format("%%%02X", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
