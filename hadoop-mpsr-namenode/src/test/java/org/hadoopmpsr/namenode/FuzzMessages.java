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
package org.hadoopmpsr.namenode;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopmpsr.client.proto.MpsrProtos.MpsrProtocolService;

/** Makes requests of every call with values that no client of ours sends. One seed gives one request. */
final class FuzzMessages {
    private static final List<MethodDescriptor> METHODS =
            MpsrProtocolService.getDescriptor().getMethods();
    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        63,
        64,
        10_000,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        (1L << 32) - 1,
        1L << 32,
        1L << 62,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -(1L << 32)
    };
    private static final double[] FRACTIONS = {
        0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE, 0.1
    };
    private static final List<String> TEXTS = List.of(
            "",
            "/",
            "time",
            "signal",
            "device",
            "system",
            "timestamp_ns",
            "day",
            "value",
            "nothing",
            "a\nb",
            "\u001b[31m",
            "/fuzz/meas/",
            "/fuzz/../fuzz/meas",
            "/.reserved/.inodes/1",
            "/.mpsr",
            "//",
            "day=2014-05-01/c-0.parquet",
            "../../x",
            "\ud800",
            "\u0000",
            "c",
            "signal string not null, timestamp_ns timestamp_ns",
            "%00");
    private static final int MAX_DEPTH = 6;

    private final Random random;
    private final List<String> known;
    private boolean inLongList;

    /** @param known texts that mean something to the NameNode, such as the paths of datasets */
    FuzzMessages(Random random, List<String> known) {
        this.random = random;
        this.known = known;
    }

    /** Any call with any message, whole or not. */
    FuzzCalls.Request any() {
        MethodDescriptor method = METHODS.get(random.nextInt(METHODS.size()));
        return damaged(FuzzCalls.Request.of(method.getName(), message(method.getInputType(), 0)));
    }

    /** The request with a part changed, as it is, or cut. */
    FuzzCalls.Request like(FuzzSeeds.Seed seed) {
        FuzzCalls.Request request = seed.isList() || random.nextInt(3) == 0
                ? seed.request()
                : FuzzCalls.Request.of(seed.method(), changed(seed.message()));
        return random.nextInt(4) == 0 ? damaged(request) : request;
    }

    private Message changed(Message message) {
        Message.Builder builder = message.toBuilder();
        List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
        if (!fields.isEmpty()) {
            set(builder, fields.get(random.nextInt(fields.size())), 0);
        }
        return builder.buildPartial();
    }

    private FuzzCalls.Request damaged(FuzzCalls.Request request) {
        byte[] bytes = request.bytes().clone();
        int kind = random.nextInt(10);
        if (bytes.length == 0 || kind > 1) {
            return request;
        }
        if (kind == 0) {
            byte[] cut = new byte[random.nextInt(bytes.length)];
            System.arraycopy(bytes, 0, cut, 0, cut.length);
            return new FuzzCalls.Request(request.method(), cut);
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return new FuzzCalls.Request(request.method(), bytes);
    }

    private Message message(Descriptor type, int depth) {
        DynamicMessage.Builder builder = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            if (field.isRequired() && random.nextInt(20) > 0 || random.nextInt(3) == 0) {
                set(builder, field, depth);
            }
        }
        if (random.nextInt(20) == 0) {
            builder.setUnknownFields(unknown());
        }
        return builder.buildPartial();
    }

    private UnknownFieldSet unknown() {
        UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
        for (int i = random.nextInt(100); i >= 0; i--) {
            field.addVarint(random.nextLong());
        }
        return UnknownFieldSet.newBuilder()
                .addField(1 + random.nextInt(100), field.build())
                .build();
    }

    private void set(Message.Builder builder, FieldDescriptor field, int depth) {
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && depth > MAX_DEPTH) {
            return;
        }
        if (!field.isRepeated()) {
            builder.setField(field, fitting(builder, field, value(field, depth)));
            return;
        }
        if (random.nextInt(200) == 0 && !inLongList) {
            // long lists and texts in each entry of a long list would not fit in memory
            inLongList = true;
            Object one = fitting(builder, field, value(field, MAX_DEPTH));
            inLongList = false;
            for (int i = 0; i < 12_000; i++) {
                builder.addRepeatedField(field, one);
            }
            return;
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            builder.addRepeatedField(field, fitting(builder, field, value(field, depth + 1)));
        }
    }

    /** Messages of generated classes take generated messages alone: the bytes are the same. */
    private static Object fitting(Message.Builder builder, FieldDescriptor field, Object value) {
        if (!(value instanceof Message message) || builder instanceof DynamicMessage.Builder) {
            return value;
        }
        try {
            return builder.newBuilderForField(field)
                    .mergeFrom(message.toByteString())
                    .buildPartial();
        } catch (org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object value(FieldDescriptor field, int depth) {
        return switch (field.getJavaType()) {
            case INT -> (int) number();
            case LONG -> number();
            case DOUBLE -> FRACTIONS[random.nextInt(FRACTIONS.length)];
            case FLOAT -> (float) FRACTIONS[random.nextInt(FRACTIONS.length)];
            case BOOLEAN -> random.nextBoolean();
            case STRING -> text();
            case BYTE_STRING -> ByteString.copyFrom(new byte[random.nextInt(50)]);
            case ENUM ->
                field.getEnumType()
                        .getValues()
                        .get(random.nextInt(field.getEnumType().getValues().size()));
            case MESSAGE -> message(field.getMessageType(), depth + 1);
        };
    }

    private long number() {
        return random.nextInt(3) == 0 ? random.nextInt(1_000) : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private String text() {
        int kind = random.nextInt(100);
        if (kind < 50) {
            return known.get(random.nextInt(known.size()));
        }
        if (kind < 52) {
            return "x".repeat(1 << random.nextInt(inLongList ? 8 : 18));
        }
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }
}
