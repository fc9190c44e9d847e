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
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a gateway needs to answer a page of a plan: the request, the state of the dataset, and where the page begins. It is signed for
 * the caller, so that nobody can change it or use that of another user.
 *
 * @param request the client's request as JSON
 * @param generation of the plan that the pages are of
 * @param from the number of files in the pages before
 */
public record PageToken(String request, long generation, int from) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAC_BYTES = 32;

    /**
     * The token as text.
     *
     * @param secret that all gateways share
     * @param binding for whom and of which table it is
     */
    public String sign(byte[] secret, String binding) {
        byte[] text = request.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + text.length)
                .putLong(generation)
                .putInt(from)
                .put(text)
                .array();
        byte[] signed = ByteBuffer.allocate(MAC_BYTES + body.length)
                .put(mac(secret, binding, body))
                .put(body)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(signed);
    }

    /** Reads a token; empty if it is none, or is not of this binding. */
    public static Optional<PageToken> read(String token, byte[] secret, String binding) {
        byte[] signed;
        try {
            signed = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (signed.length < MAC_BYTES + Long.BYTES + Integer.BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(signed);
        byte[] stated = new byte[MAC_BYTES];
        bytes.get(stated);
        byte[] body = new byte[bytes.remaining()];
        bytes.get(body);
        if (!MessageDigest.isEqual(stated, mac(secret, binding, body))) {
            return Optional.empty();
        }
        ByteBuffer read = ByteBuffer.wrap(body);
        long generation = read.getLong();
        int from = read.getInt();
        byte[] text = new byte[read.remaining()];
        read.get(text);
        return Optional.of(new PageToken(new String(text, StandardCharsets.UTF_8), generation, from));
    }

    private static byte[] mac(byte[] secret, String binding, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(binding.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }
}
