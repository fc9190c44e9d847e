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
package org.hadoopmpsr.catalog.plan;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Tells lists of files apart: equal ones have equal fingerprints, and others have different ones (64 bits of SHA-256). For one thread. */
public final class Fingerprint {
    private final MessageDigest digest = digest();

    /** Adds an entry of a list. */
    public void add(String text, long... numbers) {
        digest.update((text + "\u0000" + Arrays.toString(numbers) + "\u0000").getBytes(StandardCharsets.UTF_8));
    }

    /** That of all entries so far; the list then begins anew. */
    public long take() {
        return ByteBuffer.wrap(digest.digest()).getLong();
    }

    /** The first bytes of the fingerprint of some bytes, at most 32. */
    public static byte[] bytes(byte[] of, int count) {
        return Arrays.copyOf(digest().digest(of), count);
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
