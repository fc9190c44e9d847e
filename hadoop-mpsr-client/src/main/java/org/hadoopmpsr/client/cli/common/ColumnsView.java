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
package org.hadoopmpsr.client.cli.common;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.ShownColumn;

/** Shows the columns of a dataset. */
public final class ColumnsView {

    private ColumnsView() {}

    /** The columns that readers with MPSR see, in order, each with the name that it has in files. */
    public static List<Object> json(DatasetColumns columns) {
        List<Object> all = new ArrayList<>();
        for (ShownColumn shown : columns.shown().columns()) {
            columns.stored().find(shown.stored()).ifPresent(stored -> {
                Map<String, Object> column = new LinkedHashMap<>();
                column.put("name", shown.name());
                column.put("stored", stored.name());
                column.put("type", stored.type().ddl());
                column.put("nullable", stored.nullable());
                all.add(column);
            });
        }
        return all;
    }
}
