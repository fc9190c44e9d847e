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
    private static final Object ONE = "a client";

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
        cache.put(ONE, request("/a"), entry(1_000));
        cache.put(ONE, request("/b"), entry(1_000));
        cache.put(ONE, request("/c"), entry(1_000));
        assertThat(cache.get(ONE, request("/a"))).isNotNull();
        cache.put(ONE, request("/d"), entry(1_000));

        assertThat(cache.get(ONE, request("/a"))).isNotNull();
        assertThat(cache.get(ONE, request("/b"))).isNull();
        assertThat(cache.get(ONE, request("/c"))).isNotNull();
        assertThat(cache.get(ONE, request("/d"))).isNotNull();
    }

    @Test
    void plansWithoutFilesAndThoseThatAreReplacedCountToo() {
        PlanCache cache = new PlanCache(1_000);
        for (int i = 0; i < 100; i++) {
            cache.put(ONE, request("/same"), entry(500));
        }
        assertThat(cache.get(ONE, request("/same"))).isNotNull();
        cache.remove(ONE, request("/same"));
        for (int i = 0; i < 100; i++) {
            cache.put(ONE, request("/" + i), entry(0));
        }
        for (int i = 0; i < 90; i++) {
            assertThat(cache.get(ONE, request("/" + i))).isNull();
        }
        assertThat(cache.get(ONE, request("/99"))).isNotNull();
    }

    @Test
    void aPlanThatIsTooLargeIsNotKept() {
        PlanCache cache = new PlanCache(1_000);
        cache.put(ONE, request("/small"), entry(100));
        cache.put(ONE, request("/large"), entry(1_000));
        assertThat(cache.get(ONE, request("/large"))).isNull();
        assertThat(cache.get(ONE, request("/small"))).isNotNull();
        cache.put(ONE, request("/small"), entry(1_000));
        assertThat(cache.get(ONE, request("/small"))).isNull();
    }

    @Test
    void severalClientsHaveTheMemoryTogetherAndNonePlansOfAnother() {
        PlanCache cache = new PlanCache(2_500);
        Object other = new String("a client"); // equal, and still another
        cache.put(ONE, request("/a"), entry(1_000));
        assertThat(cache.get(other, request("/a"))).isNull();
        cache.put(other, request("/a"), entry(1_000));
        cache.put(other, request("/b"), entry(1_000));
        assertThat(cache.get(ONE, request("/a"))).isNull();
        assertThat(cache.get(other, request("/a"))).isNotNull();
        cache.put(ONE, request("/c"), entry(10));
        cache.removeAll(other);
        assertThat(cache.get(other, request("/b"))).isNull();
        assertThat(cache.get(ONE, request("/c"))).isNotNull();
        for (int i = 0; i < 2; i++) { // what was removed weighs nothing any more
            cache.put(ONE, request("/" + i), entry(1_000));
        }
        assertThat(cache.get(ONE, request("/c"))).isNotNull();
    }
}
