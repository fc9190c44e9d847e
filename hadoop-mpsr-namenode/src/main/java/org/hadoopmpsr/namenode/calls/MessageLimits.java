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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor.JavaType;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;
import org.hadoopmpsr.client.OversizeMessageException;
import org.hadoopmpsr.client.proto.MpsrProtos.PublishRequestProto;
import org.hadoopmpsr.core.config.ConfigKey;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.jspecify.annotations.Nullable;

/**
 * How large a message of a client may be: its bytes, the parts of which it consists, how deep they nest, and how many files
 * a publish and how many values a filter, and any other list, may have. All of it is found out before a part is built, for
 * parts take many times their bytes in memory. Immutable.
 */
final class MessageLimits {
    /** A part takes at least so many bytes in messages that make sense; in memory it takes about a hundred. */
    private static final int BYTES_PER_PART = 16;
    /** Parts within parts. HDFS's own limit is 100. */
    private static final int MAX_DEPTH = 64;
    /** Of a name, a value or any other text. */
    private static final int MAX_TEXT_BYTES = 65_536;
    /** About what a part takes in memory, as a message and as what is made of it. */
    private static final int MEMORY_PER_PART = 200;
    /** About how many times its bytes a message or an answer takes, without its parts. */
    private static final int MEMORY_PER_BYTE = 3;
    /** The calls whose answers have pages. */
    private static final Set<String> PAGED =
            Set.of("plan", "listDatasets", "getSegments", "getSegmentFiles", "getDamage", "getUntracked");
    /** A publish of more files than are allowed is refused with a better answer, up to this many times the limit. */
    private static final int ANSWERED = 2;

    private final int maxBytes;
    private final int maxFiles;
    private final int maxFilterValues;
    private final int maxPageBytes;

    MessageLimits(MpsrConfig config) {
        maxBytes = config.calls().maxBytes();
        maxFiles = config.maxCommitFiles();
        maxFilterValues = config.calls().maxValues();
        maxPageBytes = config.calls().maxPageBytes();
    }

    /** Checks the bytes of a message. */
    void checkBytes(Descriptor type, int bytes) throws OversizeMessageException {
        if (bytes > maxBytes) {
            throw tooMany(type, bytes + " bytes", ConfigKeys.MAX_CALL_BYTES, maxBytes);
        }
    }

    /** About how much memory a message of this size and the answer to it take, without the message's parts. */
    long memory(MethodDescriptor method, int bytes) {
        long answer = PAGED.contains(method.getName()) ? maxPageBytes : 0;
        return MEMORY_PER_BYTE * (bytes + answer);
    }

    /**
     * Checks what a message consists of.
     *
     * @return about how much memory the parts take, in bytes
     */
    long checkParts(Descriptor type, byte[] message) throws IOException {
        Scan scan = new Scan(type);
        scan.read(CodedInputStream.newInstance(message), type, 0);
        return (long) MEMORY_PER_PART * scan.parts;
    }

    /** Checks the bytes of an answer. */
    void checkAnswer(Message answer) throws OversizeMessageException {
        checkBytes(answer.getDescriptorForType(), answer.getSerializedSize());
    }

    private static OversizeMessageException tooMany(Descriptor type, String what, ConfigKey key, int limit) {
        return new OversizeMessageException(
                "the call is refused: its " + type.getName() + " has " + what + ", more than "
                        + key.name() + " = " + limit + " allows; " + fix(type) + ", or raise " + key.name()
                        + " in the NameNode's hdfs-site.xml");
    }

    private static String fix(Descriptor type) {
        return type.equals(PublishRequestProto.getDescriptor())
                ? "commit more often, or fewer files at a time"
                : "ask for less at a time";
    }

    /** One pass over one message. */
    private final class Scan {
        private final Descriptor root;
        private final Map<FieldDescriptor, Integer> counts = new HashMap<>();
        private int parts;

        Scan(Descriptor root) {
            this.root = root;
        }

        void read(CodedInputStream in, Descriptor type, int depth) throws IOException {
            if (depth > MAX_DEPTH) {
                throw new OversizeMessageException("the call is refused: the parts of its " + root.getName()
                        + " nest deeper than " + MAX_DEPTH + "; write the filter with fewer levels");
            }
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
                int wireType = WireFormat.getTagWireType(tag);
                if (wireType == WireFormat.WIRETYPE_START_GROUP) {
                    throw new OversizeMessageException(
                            "the call is refused: its " + root.getName() + " has groups of fields, which no call has");
                }
                count(field);
                if (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                    readPart(in, type, field, depth);
                } else {
                    in.skipField(tag);
                }
            }
        }

        private void readPart(CodedInputStream in, Descriptor type, @Nullable FieldDescriptor field, int depth)
                throws IOException {
            int bytes = in.readRawVarint32();
            if (field != null && field.getJavaType() == JavaType.MESSAGE) {
                int outer = in.pushLimit(bytes);
                read(in, field.getMessageType(), depth + 1);
                in.popLimit(outer);
                return;
            }
            if (field != null && field.isRepeated() && field.getType() == FieldDescriptor.Type.UINT64) {
                int end = in.getTotalBytesRead() + bytes; // numbers in one run of bytes, the first of which is counted
                for (int i = 0; in.getTotalBytesRead() < end; i++) {
                    in.readRawVarint64();
                    if (i > 0) {
                        count(field);
                    }
                }
                return;
            }
            if (bytes > MAX_TEXT_BYTES) {
                throw new OversizeMessageException("the call is refused: a text or value in the " + type.getName()
                        + " of its " + root.getName() + " has " + bytes + " bytes, more than " + MAX_TEXT_BYTES
                        + "; send a shorter one");
            }
            in.skipRawBytes(bytes);
        }

        /** @param field null for one that this NameNode does not know, and keeps all the same */
        private void count(@Nullable FieldDescriptor field) throws OversizeMessageException {
            boolean part = field == null || field.isRepeated() || field.getJavaType() == JavaType.MESSAGE;
            if (part && ++parts > maxBytes / BYTES_PER_PART) {
                throw tooMany(
                        root, "more than " + maxBytes / BYTES_PER_PART + " parts", ConfigKeys.MAX_CALL_BYTES, maxBytes);
            }
            if (field != null && field.isRepeated()) {
                check(counts.merge(field, 1, Integer::sum), field.getContainingType());
            }
        }

        /** @param count how many of one list there are in the whole message */
        private void check(int count, Descriptor owner) throws OversizeMessageException {
            Descriptor publish = PublishRequestProto.getDescriptor();
            long files = (long) ANSWERED * maxFiles;
            if (owner.equals(publish) && count > files) {
                String what = "more than " + files + " files or sources";
                throw tooMany(root, what, ConfigKeys.MAX_COMMIT_FILES, maxFiles);
            }
            if (!root.equals(publish) && count > maxFilterValues) {
                String what = "more than " + maxFilterValues + " values or names in a list";
                throw tooMany(root, what, ConfigKeys.MAX_FILTER_VALUES, maxFilterValues);
            }
        }
    }
}
