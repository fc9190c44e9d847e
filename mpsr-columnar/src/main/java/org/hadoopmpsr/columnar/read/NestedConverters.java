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
package org.hadoopmpsr.columnar.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.hadoopmpsr.columnar.nested.ListLevels;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Makes what Parquet's reader hands the values of a nested column to. Lists may have two levels, as old writers made them: the
 * rules are those of Parquet's specification. Of structs the fields that file and column have are read, and others are null.
 */
final class NestedConverters {
    private final NestedWriter form;

    /** @param form gets the values */
    NestedConverters(NestedWriter form) {
        this.form = form;
    }

    /**
     * A type as it is read.
     *
     * @param type what is read of the type of the file, in the order of the column's type
     */
    record Made(Type type, Converter converter) {}

    /**
     * Makes it for a type of a file.
     *
     * @param begin called before each value that is not null
     * @return empty if the type of the file does not fit
     */
    Optional<Made> make(ColumnType wanted, Type type, Runnable begin) {
        return switch (wanted.kind()) {
            case STRUCT -> struct((StructType) wanted, type, begin);
            case LIST -> list((ListType) wanted, type, begin);
            case MAP -> map((MapType) wanted, type, begin);
            default ->
                isLeaf(wanted, type)
                        ? Optional.of(new Made(type, new LeafConverter(form, type.asPrimitiveType(), begin)))
                        : Optional.empty();
        };
    }

    /** Timestamps of twelve bytes have no converter. */
    private static boolean isLeaf(ColumnType wanted, Type type) {
        return type.isPrimitive()
                && type.asPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.INT96
                && PhysicalTypes.fits(wanted, type);
    }

    private Optional<Made> struct(StructType wanted, Type type, Runnable begin) {
        if (type.isPrimitive() || type.getLogicalTypeAnnotation() != null) {
            return Optional.empty();
        }
        GroupConverters.OfStruct struct = new GroupConverters.OfStruct(form, begin);
        List<Type> types = new ArrayList<>();
        for (int position = 0; position < wanted.fields().size(); position++) {
            StructType.Field field = wanted.fields().get(position);
            Type ofFile = find(type.asGroupType(), field.name());
            if (ofFile == null) {
                continue;
            }
            Optional<Made> made = ofFile.isRepetition(Repetition.REPEATED)
                    ? Optional.empty()
                    : make(field.type(), ofFile, struct.fieldAt(position));
            if (made.isEmpty()) {
                return Optional.empty();
            }
            types.add(made.get().type());
            struct.add(made.get().converter());
        }
        return types.isEmpty()
                ? Optional.empty() // nothing would tell where the struct is null
                : Optional.of(new Made(type.asGroupType().withNewFields(types), struct));
    }

    private static @Nullable Type find(GroupType group, String name) {
        return group.getFields().stream()
                .filter(field -> field.getName().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    private Optional<Made> list(ListType wanted, Type type, Runnable begin) {
        Type repeated = repeatedOf(type, type.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation);
        if (repeated == null) {
            return Optional.empty();
        }
        GroupConverters.OfList list = new GroupConverters.OfList(form, begin);
        if (ListLevels.isElement(repeated, type.getName())) {
            return make(wanted.element(), repeated, list.element())
                    .map(made -> new Made(type.asGroupType().withNewFields(made.type()), list.of(made.converter())));
        }
        if (holdsRepeated(repeated.asGroupType())) {
            return Optional.empty();
        }
        GroupConverters.OfRepeated group = new GroupConverters.OfRepeated(form, list.element());
        return make(wanted.element(), repeated.asGroupType().getType(0), group.value())
                .map(made -> new Made(
                        type.asGroupType().withNewFields(repeated.asGroupType().withNewFields(made.type())),
                        list.of(group.of(made.converter()))));
    }

    /** Whether one element, key or value would be several. */
    private static boolean holdsRepeated(GroupType group) {
        return group.getFields().stream().anyMatch(field -> field.isRepetition(Repetition.REPEATED));
    }

    private Optional<Made> map(MapType wanted, Type type, Runnable begin) {
        LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
        Type repeated = repeatedOf(
                type,
                logical instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation
                        || logical instanceof LogicalTypeAnnotation.MapKeyValueTypeAnnotation);
        if (repeated == null
                || repeated.isPrimitive()
                || repeated.asGroupType().getFieldCount() != 2
                || holdsRepeated(repeated.asGroupType())) {
            return Optional.empty();
        }
        GroupConverters.OfMap map = new GroupConverters.OfMap(form, begin);
        GroupConverters.OfEntry entry = map.entry();
        Optional<Made> key = make(wanted.key(), repeated.asGroupType().getType(0), entry.key());
        Optional<Made> value = make(wanted.value(), repeated.asGroupType().getType(1), entry.value());
        if (key.isEmpty() || value.isEmpty()) {
            return Optional.empty();
        }
        Type read = repeated.asGroupType()
                .withNewFields(key.get().type(), value.get().type());
        return Optional.of(new Made(
                type.asGroupType().withNewFields(read),
                map.of(entry.of(key.get().converter(), value.get().converter()))));
    }

    /** The only field of a group, which repeats; null if the type is no such group. */
    private static @Nullable Type repeatedOf(Type type, boolean isAnnotated) {
        return isAnnotated
                        && !type.isPrimitive()
                        && type.asGroupType().getFieldCount() == 1
                        && type.asGroupType().getType(0).isRepetition(Repetition.REPEATED)
                ? type.asGroupType().getType(0)
                : null;
    }
}
