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
package org.hadoopmpsr.benchmarks.generator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** The columns that a file of readings must have. */
final class ReadingsSchema {

    static final String TIMESTAMP_NS = "timestamp_ns";

    private static final Map<String, PrimitiveTypeName> COLUMNS = columns();

    private ReadingsSchema() {}

    private static Map<String, PrimitiveTypeName> columns() {
        Map<String, PrimitiveTypeName> columns = new LinkedHashMap<>();
        columns.put("signal", PrimitiveTypeName.BINARY);
        columns.put("device", PrimitiveTypeName.BINARY);
        columns.put("system", PrimitiveTypeName.BINARY);
        columns.put(TIMESTAMP_NS, PrimitiveTypeName.INT64);
        columns.put("value", PrimitiveTypeName.DOUBLE);
        return columns;
    }

    /**
     * The five columns of the file's schema, in the order signal, device, system, timestamp_ns, value.
     *
     * @throws IllegalArgumentException if one is missing or of another type
     */
    static MessageType checked(MessageType file) {
        List<Type> found = new ArrayList<>();
        COLUMNS.forEach((name, type) -> {
            if (!file.containsField(name)
                    || !file.getType(name).isPrimitive()
                    || file.getType(name).asPrimitiveType().getPrimitiveTypeName() != type) {
                throw new IllegalArgumentException("the Parquet file has no column '" + name + "' of the physical type "
                        + type + "; it has " + file.getFields()
                        + ". Write it with the columns signal, device, system (strings), timestamp_ns (int64),"
                        + " value (double).");
            }
            found.add(file.getType(name));
        });
        return new MessageType(file.getName(), found);
    }
}
