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
package org.hadoopmpsr.core.schema;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Named values of any types; at least one, and no name twice. */
public record StructType(List<Field> fields) implements NestedType {

    /** A value of a struct. Its name is formed as that of a column, and compared without regard to case. */
    public record Field(String name, ColumnType type) {
        /** @throws IllegalArgumentException if the name is none */
        public Field {
            ColumnName.check(name);
        }
    }

    /** @throws IllegalArgumentException if there is no field, or a name twice */
    public StructType {
        fields = List.copyOf(fields);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("a struct needs at least one field, such as struct<x:double>");
        }
        ColumnName.firstTwin(fields.stream().map(Field::name).toList()).ifPresent(name -> {
            throw new IllegalArgumentException("field '" + name + "' is named twice in a struct");
        });
    }

    /** The position of a field by its name without regard to case. */
    public OptionalInt indexOf(String name) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equalsIgnoreCase(name)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    @Override
    public Kind kind() {
        return Kind.STRUCT;
    }

    @Override
    public String ddl() {
        return fields.stream()
                .map(field -> ColumnName.text(field.name()) + ":" + field.type().ddl())
                .collect(Collectors.joining(",", "struct<", ">"));
    }

    @Override
    public String toString() {
        return ddl();
    }
}
