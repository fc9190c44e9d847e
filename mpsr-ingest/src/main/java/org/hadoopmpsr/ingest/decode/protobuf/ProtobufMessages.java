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
package org.hadoopmpsr.ingest.decode.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.hadoopmpsr.ingest.decode.file.ConfiguredFile;
import org.jspecify.annotations.Nullable;

/** Finds the message of a topic in compiled .proto files. */
public final class ProtobufMessages {

    private static final String WHAT = "the FileDescriptorSet";

    private ProtobufMessages() {}

    /**
     * Reads a message's description.
     *
     * @param descriptorSet what {@code protoc --include_imports --descriptor_set_out} writes
     * @param message the full name, with its package
     * @throws IllegalArgumentException when the file is none, or lacks the message
     */
    public static Descriptor load(String descriptorSet, String message) {
        Map<String, FileDescriptorProto> protos = new LinkedHashMap<>();
        try {
            FileDescriptorSet.parseFrom(ConfiguredFile.read(WHAT, descriptorSet))
                    .getFileList()
                    .forEach(f -> protos.put(f.getName(), f));
        } catch (InvalidProtocolBufferException e) {
            throw ConfiguredFile.unreadable(
                    WHAT,
                    descriptorSet,
                    "it holds something else; write it with protoc --include_imports --descriptor_set_out=FILE");
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

    private static FileDescriptor link(
            String name, Map<String, FileDescriptorProto> protos, Map<String, FileDescriptor> linked, String file) {
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
