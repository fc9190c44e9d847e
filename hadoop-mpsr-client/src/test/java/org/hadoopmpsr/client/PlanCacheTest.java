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
package org.hadoopmpsr.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.wire.ReadRequestWire;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(new ReplicaGroup("time", List.of(Predicate.parse("signal")), List.of(), 1, Codec.parse("none"))),
            "time");

    private static PlanRequestProto request(String path) {
        return ReadRequestWire.request(ReadRequest.ofAllColumns(Filter.ALL))
                .setPath(path)
                .build();
    }

    private static PlanCache.Entry entry(int files) {
        ReadPlan.PlannedFile file = new ReadPlan.PlannedFile("/f", 1, 1, 1, List.of(), Map.of());
        return new PlanCache.Entry(
                ByteString.copyFromUtf8("t"),
                new ReadPlan(
                        false,
                        "time",
                        "/",
                        Collections.nCopies(files, file),
                        List.of(),
                        "",
                        1,
                        null,
                        Schema.parse("signal string not null"),
                        GROUPS,
                        0));
    }

    @Test
    void thoseThatWereNotUsedForTheLongestTimeGo() {
        PlanCache cache = new PlanCache(3_500);
        cache.put(request("/a"), entry(1_000));
        cache.put(request("/b"), entry(1_000));
        cache.put(request("/c"), entry(1_000));
        assertThat(cache.get(request("/a"))).isNotNull();
        cache.put(request("/d"), entry(1_000));

        assertThat(cache.get(request("/a"))).isNotNull();
        assertThat(cache.get(request("/b"))).isNull();
        assertThat(cache.get(request("/c"))).isNotNull();
        assertThat(cache.get(request("/d"))).isNotNull();
    }

    @Test
    void plansWithoutFilesAndThoseThatAreReplacedCountToo() {
        PlanCache cache = new PlanCache(1_000);
        for (int i = 0; i < 100; i++) {
            cache.put(request("/same"), entry(500));
        }
        assertThat(cache.get(request("/same"))).isNotNull();
        cache.remove(request("/same"));
        for (int i = 0; i < 100; i++) {
            cache.put(request("/" + i), entry(0));
        }
        for (int i = 0; i < 90; i++) {
            assertThat(cache.get(request("/" + i))).isNull();
        }
        assertThat(cache.get(request("/99"))).isNotNull();
    }

    @Test
    void aPlanThatIsTooLargeIsNotKept() {
        PlanCache cache = new PlanCache(1_000);
        cache.put(request("/small"), entry(100));
        cache.put(request("/large"), entry(1_000));
        assertThat(cache.get(request("/large"))).isNull();
        assertThat(cache.get(request("/small"))).isNotNull();
        cache.put(request("/small"), entry(1_000));
        assertThat(cache.get(request("/small"))).isNull();
    }
}
