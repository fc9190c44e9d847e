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
package org.hadoopmpsr.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.transform.Accuracy;
import org.junit.jupiter.api.Test;

/** Readers that let values be off are counted fewer bytes, of the files whose bounds allow that. */
class ColumnPricesTest {
    private static final Schema SCHEMA = Schema.parse("Value double, level double, n int");

    private static double share(String transforms, String accuracy, double greatest) {
        ReadRequest request = ReadRequest.ofAllColumns(Filter.ALL).within(Map.of("VALUE", Accuracy.parse(accuracy)));
        ColumnPrices prices = new ColumnPrices(SCHEMA, ColumnTransforms.parse(List.of(transforms)), request);
        FileStatistics file = new FileStatistics(
                "c",
                new ContentHash(10, 0, 0),
                List.of(),
                Map.of("value", ColumnStatistics.of(-greatest, greatest / 2, 0)));
        return prices.share("value", file);
    }

    @Test
    void aLevelThatIsGoodEnoughHasItsPrice() {
        String planes = "value=planes:16,16,32";
        assertThat(share(planes, "rel=0.04", 1)).isCloseTo(0.13, within(0.01));
        assertThat(share(planes, "rel=0.01", 1)).isCloseTo(0.42, within(0.01));
        assertThat(share(planes, "rel=1e-9", 1)).isEqualTo(1);
        assertThat(share(planes, "exact", 1)).isEqualTo(1);
        assertThat(share("value=approximate:abs=0.01", "abs=0.01", 1)).isEqualTo(0.15);
        assertThat(share("value=approximate:abs=0.01", "abs=0.001", 1)).isEqualTo(0.85);
        assertThat(share("value=decimal:2", "abs=1", 1)).isEqualTo(1);
    }

    @Test
    void theGreatestMagnitudeTellsWhatARelativeErrorComesTo() {
        assertThat(share("value=planes:16,16,32", "abs=1", 31)).isLessThan(0.2);
        assertThat(share("value=planes:16,16,32", "abs=1", 33)).isBetween(0.2, 0.5);
        assertThat(share("value=planes:16,16,32", "abs=1", Double.MAX_VALUE)).isEqualTo(1);
    }

    @Test
    void otherColumnsAndTransformsCountAsAWhole() {
        assertThat(share("level=planes:16,16,32", "rel=0.5", 1)).isEqualTo(1);
        assertThat(share("value=foreign:1", "rel=0.5", 1)).isEqualTo(1);
    }
}
