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
package org.hadoopmpsr.core.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 16 bytes of the SHA-256. Not thread-safe. */
final class Sha256Half implements RecordHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final MessageDigest sha;
    private final byte[] digest = new byte[32];

    Sha256Half() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void hash(byte[] bytes, int length) {
        sha.update(bytes, 0, length);
        try {
            sha.digest(digest, 0, digest.length);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 fits in 32 bytes", e);
        }
    }

    @Override
    public long high() {
        return (long) LONGS.get(digest, 0);
    }

    @Override
    public long low() {
        return (long) LONGS.get(digest, 8);
    }
}
