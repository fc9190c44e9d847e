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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against protobuf's own reader. */
class ProtobufInputTest {
    private final ProtobufInput in = new ProtobufInput();

    private static void writeFields(CodedOutputStream out, Random random, int depth) throws IOException {
        for (int i = random.nextInt(6); i >= 0; i--) {
            int number = 1 + random.nextInt(random.nextBoolean() ? 15 : WireFormat.getTagFieldNumber(-1));
            switch (random.nextInt(depth < 5 ? 6 : 5)) {
                case 0 -> out.writeUInt64(number, random.nextLong() >>> random.nextInt(64));
                case 1 -> out.writeFixed64(number, random.nextLong());
                case 2 -> out.writeFixed32(number, random.nextInt());
                case 3 -> out.writeString(number, "é".repeat(random.nextInt(100)));
                case 4 -> out.writeSInt32(number, random.nextInt() >> random.nextInt(32));
                default -> {
                    out.writeTag(number, WireFormat.WIRETYPE_START_GROUP);
                    writeFields(out, random, depth + 1);
                    out.writeTag(number, WireFormat.WIRETYPE_END_GROUP);
                }
            }
        }
    }

    private static byte[] message(Random random) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        writeFields(out, random, 0);
        out.flush();
        return bytes.toByteArray();
    }

    private void readsAsProtobufDoes(byte[] message, Random random) throws IOException {
        CodedInputStream expected = CodedInputStream.newInstance(message);
        in.open(message);
        for (int tag = expected.readTag(); tag != 0; tag = expected.readTag()) {
            assertThat(in.readTag()).isEqualTo(tag);
            int wireType = random.nextBoolean() ? -1 : WireFormat.getTagWireType(tag);
            switch (wireType) {
                case WireFormat.WIRETYPE_VARINT -> assertThat(in.readLong()).isEqualTo(expected.readUInt64());
                case WireFormat.WIRETYPE_FIXED64 ->
                    assertThat(in.readFixedLong()).isEqualTo(expected.readFixed64());
                case WireFormat.WIRETYPE_FIXED32 ->
                    assertThat(in.readFixedInt()).isEqualTo(expected.readFixed32());
                case WireFormat.WIRETYPE_LENGTH_DELIMITED ->
                    assertThat(in.readText()).isEqualTo(expected.readStringRequireUtf8());
                default -> {
                    in.skip(tag);
                    expected.skipField(tag);
                }
            }
            assertThat(in.position()).isEqualTo(expected.getTotalBytesRead());
        }
        assertThat(in.readTag()).isZero();
        assertThat(in.isAtEnd()).isTrue();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void readsAndSkipsFieldsAsProtobufDoes(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            readsAsProtobufDoes(message(random), random);
        }
    }

    private static boolean skipsAll(byte[] message) {
        CodedInputStream stream = CodedInputStream.newInstance(message);
        try {
            while (!stream.isAtEnd()) {
                if (!stream.skipField(stream.readTag())) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Bytes that were changed, and whatever is behind the end, never lead beyond the end. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14})
    void refusesWhatProtobufRefuses(long seed) throws IOException {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 5000; i++) {
            byte[] message = message(random);
            byte[] damaged =
                    random.nextBoolean() ? message : Arrays.copyOf(message, random.nextInt(message.length + 1));
            for (int n = random.nextInt(4); n > 0 && damaged.length > 0; n--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            boolean readable = true;
            in.open(damaged);
            try {
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    in.skip(tag);
                }
            } catch (IOException e) {
                readable = false;
                refused++;
            }
            assertThat(readable)
                    .as("seed %s, %s: %s", seed, i, Arrays.toString(damaged))
                    .isEqualTo(skipsAll(damaged));
        }
        assertThat(refused).isBetween(500, 4900);
    }

    @Test
    void keepsToTheLimitOfAMessageWithin() throws IOException {
        in.open(new byte[] {2, 8, 5, 9});
        int outer = in.enter();
        assertThat(in.readTag()).isEqualTo(8);
        assertThat(in.readLong()).isEqualTo(5);
        assertThat(in.isAtEnd()).isTrue();
        assertThatThrownBy(() -> in.skipBytes(1)).isInstanceOf(IOException.class);
        in.leave(outer);
        assertThat(in.readLong()).isEqualTo(9);
        in.open(new byte[] {3, 8, 5});
        assertThatThrownBy(in::enter).hasMessage("it ends in the middle of a field");
    }

    @Test
    void refusesTextThatIsNotUtf8() {
        in.open(new byte[] {1, (byte) 0xff});
        assertThatThrownBy(in::readText).isInstanceOf(IOException.class);
    }
}
