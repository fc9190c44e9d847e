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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class ContentHashTest {

    private static ContentHash hash(List<Object[]> records) {
        RecordHasher hasher = new RecordHasher(HashKind.CURRENT);
        for (Object[] record : records) {
            for (int i = 0; i < record.length; i++) {
                hasher.put(i, record[i]);
            }
            hasher.endRecord();
        }
        return hasher.take();
    }

    private static List<Object[]> records(java.util.Random random) {
        List<Object[]> records = new ArrayList<>();
        for (int i = random.nextInt(40); i >= 0; i--) {
            records.add(new Object[] {
                random.nextBoolean() ? null : "s" + random.nextInt(5),
                random.nextLong(),
                random.nextBoolean() ? null : random.nextDouble(),
                random.nextBoolean()
            });
        }
        return records;
    }

    @Test
    void neitherOrderNorCutMatters() {
        Seeds.forAll(200, random -> {
            List<Object[]> records = records(random);
            ContentHash whole = hash(records);
            int cut = random.nextInt(records.size() + 1);
            assertThat(hash(records.subList(0, cut)).plus(hash(records.subList(cut, records.size()))))
                    .isEqualTo(whole);
            assertThat(whole.minus(hash(records.subList(0, cut))))
                    .isEqualTo(hash(records.subList(cut, records.size())));
            Collections.shuffle(records, random);
            assertThat(hash(records)).isEqualTo(whole);
        });
    }

    @Test
    void aLostDoubledOrChangedRecordShows() {
        Seeds.forAll(200, random -> {
            List<Object[]> records = records(random);
            ContentHash whole = hash(records);
            List<Object[]> lost = records.subList(1, records.size());
            assertThat(hash(lost)).isNotEqualTo(whole);
            records.get(0)[1] = (Long) records.get(0)[1] + 1;
            assertThat(hash(records)).isNotEqualTo(whole);
        });
    }

    @Test
    void valuesOfNeighbouringColumnsDoNotRunTogether() {
        assertThat(hash(Collections.singletonList(new Object[] {"a", "bc"})))
                .isNotEqualTo(hash(Collections.singletonList(new Object[] {"ab", "c"})));
        assertThat(hash(Collections.singletonList(new Object[] {null, 1L})))
                .isNotEqualTo(hash(Collections.singletonList(new Object[] {1L, null})));
        assertThat(hash(Collections.singletonList(new Object[] {1L, null})))
                .isEqualTo(hash(Collections.singletonList(new Object[] {1L})));
    }

    @Test
    void sumsModulo128Bits() {
        ContentHash max = new ContentHash(1, -1, -1);
        assertThat(max.plus(new ContentHash(1, 0, 1))).isEqualTo(new ContentHash(2, 0, 0));
        BigInteger sum = new BigInteger(
                new ContentHash(0, 5, -3).plus(new ContentHash(0, 7, 9)).hex(), 16);
        assertThat(sum).isEqualTo(BigInteger.valueOf(13).shiftLeft(64).add(BigInteger.valueOf(6)));
    }

    @Test
    void hashesOfDifferentKindsDoNotMix() {
        ContentHash old = new ContentHash(HashKind.SHA_256, 1, 2, 3);
        ContentHash fast = new ContentHash(HashKind.XXH_128, 1, 2, 3);
        assertThat(old).isNotEqualTo(fast);
        assertThatThrownBy(() -> old.plus(fast))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("content hashes of the kinds SHA_256 and XXH_128 have no sum");
        assertThat(new ContentHash(HashKind.XXH_128, 0, 0, 0)).isEqualTo(ContentHash.EMPTY);
        assertThat(fast.plus(ContentHash.EMPTY))
                .isEqualTo(ContentHash.EMPTY.plus(fast))
                .isEqualTo(fast);
    }

    @Test
    void sumsOfKindsAreKeptApartAndSubtracted() {
        Seeds.forAll(200, random -> {
            List<ContentHash> parts = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                parts.add(new ContentHash(
                        HashKind.values()[random.nextInt(2)],
                        random.nextInt(100),
                        random.nextLong(),
                        random.nextInt(3) == 0 ? 0 : random.nextLong()));
            }
            ContentHashes whole = ContentHashes.of(parts);
            assertThat(whole.count())
                    .isEqualTo(parts.stream().mapToLong(ContentHash::count).sum());
            int cut = random.nextInt(parts.size() + 1);
            ContentHashes head = ContentHashes.of(parts.subList(0, cut));
            ContentHashes tail = ContentHashes.of(parts.subList(cut, parts.size()));
            assertThat(tail.plus(head)).isEqualTo(whole).hasSameHashCodeAs(whole);
            assertThat(whole.minus(head)).isEqualTo(tail);
            assertThat(whole.minus(whole)).isEqualTo(ContentHashes.EMPTY);
        });
    }

    @Test
    void aSetOfOneKindHasOneHash() {
        ContentHash old = new ContentHash(HashKind.SHA_256, 1, 2, 3);
        ContentHash fast = new ContentHash(HashKind.XXH_128, 4, 5, 6);
        assertThat(ContentHashes.EMPTY.single()).contains(ContentHash.EMPTY);
        assertThat(ContentHashes.of(fast).single()).contains(fast);
        assertThat(ContentHashes.of(fast).hex()).isEqualTo(fast.hex());
        ContentHashes both = ContentHashes.of(fast).plus(old);
        assertThat(both.single()).isEmpty();
        assertThat(both.all()).containsExactly(old, fast);
        assertThat(both.get(HashKind.XXH_128)).isEqualTo(fast);
        assertThat(both.hex()).isEqualTo(old.hex() + "+" + fast.hex());
    }
}
