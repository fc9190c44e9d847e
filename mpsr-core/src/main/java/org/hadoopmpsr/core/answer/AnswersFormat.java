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
package org.hadoopmpsr.core.answer;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The answers to one request, by the files that they are of, as bytes: a mark with the version of this form, the text of the
 * request, the files, the answers in their order, and the SHA-256 of all of this. What was cut, changed, written by another version or for another request is
 * not read, so that the files are read in its place.
 */
public final class AnswersFormat {
    /** The last digit is the version. */
    private static final byte[] MARK = "MPSRANS2".getBytes(StandardCharsets.US_ASCII);

    private static final int SUM = 32;
    private static final int KEY = 3 * Long.BYTES + Integer.BYTES;

    private AnswersFormat() {}

    /** A name for a file with the answers to a request: 64 hexadecimal digits. */
    public static String name(String request) {
        StringBuilder name = new StringBuilder();
        for (byte b : sha256(request.getBytes(StandardCharsets.UTF_8))) {
            name.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
        return name.toString();
    }

    /** How many bytes {@link #write} makes. */
    public static long size(String request, Map<FileKey, byte[]> answers) {
        long size = MARK.length + 2L * Integer.BYTES + request.getBytes(StandardCharsets.UTF_8).length + SUM;
        for (byte[] answer : answers.values()) {
            size += KEY + answer.length;
        }
        return size;
    }

    /**
     * The answers as bytes.
     *
     * @throws IllegalArgumentException if they are more than 2 GB
     */
    public static byte[] write(String request, Map<FileKey, byte[]> answers) {
        long size = size(request, answers);
        if (size > Integer.MAX_VALUE - Long.BYTES) {
            throw new IllegalArgumentException("the answers have " + size + " bytes, which are too many for a file");
        }
        byte[] text = request.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate((int) size);
        out.put(MARK).putInt(text.length).put(text).putInt(answers.size());
        answers.forEach((key, answer) -> out.putLong(key.fileId())
                .putLong(key.length())
                .putLong(key.modificationTime())
                .putInt(answer.length));
        answers.values().forEach(out::put);
        out.put(sha256(Arrays.copyOf(out.array(), out.position())));
        return out.array();
    }

    /** The answers that bytes have; empty if they are not all that {@link #write} has made of this request. */
    public static Optional<Map<FileKey, byte[]>> read(String request, byte[] bytes) {
        int end = bytes.length - SUM;
        if (end < MARK.length
                || !Arrays.equals(sha256(Arrays.copyOf(bytes, end)), Arrays.copyOfRange(bytes, end, bytes.length))) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, end);
        try {
            if (!Arrays.equals(take(in, MARK.length), MARK)
                    || !Arrays.equals(take(in, in.getInt()), request.getBytes(StandardCharsets.UTF_8))) {
                return Optional.empty();
            }
            Map<FileKey, Integer> lengths = new LinkedHashMap<>();
            for (int left = in.getInt(); left > 0; left--) {
                lengths.put(new FileKey(in.getLong(), in.getLong(), in.getLong()), in.getInt());
            }
            Map<FileKey, byte[]> answers = new HashMap<>();
            lengths.forEach((key, length) -> answers.put(key, take(in, length)));
            return in.hasRemaining() ? Optional.empty() : Optional.of(answers);
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    /**
     * The request and the files of answers, from the beginning of what {@link #write} has made: answers are not read, and no sum
     * is compared.
     *
     * @return empty if it is of another version
     * @throws IOException if it ends too early, or cannot be read
     */
    public static Optional<AnsweredFiles> files(InputStream beginning) throws IOException {
        DataInputStream in = new DataInputStream(beginning);
        if (!Arrays.equals(in.readNBytes(MARK.length), MARK)) {
            return Optional.empty();
        }
        String request = new String(in.readNBytes(Math.max(0, in.readInt())), StandardCharsets.UTF_8);
        Set<FileKey> files = new HashSet<>();
        for (int left = in.readInt(); left > 0; left--) {
            files.add(new FileKey(in.readLong(), in.readLong(), in.readLong()));
            in.readInt();
        }
        return Optional.of(new AnsweredFiles(request, files));
    }

    private static byte[] take(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] taken = new byte[length];
        in.get(taken);
        return taken;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
