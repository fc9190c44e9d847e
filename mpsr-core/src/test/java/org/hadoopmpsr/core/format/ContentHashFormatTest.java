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
package org.hadoopmpsr.core.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.junit.jupiter.api.Test;

/** The content hash is that of docs/format.md: hashes of the committed encodings, summed. */
class ContentHashFormatTest {

    @Test
    void ofKind0TwoRecordsHaveTheSha256OfTheirEncodings() throws Exception {
        byte[] first = GoldenBytes.of("record-encoding");
        byte[] second = GoldenBytes.of("record-encoding-nan");
        assertThat(hashOfBoth(HashKind.SHA_256))
                .isEqualTo(hex(digest(first).add(digest(second))))
                .isEqualTo("a1ef21c48262ea9f335231bae3f98658");
    }

    /** By xxHash's own program: {@code xxh128sum} of each of the two files of golden bytes. */
    @Test
    void ofKind1TwoRecordsHaveTheXxh128OfTheirEncodings() {
        BigInteger first = new BigInteger("197e11f2340c4b8c709c24592675fc39", 16);
        BigInteger second = new BigInteger("fc7ffbd95ba8041ad460f1da10870a6d", 16);
        assertThat(hashOfBoth(HashKind.XXH_128)).isEqualTo(hex(first.add(second)));
    }

    @Test
    void nestedValuesHaveTheirForms() throws Exception {
        byte[] bytes = GoldenBytes.of("record-encoding-nested");
        RecordHasher plain = new RecordHasher(HashKind.SHA_256);
        NestedWriter struct = new NestedWriter();
        int fields = struct.beginStruct();
        struct.field(0);
        struct.putLong(1);
        struct.field(2);
        int elements = struct.beginList();
        struct.putBoolean(true);
        struct.putNull();
        struct.end(elements, 2);
        struct.end(fields, 2);
        NestedWriter map = new NestedWriter();
        int entries = map.beginMap();
        map.putBytes("é".getBytes(StandardCharsets.UTF_8), 0, 2);
        map.putDouble(-0.0);
        map.end(entries, 1);
        NestedWriter empty = new NestedWriter();
        empty.end(empty.beginList(), 0);
        put(plain, struct, map, null, empty);
        assertThat(plain.take().hex()).isEqualTo(hex(digest(bytes)));
    }

    private static String hashOfBoth(HashKind kind) {
        RecordHasher hasher = new RecordHasher(kind);
        put(hasher, true, -2L, 1.5, "é", null, "");
        put(hasher, null, null, Double.longBitsToDouble(0xFFF8000000000123L));
        ContentHash hash = hasher.take();
        assertThat(hash.count()).isEqualTo(2);
        assertThat(hash.kind()).isEqualTo(kind);
        return hash.hex();
    }

    private static void put(RecordHasher hasher, Object... values) {
        for (int position = 0; position < values.length; position++) {
            hasher.put(position, values[position]);
        }
        hasher.endRecord();
    }

    private static BigInteger digest(byte[] encoding) throws Exception {
        byte[] sha = MessageDigest.getInstance("SHA-256").digest(encoding);
        return new BigInteger(1, Arrays.copyOf(sha, 16));
    }

    private static String hex(BigInteger sum) {
        return String.format("%032x", sum.mod(BigInteger.ONE.shiftLeft(128)));
    }
}
