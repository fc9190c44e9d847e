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
package org.hadoopmpsr.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.core.stats.FileTotals;
import org.junit.jupiter.api.Test;

class FilePartsTest {

    private static FilePart part(String path, long start, long length) {
        return new FilePart(new Path("hdfs", "nn:8020", path), start, length, List.of());
    }

    private static FileTotals totals(FilePart... parts) {
        return new FileParts(List.of(parts)).totals();
    }

    @Test
    void totalsAreOfFilesAsAWhole() {
        FilePart first = part("/d/p=a%25 ä/1", 0, 100);
        FilePart rest = part("/d/p=a%25 ä/1", 100, 28);
        FilePart other = part("/d/p=b/2", 0, 7);
        FileTotals all = FileTotals.EMPTY.plus("/d/p=b/2", 7).plus("/d/p=a%25 ä/1", 128);
        assertThat(totals(first, rest, other)).isEqualTo(all);
        assertThat(totals(rest, other, first)).isEqualTo(all);
        assertThat(totals(first, other)).isNotEqualTo(all);
        assertThat(totals(first, rest, other, other)).isNotEqualTo(all);
        assertThat(totals()).isEqualTo(FileTotals.EMPTY);
    }
}
