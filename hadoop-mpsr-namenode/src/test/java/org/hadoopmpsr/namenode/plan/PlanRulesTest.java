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

import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.namenode.dataset.TestRecord;
import org.junit.jupiter.api.Test;

class PlanRulesTest {

    private static PlanRequest known(Filter filter, String... columns) {
        return PlanRules.known(
                TestRecord.of("a", "/a"),
                new PlanRequest(
                        "/a",
                        ReadRequest.ofAllColumns(filter),
                        null,
                        List.of(columns),
                        OptionalLong.empty(),
                        0,
                        OptionalLong.empty(),
                        0,
                        0,
                        OptionalLong.empty(),
                        null,
                        ByteString.EMPTY));
    }

    private static Filter equal(String column, Object value) {
        return new Filter.Compare(Operator.EQ, column, value);
    }

    @Test
    void aColumnCountsOnceAndOnlyIfTheDatasetHasIt() {
        assertThat(known(Filter.ALL, "SIGNAL", "nothing", "signal", "Signal").columns())
                .containsExactly("SIGNAL");
    }

    @Test
    void conditionsOnOtherColumnsMayHaveAnyOutcome() {
        Filter filter = new Filter.And(List.of(
                equal("Signal", "x"),
                new Filter.Not(equal("nothing", 1L)),
                new Filter.IsNull("signal\u001fy"),
                Filter.ALL));
        assertThat(known(filter).read().filter())
                .isEqualTo(new Filter.And(List.of(
                        equal("Signal", "x"), new Filter.Not(new Filter.Unknown()), new Filter.Unknown(), Filter.ALL)));
    }

    @Test
    void alternativesOfOneColumnAreAList() {
        Filter more = new Filter.StartsWith("signal", "b");
        Filter filter = new Filter.Or(
                List.of(equal("signal", "x"), new Filter.In("SIGNAL", List.of("y", "z")), more, equal("signal", "w")));
        assertThat(known(filter).read().filter())
                .isEqualTo(new Filter.Or(List.of(more, new Filter.In("signal", List.of("x", "y", "z", "w")))));
        assertThat(known(new Filter.Or(List.of(equal("signal", "x"), equal("signal", "y"))))
                        .read()
                        .filter())
                .isEqualTo(new Filter.In("signal", List.of("x", "y")));
        Filter ofNull = new Filter.Or(List.of(new Filter.Compare(Operator.EQ, "signal", null)));
        assertThat(known(ofNull).read().filter()).isEqualTo(new Filter.Compare(Operator.EQ, "signal", null));
    }
}
