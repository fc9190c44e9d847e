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

import static org.assertj.core.api.Assertions.assertThat;

import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** XXH128 gives the values of xxHash's own test vectors, for every case of its lengths. */
class Xxh128Test {
    /** xxHash's tests hash the first bytes of these. */
    private static byte[] vectorInput(int length) {
        byte[] bytes = new byte[length];
        long generator = 2654435761L;
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (generator >>> 56);
            generator *= 0x9E3779B185EBCA8DL;
        }
        return bytes;
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({
        "0, 99aa06d3014798d86001c324468d497f",
        "1, a6cd5e9392000f6ac44bdff4074eecdb",
        "3, 20efc49ff02422ea54247382a8d6b94d",
        "4, 970d585ac632bf8e2e7d8d6876a39fe9",
        "6, 082afe0b8162d12a3e7039bdda43cfc6",
        "8, 47a7f080d82bb45664c69cab4bb21dc5",
        "9, 564ef6078950d457ed7ccbc501eb7501",
        "12, 6e3efd8fc7802b18061a192713f69ad9",
        "16, c68c368ecf8a9c05562980258a998629",
        "17, 955fa78643ed3669abbc12d11973d7db",
        "24, 0ce966e4678d37611e7044d28b1b901d",
        "48, a002ac4e5478227ef942219aed80f67b",
        "81, 4952f58181ab00425e8bafb9f95fb803",
        "128, 39992220e045260aebb15e34a7fb5ab1",
        "129, 03815fc91f1b30b686c9e3bc8f0a3b5c",
        "222, 337e09641b948717f1aebd597cec6b3a",
        "240, aa4202daa2769dc85c9aae94c8ebe5a0",
        "241, 99a80ecf0ecfc647c5a639ecd2030e5e",
        "403, 1b6de21e332dd73dcdeb804d65c6dea4",
        "512, 18d2d110dcc9bca1617e49599013cb6b",
        "1024, 0d30d24071c64c57dd85c9b5c1109c5c",
        "1025, fd3ee4fe7f2954c6d870c0fa13211c6a",
        "2048, f736557fd47073a5dd59e2c3a5f038e0",
        "2240, ccb134fbfa7ce49d6e73a90539cf2948",
        "2367, e89c0f6ff369b427cb37aeb9e5d361ed"
    })
    void hasTheValuesOfTheTestVectors(int length, String expected) {
        assertThat(hex(vectorInput(length), length)).isEqualTo(expected);
    }

    @Test
    void bytesBehindTheLengthDoNotCount() {
        Xxh128 hash = new Xxh128();
        Seeds.forAll(300, random -> {
            int length = random.nextInt(1200);
            byte[] exact = new byte[length];
            random.nextBytes(exact);
            byte[] longer = new byte[length + 1 + random.nextInt(50)];
            random.nextBytes(longer);
            System.arraycopy(exact, 0, longer, 0, length);
            hash.hash(longer, length);
            assertThat(String.format("%016x%016x", hash.high(), hash.low())).isEqualTo(hex(exact, length));
        });
    }

    @Test
    void eachBitChangesAboutHalfOfTheHash() {
        Xxh128 hash = new Xxh128();
        Seeds.forAll(200, random -> {
            byte[] input = new byte[1 + random.nextInt(300)];
            random.nextBytes(input);
            hash.hash(input, input.length);
            long high = hash.high();
            long low = hash.low();
            int changed = 0;
            int flips = 64;
            for (int i = 0; i < flips; i++) {
                int bit = random.nextInt(input.length * 8);
                input[bit / 8] ^= (byte) (1 << bit % 8);
                hash.hash(input, input.length);
                int bits = Long.bitCount(high ^ hash.high()) + Long.bitCount(low ^ hash.low());
                assertThat(bits).isBetween(20, 108);
                changed += bits;
                input[bit / 8] ^= (byte) (1 << bit % 8);
            }
            assertThat(changed / (double) flips).isBetween(58.0, 70.0);
        });
    }

    private static String hex(byte[] input, int length) {
        Xxh128 hash = new Xxh128();
        hash.hash(input, length);
        return String.format("%016x%016x", hash.high(), hash.low());
    }
}
