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
package org.hadoopmpsr.namenode.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.TestRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.junit.jupiter.api.Test;

class PagedIndexesTest {
    private long nowNs;
    private final PagedIndexes indexes = new PagedIndexes(() -> nowNs);

    private static DatasetIndex index(String path, long generation) {
        return new DatasetIndex(path, new StatisticsCodec(Schema.parse(TestRecord.SCHEMA)), generation, Map.of());
    }

    @Test
    void theyAreOfADatasetAtItsPath() {
        DatasetRecord dataset = TestRecord.of("a", "/a");
        DatasetIndex index = index("/a", 1);
        indexes.keep("u", dataset, index);
        assertThat(indexes.of("u", dataset, 1)).isSameAs(index);
        assertThat(indexes.of("u", dataset, 2)).isNull();
        assertThat(indexes.of("u", TestRecord.of("b", "/a"), 1)).isNull();
        assertThat(indexes.of("u", TestRecord.of("a", "/renamed"), 1)).isNull();
    }

    @Test
    void thoseThatNobodyAsksForAreForgotten() {
        DatasetRecord dataset = TestRecord.of("a", "/a");
        indexes.keep("u", dataset, index("/a", 1));
        indexes.keep("u", dataset, index("/a", 2));
        nowNs += TimeUnit.SECONDS.toNanos(90);
        indexes.expire();
        assertThat(indexes.of("u", dataset, 1)).isNotNull();
        nowNs += TimeUnit.SECONDS.toNanos(90);
        indexes.expire();
        assertThat(indexes.of("u", dataset, 1)).isNotNull();
        assertThat(indexes.of("u", dataset, 2)).isNull();
    }

    @Test
    void thereAreNeverMany() {
        DatasetRecord dataset = TestRecord.of("a", "/a");
        for (int i = 0; i < 100; i++) {
            indexes.keep("u", dataset, index("/a", i));
        }
        assertThat(indexes.of("u", dataset, 83)).isNull();
        assertThat(indexes.of("u", dataset, 84)).isNotNull();
        assertThat(indexes.of("u", dataset, 99)).isNotNull();
    }

    @Test
    void nobodyTakesThoseOfOthers() {
        DatasetRecord dataset = TestRecord.of("a", "/a");
        indexes.keep("quiet", dataset, index("/a", 1));
        for (int i = 0; i < 100; i++) {
            for (int user = 0; user < 8; user++) {
                indexes.keep("u" + user, dataset, index("/a", 100 + i));
            }
        }
        assertThat(indexes.of("quiet", dataset, 1)).isNotNull();
        assertThat(indexes.of("u0", dataset, 1)).as("of another user").isNull();
        assertThat(indexes.of("u7", dataset, 199)).isNotNull();
    }
}
