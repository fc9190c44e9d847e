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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Text to UTF-8 and back where nothing may be replaced. Not safe for use by several threads. */
final class StrictUtf8 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final int CHUNK = 4096;

    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final CharBuffer chars = CharBuffer.allocate(CHUNK);
    private ByteBuffer utf8 = ByteBuffer.allocate(1024);

    /** False when the bytes hold what UTF-8 does not allow: broken or over-long sequences, surrogates. */
    boolean isValid(byte[] bytes) {
        return isAscii(bytes) || decodes(ByteBuffer.wrap(bytes));
    }

    private static boolean isAscii(byte[] bytes) {
        int at = 0;
        for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
            if (((long) LONGS.get(bytes, at) & HIGH_BITS) != 0) {
                return false;
            }
        }
        for (; at < bytes.length; at++) {
            if (bytes[at] < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean decodes(ByteBuffer bytes) {
        decoder.reset();
        CoderResult result;
        do {
            chars.clear();
            result = decoder.decode(bytes, chars, true);
        } while (result.isOverflow());
        return !result.isError();
    }

    /**
     * The text's bytes, from the buffer's beginning to its position. Valid until the next call.
     *
     * @return null when the text has half of a surrogate pair
     */
    @Nullable
    ByteBuffer encode(CharBuffer text) {
        int most = Math.multiplyExact(text.remaining(), 3);
        if (utf8.capacity() < most) {
            utf8 = ByteBuffer.allocate(most);
        }
        utf8.clear();
        encoder.reset();
        return encoder.encode(text, utf8, true).isError() ? null : utf8;
    }
}
