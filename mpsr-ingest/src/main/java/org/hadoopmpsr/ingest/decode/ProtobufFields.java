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
package org.hadoopmpsr.ingest.decode;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/** Finds in compiled .proto files the message of a topic, and the fields that fill the columns. */
public final class ProtobufFields {

    private ProtobufFields() {}

    /**
     * Reads a message's description.
     *
     * @param descriptorSet what {@code protoc --include_imports --descriptor_set_out} writes
     * @param message the full name, with its package
     * @throws IllegalArgumentException when the file is none, or lacks the message
     */
    public static Descriptor load(Path descriptorSet, String message) {
        Map<String, FileDescriptorProto> protos = new LinkedHashMap<>();
        try {
            FileDescriptorSet.parseFrom(Files.readAllBytes(descriptorSet))
                    .getFileList()
                    .forEach(f -> protos.put(f.getName(), f));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot read the FileDescriptorSet '" + descriptorSet
                            + "'; write it with protoc --include_imports --descriptor_set_out=FILE: " + e,
                    e);
        }
        Map<String, FileDescriptor> linked = new LinkedHashMap<>();
        TreeSet<String> known = new TreeSet<>();
        for (String name : protos.keySet()) {
            FileDescriptor file = link(name, protos, linked, descriptorSet);
            for (Descriptor descriptor : file.getMessageTypes()) {
                known.add(descriptor.getFullName());
                Descriptor found = find(descriptor, message);
                if (found != null) {
                    return found;
                }
            }
        }
        throw new IllegalArgumentException(
                "there is no message '" + message + "' in '" + descriptorSet + "'; it has " + known);
    }

    /**
     * The fields in the order of the schema's columns.
     *
     * @throws IllegalArgumentException listing every field that is missing or does not fit its column
     */
    static List<FieldDescriptor> of(Descriptor message, Schema schema, ColumnMapping mapping) {
        List<String> names = mapping.fields(schema);
        List<String> problems = new ArrayList<>();
        List<FieldDescriptor> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Column column = schema.columns().get(i);
            FieldDescriptor field = message.findFieldByName(names.get(i));
            if (field == null) {
                problems.add("column '" + column.name() + "': message " + message.getFullName() + " has no field '"
                        + names.get(i) + "'; map the column in mpsr.columns");
            } else if (!fits(field, column)) {
                problems.add("column '" + column.name() + "' of type "
                        + column.type().ddl() + ": field '"
                        + names.get(i) + "' of type " + (field.isRepeated() ? "repeated " : "")
                        + typeName(field) + " cannot fill it");
            } else {
                fields.add(field);
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return fields;
    }

    static boolean isTimestamp(FieldDescriptor field) {
        return field.getType() == FieldDescriptor.Type.MESSAGE
                && field.getMessageType().getFullName().equals("google.protobuf.Timestamp");
    }

    private static boolean fits(FieldDescriptor field, Column column) {
        if (field.isRepeated()) {
            return false;
        }
        boolean whole = field.getJavaType() == FieldDescriptor.JavaType.INT
                || field.getJavaType() == FieldDescriptor.JavaType.LONG;
        return switch (column.type()) {
            case STRING ->
                field.getType() == FieldDescriptor.Type.STRING || field.getType() == FieldDescriptor.Type.ENUM;
            case INT, LONG, DATE -> whole;
            case TIMESTAMP, TIMESTAMP_NS -> whole || isTimestamp(field);
            case FLOAT -> field.getType() == FieldDescriptor.Type.FLOAT;
            case DOUBLE ->
                field.getType() == FieldDescriptor.Type.FLOAT || field.getType() == FieldDescriptor.Type.DOUBLE;
            case BOOLEAN -> field.getType() == FieldDescriptor.Type.BOOL;
        };
    }

    private static String typeName(FieldDescriptor field) {
        return field.getType() == FieldDescriptor.Type.MESSAGE
                ? field.getMessageType().getFullName()
                : field.getType().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static FileDescriptor link(
            String name, Map<String, FileDescriptorProto> protos, Map<String, FileDescriptor> linked, Path file) {
        FileDescriptor known = linked.get(name);
        if (known != null) {
            return known;
        }
        FileDescriptorProto proto = protos.get(name);
        if (proto == null) {
            throw new IllegalArgumentException("'" + file + "' lacks the imported file '" + name
                    + "'; write it with protoc --include_imports --descriptor_set_out=FILE");
        }
        FileDescriptor[] imports = proto.getDependencyList().stream()
                .map(d -> link(d, protos, linked, file))
                .toArray(FileDescriptor[]::new);
        try {
            FileDescriptor built = FileDescriptor.buildFrom(proto, imports);
            linked.put(name, built);
            return built;
        } catch (DescriptorValidationException e) {
            throw new IllegalArgumentException("'" + file + "' is not valid: " + e.getMessage(), e);
        }
    }

    private static @Nullable Descriptor find(Descriptor descriptor, String fullName) {
        if (descriptor.getFullName().equals(fullName)) {
            return descriptor;
        }
        for (Descriptor nested : descriptor.getNestedTypes()) {
            Descriptor found = find(nested, fullName);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
