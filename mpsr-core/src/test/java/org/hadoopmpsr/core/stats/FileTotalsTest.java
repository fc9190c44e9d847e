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
package org.hadoopmpsr.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FileTotalsTest {

    private record Named(String path, long length) {}

    private static FileTotals of(List<Named> files) {
        FileTotals totals = FileTotals.EMPTY;
        for (Named file : files) {
            totals = totals.plus(file.path, file.length);
        }
        return totals;
    }

    private static FileTotals of(String path, long length) {
        return of(List.of(new Named(path, length)));
    }

    @Test
    void theOrderDoesNotMatter() {
        List<Named> files = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            files.add(new Named("/cals/meas/day=2017-05-0" + i % 7 + "/part-" + i + ".parquet", i * 1000L));
        }
        FileTotals totals = of(files);
        Collections.shuffle(files, new Random(7));
        assertThat(of(files)).isEqualTo(totals);
        Named gone = files.remove(0);
        assertThat(totals.minus(gone.path(), gone.length())).isEqualTo(of(files));
        assertThat(totals.files()).isEqualTo(1000);
        assertThat(totals.bytes()).isEqualTo(499_500_000L);
    }

    /** Parts of a dataset that have as many files and bytes. */
    @Test
    void otherFilesHaveAnotherFingerprint() {
        Set<FileTotals> seen = new HashSet<>();
        for (int first = 0; first < 300; first++) {
            for (int second = first + 1; second < 300; second++) {
                seen.add(of(List.of(new Named("/d/p=" + first + "/f", 100), new Named("/d/p=" + second + "/f", 100))));
            }
        }
        assertThat(seen).hasSize(300 * 299 / 2);
    }

    @Test
    void lengthsBelongToTheirFiles() {
        FileTotals some = of(List.of(new Named("/d/a", 1), new Named("/d/b", 2)));
        FileTotals swapped = of(List.of(new Named("/d/a", 2), new Named("/d/b", 1)));
        assertThat(swapped.bytes()).isEqualTo(some.bytes());
        assertThat(swapped).isNotEqualTo(some);
    }

    @Test
    void eachCharacterCounts() {
        Set<Long> seen = new HashSet<>();
        for (String path :
                List.of("", "/", "/a", "/a/", "/\u0100a", "/%61", "/\u0000", "/a\u0000", "//a", "/a b", "/ä")) {
            for (long length : new long[] {0, 1, 2, 1L << 40}) {
                seen.add(of(path, length).fingerprint());
            }
        }
        assertThat(seen).hasSize(11 * 4);
    }

    /** NameNodes and readers of different versions compare them. */
    @Test
    void aFingerprintStaysWhatItIs() {
        assertThat(of("/cals/meas/system=a%2Fb ü/part-1.parquet", 12_345).fingerprint())
                .isEqualTo(2_609_962_845_468_401_718L);
    }
}
