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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults of the kinds that software and disks have change the sum of the hashes. Values are alike on purpose: numbers in
 * steps, few strings, columns that are constant or copies of each other, so that a hash that mixes badly would cancel out.
 */
class StructuredFaultTest {
    private static final int COLUMNS = 5;
    private static final int RUNS = 400;

    /** Records as series of measurements have them. */
    private static List<Object[]> records(Random random) {
        List<Object[]> records = new ArrayList<>();
        long step = new long[] {1, 60, 1000, 1 << 20, 1L << 40}[random.nextInt(5)];
        int signals = 1 + random.nextInt(4);
        int rows = 4 + random.nextInt(60);
        for (int i = 0; i < rows; i++) {
            records.add(new Object[] {
                "signal-" + i % signals,
                1_400_000_000_000_000_000L + i * step,
                (double) (i % 7),
                (long) i,
                random.nextInt(3) == 0 ? null : (Long) (long) (i % 2)
            });
        }
        return records;
    }

    private static ContentHash hash(HashKind kind, List<Object[]> records) {
        RecordHasher hasher = new RecordHasher(kind);
        for (Object[] record : records) {
            for (int i = 0; i < record.length; i++) {
                hasher.put(i, record[i]);
            }
            hasher.endRecord();
        }
        return hasher.take();
    }

    private static void changes(HashKind kind, List<Object[]> before, List<Object[]> after) {
        ContentHash was = hash(kind, before);
        ContentHash is = hash(kind, after);
        assertThat(is.high() == was.high() && is.low() == was.low())
                .as("the sum of %d records is still %s", before.size(), was.hex())
                .isFalse();
    }

    private static List<Object[]> copy(List<Object[]> records) {
        List<Object[]> copy = new ArrayList<>();
        records.forEach(record -> copy.add(record.clone()));
        return copy;
    }

    private interface Fault {
        /** False when it changes nothing. */
        boolean on(List<Object[]> records, Random random);
    }

    private static void isFound(HashKind kind, Fault fault) {
        Seeds.forAll(RUNS, random -> {
            List<Object[]> records = records(random);
            List<Object[]> faulty = copy(records);
            if (fault.on(faulty, random)) {
                changes(kind, records, faulty);
            }
        });
    }

    private static boolean differs(Object a, Object b) {
        return a == null ? b != null : !a.equals(b);
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void valuesOfTwoRecordsAreSwapped(HashKind kind) {
        isFound(kind, (records, random) -> {
            int a = random.nextInt(records.size());
            int b = random.nextInt(records.size());
            int column = random.nextInt(COLUMNS);
            Object value = records.get(a)[column];
            records.get(a)[column] = records.get(b)[column];
            records.get(b)[column] = value;
            boolean othersDiffer = false;
            for (int i = 0; i < COLUMNS; i++) {
                othersDiffer |= i != column && differs(records.get(a)[i], records.get(b)[i]);
            }
            return differs(value, records.get(a)[column]) && othersDiffer;
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void aColumnIsShiftedByOneRecord(HashKind kind) {
        isFound(kind, (records, random) -> {
            int column = 2 + random.nextInt(3);
            Object last = records.get(records.size() - 1)[column];
            for (int i = records.size() - 1; i > 0; i--) {
                records.get(i)[column] = records.get(i - 1)[column];
            }
            records.get(0)[column] = last;
            return column < 4;
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void twoColumnsOfARecordAreSwapped(HashKind kind) {
        isFound(kind, (records, random) -> {
            Object[] record = records.get(random.nextInt(records.size()));
            Object value = record[1];
            record[1] = record[3];
            record[3] = value;
            return differs(record[1], value);
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void allValuesOfTwoColumnsAreSwapped(HashKind kind) {
        isFound(kind, (records, random) -> {
            records.forEach(record -> {
                Object value = record[1];
                record[1] = record[3];
                record[3] = value;
            });
            return true;
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void oneRecordIsThereTwiceAndAnotherIsGone(HashKind kind) {
        isFound(kind, (records, random) -> {
            int gone = random.nextInt(records.size());
            int twice = random.nextInt(records.size());
            records.set(gone, records.get(twice));
            return gone != twice;
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void blocksOfRecordsAreThereOftenAndOthersAreGone(HashKind kind) {
        isFound(kind, (records, random) -> {
            int half = records.size() / 2;
            for (int i = half; i < records.size(); i++) {
                records.set(i, records.get(i % half));
            }
            return true;
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void valuesAreMovedInOppositeDirections(HashKind kind) {
        isFound(kind, (records, random) -> {
            int a = random.nextInt(records.size());
            int b = random.nextInt(records.size());
            long by = 1L << random.nextInt(62);
            records.get(a)[1] = (Long) records.get(a)[1] + by;
            records.get(b)[1] = (Long) records.get(b)[1] - by;
            return a != b;
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void oneBitOfTwoRecordsIsFlipped(HashKind kind) {
        isFound(kind, (records, random) -> {
            int a = random.nextInt(records.size());
            int b = random.nextInt(records.size());
            long bit = 1L << random.nextInt(64);
            records.get(a)[3] = (Long) records.get(a)[3] ^ bit;
            records.get(b)[3] = (Long) records.get(b)[3] ^ bit;
            return a != b;
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void aValueBecomesNullOrZero(HashKind kind) {
        isFound(kind, (records, random) -> {
            int row = random.nextInt(records.size());
            Object value = random.nextBoolean() ? null : (Object) 0L;
            Object was = records.get(row)[3];
            records.get(row)[3] = value;
            return differs(was, value);
        });
    }

    @ParameterizedTest
    @EnumSource(HashKind.class)
    void bytesOfAStringMoveToTheNextOne(HashKind kind) {
        assertThat(hash(kind, List.<Object[]>of(new Object[] {"ab", "c"})))
                .isNotEqualTo(hash(kind, List.<Object[]>of(new Object[] {"a", "bc"})));
    }
}
