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
package org.hadoopmpsr.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto.Kind;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ValueProto;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.hadoopmpsr.core.transform.Accuracy;
import org.junit.jupiter.api.Test;

class WireTest {

    @Test
    void fileStatisticsComeBackEqual() throws Exception {
        FileStatistics file = new FileStatistics(
                "c-1",
                new ContentHash(7, -1, Long.MIN_VALUE),
                Arrays.asList(5L, null, "x"),
                Map.of(
                        "a", new ColumnStatistics(-3L, 9L, 0),
                        "b",
                                new ColumnStatistics("", "z", 2, 26, true, 1L << 40)
                                        .withValues(ValueFilter.fromBytes(new byte[] {-1, 0})),
                        "c", new ColumnStatistics(-0.5, null, -1),
                        "d", new ColumnStatistics(false, true, 1),
                        "e", ColumnStatistics.UNKNOWN.withBytes(0)));
        assertThat(Wire.statistics(Wire.statistics(file))).isEqualTo(file);
    }

    @Test
    void groupsSourcesAndOffsetsComeBackEqual() {
        ReplicaGroup group = new ReplicaGroup(
                "signal",
                List.of(Predicate.parse("bucket(64, signal)"), Predicate.parse("range(n, 1, 5)")),
                SortKey.parseList("signal, bits(16, n), bits(9, `x y`.z), ts"),
                2,
                Codec.parse("zstd:7"));
        assertThat(Wire.group(Wire.group(group))).isEqualTo(group);
        ReplicaGroup held = group.with(ColumnTransforms.parse(
                List.of("value=planes:16,16,32;v=1", "`x=y, z`=unknown;v=3", "n=other:a b,c=d;v=2")));
        assertThat(Wire.group(Wire.group(held))).isEqualTo(held);
        CommitSource source = new CommitSource("t", 3, 0, Long.MAX_VALUE);
        assertThat(Wire.source(Wire.source(source))).isEqualTo(source);
        CommittedOffset offset = new CommittedOffset("t", 3, 12, "c");
        assertThat(Wire.offset(Wire.offset(offset))).isEqualTo(offset);
        CommitSource identified = source.withTopicId("dQw4w9WgXcQ");
        assertThat(Wire.source(Wire.source(identified))).isEqualTo(identified);
        assertThat(Wire.offset(Wire.offset(offset.withTopicId("x")))).isEqualTo(offset.withTopicId("x"));
    }

    @Test
    void whatIsTooMuchOfAFilterMatchesAll() {
        List<Object> many = new ArrayList<>();
        for (long i = 0; i <= FilterWire.MAX_VALUES; i++) {
            many.add(i);
        }
        Filter small = new Filter.Compare(Operator.EQ, "a", 1L);
        Filter filter = new Filter.And(List.of(new Filter.In("b", many), small));
        assertThat(FilterWire.filter(FilterWire.filter(filter)))
                .isEqualTo(new Filter.And(List.of(new Filter.Unknown(), small)));

        Filter deep = small;
        for (int i = 0; i < 5_000; i++) {
            deep = new Filter.Or(List.of(small, deep));
        }
        Filter sent = FilterWire.filter(FilterWire.filter(deep));
        int depth = 0;
        while (sent instanceof Filter.Or or) {
            sent = or.parts().get(1);
            depth++;
        }
        assertThat(sent).isEqualTo(new Filter.Unknown());
        assertThat(depth).isEqualTo(FilterWire.MAX_DEPTH + 1);
    }

    @Test
    void filtersComeBackEqual() {
        Filter filter = new Filter.And(List.of(
                new Filter.Or(List.of(
                        new Filter.Compare(Operator.EQ, "a", 1L),
                        new Filter.Compare(Operator.LT, "b", -1.5),
                        new Filter.Compare(Operator.LE, "b", true),
                        new Filter.Compare(Operator.GT, "c", ""),
                        new Filter.Compare(Operator.GE, "c", null))),
                new Filter.Not(new Filter.In("a", List.of(1L, 2L))),
                new Filter.IsNull("d"),
                new Filter.StartsWith("c", "x"),
                new Filter.Unknown(),
                Filter.ALL));
        assertThat(FilterWire.filter(FilterWire.filter(filter))).isEqualTo(filter);
    }

    @Test
    void readRequestsComeBackEqual() {
        for (ReadRequest readRequest : List.of(
                ReadRequest.ofAllColumns(Filter.ALL),
                new ReadRequest(new Filter.IsNull("d"), Set.of("d", "value")),
                new ReadRequest(Filter.ALL, Set.of("value"), 96, Set.of("dn1", "dn2")),
                new ReadRequest(Filter.ALL, null).of(new FileTotals(12, 1L << 40, -7)),
                ReadRequest.ofFiles(new Filter.IsNull("d")),
                ReadRequest.ofAllColumns(Filter.ALL).inParts(),
                ReadRequest.ofAllColumns(Filter.ALL).knowing(Set.of("planes:1", "other:12")),
                ReadRequest.ofAllColumns(Filter.ALL)
                        .within(Map.of("Value", Accuracy.parse("abs=0.01,rel=1e-3"), "small", Accuracy.EXACT)),
                new ReadRequest(Filter.ALL, Set.of()))) {
            PlanRequestProto request =
                    ReadRequestWire.request(readRequest).setPath("/cals/meas").build();
            assertThat(ReadRequestWire.readRequest(request)).isEqualTo(readRequest);
        }
    }

    /** As of a client that is older. */
    @Test
    void aListingWithoutAFingerprintIsNone() {
        PlanRequestProto request = ReadRequestWire.request(
                        ReadRequest.ofAllColumns(Filter.ALL).of(new FileTotals(12, 1L << 40, 5)))
                .setPath("/cals/meas")
                .clearListedFingerprint()
                .build();
        assertThat(ReadRequestWire.readRequest(request).listed()).isNull();
    }

    /** And no exception that nobody expects. */
    @Test
    void aFilterThatMakesNoSenseIsRefused() {
        FilterProto all = FilterWire.filter(Filter.ALL);
        ValueProto one = Wire.value(1L);
        ValueProto none = ValueProto.getDefaultInstance();
        checkRefused("NOT needs one part", filter(Kind.NOT).addPart(all).addPart(all));
        checkRefused("NOT needs one part", filter(Kind.NOT));
        checkRefused("IN needs no parts", filter(Kind.IN).setColumn("c").addPart(all));
        checkRefused("IN needs a column", filter(Kind.IN).addLiteral(one));
        checkRefused(
                "IN needs literals that are not null",
                filter(Kind.IN).setColumn("c").addLiteral(one).addLiteral(none));
        checkRefused("EQ needs one literal, not 0", filter(Kind.EQ).setColumn("c"));
        checkRefused(
                "GE needs one literal, not 2",
                filter(Kind.GE).setColumn("c").addLiteral(one).addLiteral(one));
        checkRefused(
                "STARTS_WITH needs one literal, not 0", filter(Kind.STARTS_WITH).setColumn("c"));
        checkRefused(
                "STARTS_WITH needs a string as its literal",
                filter(Kind.STARTS_WITH).setColumn("c").addLiteral(none));
        checkRefused("IS_NULL needs a column", filter(Kind.IS_NULL));
    }

    private static FilterProto.Builder filter(Kind kind) {
        return FilterProto.newBuilder().setKind(kind);
    }

    private static void checkRefused(String need, FilterProto.Builder filter) {
        assertThatThrownBy(() -> FilterWire.filter(filter.build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the filter cannot be read: " + need + "; correct the client");
    }

    @Test
    void aLongTextIsNotSent() {
        String longText = "x".repeat(FilterWire.MAX_TEXT + 1);
        for (Filter filter : List.of(
                new Filter.Compare(Filter.Operator.EQ, "c", longText),
                new Filter.In("c", List.of("a", longText)),
                new Filter.StartsWith("c", longText))) {
            assertThat(FilterWire.filter(FilterWire.filter(filter))).isEqualTo(new Filter.Unknown());
        }
    }

    @Test
    void onlyColumnValuesAreSent() {
        assertThatThrownBy(() -> Wire.value(1)).hasMessageContaining("no column holds a class java.lang.Integer");
    }
}
