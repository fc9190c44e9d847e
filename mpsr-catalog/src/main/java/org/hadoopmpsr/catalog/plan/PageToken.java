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
 * What a gateway needs to answer a page of a plan: the request, the files that were planned, and where the page begins. It is signed for
 * the caller, so that nobody can change it or use that of another user.
 *
 * @param request the client's request as JSON
 * @param state of the plan that the pages are of
 * @param from the number of files in the pages before
 */
public record PageToken(String request, ListedState state, int from) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAC_BYTES = 32;
    /** Two numbers of the state, where the page begins, and the length of the group's name. */
    private static final int NUMBERS = 2 * Long.BYTES + 2 * Integer.BYTES;

    /** That of another page of the same plan. */
    public PageToken at(int file) {
        return new PageToken(request, state, file);
    }

    /**
     * The token as text.
     *
     * @param secret that all gateways share
     * @param binding for whom and of which table it is
     */
    public String sign(byte[] secret, String binding) {
        byte[] group = state.group().getBytes(StandardCharsets.UTF_8);
        byte[] text = request.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(NUMBERS + group.length + text.length)
                .putLong(state.change())
                .putLong(state.fingerprint())
                .putInt(from)
                .putInt(group.length)
                .put(group)
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
        if (signed.length < MAC_BYTES + NUMBERS) {
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
        long change = read.getLong();
        long fingerprint = read.getLong();
        int from = read.getInt();
        byte[] group = new byte[read.getInt()];
        read.get(group);
        byte[] text = new byte[read.remaining()];
        read.get(text);
        ListedState state = new ListedState(change, new String(group, StandardCharsets.UTF_8), fingerprint);
        return Optional.of(new PageToken(new String(text, StandardCharsets.UTF_8), state, from));
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
