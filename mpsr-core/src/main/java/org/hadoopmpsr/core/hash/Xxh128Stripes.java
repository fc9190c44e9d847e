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

import static org.hadoopmpsr.core.hash.Xxh128.SECRET;
import static org.hadoopmpsr.core.hash.Xxh128.word;

/** The part of {@link Xxh128} for more than 240 bytes: eight sums over stripes of 64 bytes. Not thread-safe. */
final class Xxh128Stripes {
    private static final int STRIPE = 64;
    private static final int STRIPES_OF_BLOCK = (SECRET.length - STRIPE) / 8;
    private static final int BLOCK = STRIPES_OF_BLOCK * STRIPE;
    private static final int LANES = 8;

    private final long[] sums = new long[LANES];

    /** Takes the first bytes of an array. */
    void consume(byte[] input, int length) {
        start();
        int lastBlock = (length - 1) / BLOCK * BLOCK;
        for (int block = 0; block < lastBlock; block += BLOCK) {
            for (int stripe = 0; stripe < STRIPES_OF_BLOCK; stripe++) {
                add(input, block + stripe * STRIPE, stripe * 8);
            }
            scramble();
        }
        int whole = (length - lastBlock - 1) / STRIPE;
        for (int stripe = 0; stripe < whole; stripe++) {
            add(input, lastBlock + stripe * STRIPE, stripe * 8);
        }
        add(input, length - STRIPE, SECRET.length - 71);
    }

    private void start() {
        sums[0] = Xxh128.PRIME32_3;
        sums[1] = Xxh128.PRIME64_1;
        sums[2] = Xxh128.PRIME64_2;
        sums[3] = Xxh128.PRIME64_3;
        sums[4] = Xxh128.PRIME64_4;
        sums[5] = Xxh128.PRIME32_2;
        sums[6] = Xxh128.PRIME64_5;
        sums[7] = Xxh128.PRIME32_1;
    }

    private void add(byte[] input, int stripe, int secret) {
        for (int lane = 0; lane < LANES; lane++) {
            long value = word(input, stripe + lane * 8);
            long keyed = value ^ word(SECRET, secret + lane * 8);
            sums[lane ^ 1] += value;
            sums[lane] += (keyed & 0xFFFFFFFFL) * (keyed >>> 32);
        }
    }

    private void scramble() {
        for (int lane = 0; lane < LANES; lane++) {
            long sum = sums[lane];
            sums[lane] = (sum ^ sum >>> 47 ^ word(SECRET, SECRET.length - STRIPE + lane * 8)) * Xxh128.PRIME32_1;
        }
    }

    /** One half of the hash. */
    long merge(long start, int secret) {
        long result = start;
        for (int lane = 0; lane < LANES; lane += 2) {
            result += Xxh128.folded(
                    sums[lane] ^ word(SECRET, secret + lane * 8), sums[lane + 1] ^ word(SECRET, secret + lane * 8 + 8));
        }
        return Xxh128.avalanche(result);
    }
}
