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

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.ingest.decode.NestedNode;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what the parser of dynamic messages changes without a word: it replaces what is not UTF-8 in strings of proto2, and
 * takes a field in another wire type for an unknown one. Fields that no column wants are not looked at. The caller has
 * parsed the bytes before, so that they do not nest too deeply.
 */
final class ProtobufStrictness {

    private ProtobufStrictness() {}

    /** Checks the occurrences of one field, with the tag before each. */
    static void check(FieldDescriptor field, NestedNode node, byte[] occurrences)
            throws IOException, BadRecordException {
        CodedInputStream in = CodedInputStream.newInstance(occurrences);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            checkField(field, node, tag, in);
        }
    }

    private static void checkField(FieldDescriptor field, NestedNode node, int tag, CodedInputStream in)
            throws IOException, BadRecordException {
        int found = WireFormat.getTagWireType(tag);
        boolean packed = field.isPackable() && found == WireFormat.WIRETYPE_LENGTH_DELIMITED;
        if (!packed) {
            ProtobufField.requireWireType(field, field.getLiteType().getWireType(), found);
        }
        NestedNode one = node instanceof NestedNode.OfList list ? list.element() : node;
        switch (field.getType()) {
            case STRING -> checkString(field, in.readByteArray());
            case GROUP -> checkMessage(field.getMessageType(), one, in);
            case MESSAGE -> {
                int outer = in.pushLimit(in.readRawVarint32());
                checkMessage(field.getMessageType(), one, in);
                ProtobufReader.leave(in, outer);
            }
            default -> ProtobufReader.skip(tag, in);
        }
    }

    private static void checkMessage(Descriptor type, NestedNode node, CodedInputStream in)
            throws IOException, BadRecordException {
        for (int tag = in.readTag();
                tag != 0 && WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_END_GROUP;
                tag = in.readTag()) {
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            NestedNode below = field == null ? null : below(node, field);
            if (field == null || below == null) {
                ProtobufReader.skip(tag, in);
            } else {
                checkField(field, below, tag, in);
            }
        }
    }

    /** What a field of a message fills; null for nothing. */
    private static @Nullable NestedNode below(NestedNode node, FieldDescriptor field) {
        if (node instanceof NestedNode.OfStruct struct) {
            int position = struct.position(field.getName());
            return position < 0 ? null : struct.field(position);
        }
        if (node instanceof NestedNode.OfMap map) {
            return field.getName().equals("key") ? map.key() : map.value();
        }
        return node; // the fields of wrappers and timestamps
    }

    private static void checkString(FieldDescriptor field, byte[] bytes) throws BadRecordException {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw new BadRecordException("field '" + field.getName() + "' is not valid UTF-8", e);
        }
    }
}
