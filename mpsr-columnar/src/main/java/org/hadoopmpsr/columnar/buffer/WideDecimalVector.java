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
package org.hadoopmpsr.columnar.buffer;

import java.math.BigInteger;
import org.hadoopmpsr.core.hash.RecordHasher;

/**
 * The vector of a column of decimals of more digits than 64 bits hold. The dictionary has the digits without the point as
 * signed numbers of 16 bytes, the highest first, with the first bit turned over: the order of the bytes is that of the
 * numbers.
 */
public final class WideDecimalVector extends StringVector {
    /** The bytes of a number in the dictionary. */
    public static final int BYTES = 16;

    private final byte[] ordered = new byte[BYTES];

    /** A vector with a dictionary of its own. */
    public WideDecimalVector() {}

    private WideDecimalVector(ByteDictionary dictionary) {
        super(dictionary);
    }

    @Override
    public WideDecimalVector like() {
        return new WideDecimalVector(dictionary());
    }

    /** Sets a row to the digits of a number without the point; the row must be reserved. */
    public void set(int row, BigInteger digits) {
        byte[] bytes = digits.toByteArray();
        set(row, intern(dictionary(), bytes, 0, bytes.length, ordered));
    }

    /** The digits of a row that is not null, without the point. */
    public BigInteger digits(int row) {
        return digits(dictionary(), ids()[row]);
    }

    /** The digits of a number in the dictionary of such a vector, without the point. */
    public static BigInteger digits(ByteDictionary dictionary, int id) {
        return new BigInteger(signed(dictionary, id, BYTES));
    }

    /** The digits of a number as the dictionary has it, without the point. */
    public static BigInteger digits(byte[] ordered) {
        byte[] signed = ordered.clone();
        signed[0] ^= Byte.MIN_VALUE;
        return new BigInteger(signed);
    }

    /**
     * A number in the dictionary of such a vector as a signed one of so many bytes, which must hold it.
     *
     * @return the highest byte first
     */
    public static byte[] signed(ByteDictionary dictionary, int id, int count) {
        byte[] bytes = new byte[count];
        System.arraycopy(dictionary.bytes(), dictionary.end(id) - count, bytes, 0, count);
        if (count == BYTES) {
            bytes[0] ^= Byte.MIN_VALUE;
        }
        return bytes;
    }

    /**
     * Adds a signed number to the dictionary of such a vector.
     *
     * @param bytes has it, the highest byte first
     * @param ordered 16 bytes that are overwritten
     * @return its number in the dictionary
     * @throws ArithmeticException if it takes more than 16 bytes
     */
    public static int intern(ByteDictionary dictionary, byte[] bytes, int offset, int length, byte[] ordered) {
        byte sign = (byte) (length > 0 && bytes[offset] < 0 ? -1 : 0);
        int skipped = Math.max(0, length - BYTES);
        for (int i = 0; i < skipped; i++) {
            if (bytes[offset + i] != sign || (bytes[offset + skipped] < 0) != (sign < 0)) {
                throw new ArithmeticException("a decimal number of more than 128 bits");
            }
        }
        int padding = BYTES - (length - skipped);
        java.util.Arrays.fill(ordered, 0, padding, sign);
        System.arraycopy(bytes, offset + skipped, ordered, padding, length - skipped);
        ordered[0] ^= Byte.MIN_VALUE;
        return dictionary.intern(ordered, 0, BYTES);
    }

    @Override
    public void hash(RecordHasher hasher, int position, int row) {
        hasher.putDecimal(position, digits(row));
    }
}
