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
package org.hadoopmpsr.core.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

/** A group with rounded values is no copy of the records. */
class LossyGroupsTest {
    private static final Schema SCHEMA =
            Schema.parse("id bigint not null, at timestamp not null, signal string not null, value double");
    private static final ReplicaGroup TIME = group("time", "day(at)");
    private static final ReplicaGroup SIGNAL = group("signal", "signal");
    private static final ReplicaGroup ROUGH = group("rough", "signal", "value=lossy:abs=0.001");
    private static final ReplicaGroups ALL = groups(TIME, SIGNAL, ROUGH);

    private static ReplicaGroup group(String name, String predicate, String... transforms) {
        return new ReplicaGroup(
                        name, List.of(Predicate.parse(predicate)), SortKey.parseList("at"), 1, Codec.parse("none"))
                .with(ColumnTransforms.parse(List.of(transforms)));
    }

    private static ReplicaGroups groups(ReplicaGroup... groups) {
        return new ReplicaGroups(List.of(groups), groups[0].name());
    }

    @Test
    void twoOtherGroupsHoldTheRecordsThemselves() {
        assertThat(ALL.problemsWith(SCHEMA)).isEmpty();
        assertThat(ALL.lossyNames()).containsExactly("rough");
        assertThat(ALL.exact()).containsExactly(TIME, SIGNAL);
        assertThat(groups(TIME, ROUGH).problemsWith(SCHEMA))
                .containsExactly(
                        "replica group 'rough' cannot have value=lossy:abs=0.001: a group with rounded values is no"
                                + " copy of the records, and only [time] holds the values themselves; have two other groups"
                                + " without 'lossy', or take the transform away");
        ReplicaGroup other = group("other", "signal", "value=lossy:bits=9");
        assertThat(groups(TIME, ROUGH, other).problemsWith(SCHEMA)).hasSize(1);
        assertThat(groups(ROUGH, TIME, SIGNAL).problemsWith(SCHEMA))
                .containsExactly(
                        "replica group 'rough' cannot hold column 'value' as lossy:abs=0.001: it is the default"
                                + " group, whose files every reader reads; take another group, or another default group");
    }

    @Test
    void nothingThatGroupsHaveInCommonDependsOnTheColumn() {
        ReplicaGroup byValue = group("time", "bits(16, value)");
        assertThat(groups(byValue, SIGNAL, ROUGH).problemsWith(SCHEMA))
                .containsExactly(
                        "replica group 'rough' cannot have value=lossy:abs=0.001: the default group divides records"
                                + " by 'value', and rounded values may lie in another directory; take another column");
        ReplicaGroup own = group("rough", "bits(16, value)", "value=lossy:abs=0.001");
        assertThat(groups(TIME, SIGNAL, own).problemsWith(SCHEMA))
                .singleElement()
                .asString()
                .contains("its predicates divide records by the column");
        ReplicaGroups keyed = groups(group("time", "signal"), SIGNAL, ROUGH);
        assertThat(KeyColumns.problem(keyed, SCHEMA, List.of("signal", "at")))
                .get()
                .asString()
                .contains("[rough] has rounded values, by which it might keep another one");
    }

    @Test
    void alteredGroupsKeepTwoExactOnes() {
        ReplicaGroups three = groups(TIME, SIGNAL, group("device", "signal"), ROUGH);
        assertThat(AlteredGroups.dropped(three, Set.of(), "device").name()).isEqualTo("device");
        assertThat(AlteredGroups.dropped(ALL, Set.of(), "rough")).isEqualTo(ROUGH);
        assertThatThrownBy(() -> AlteredGroups.dropped(ALL, Set.of(), "signal"))
                .hasMessageContaining("the dataset would have one copy of its records");
        ReplicaGroup twice =
                new ReplicaGroup("time", TIME.predicates(), TIME.sort(), 2, TIME.codec(), ColumnTransforms.NONE);
        assertThatThrownBy(() -> AlteredGroups.dropped(groups(twice, SIGNAL, ROUGH), Set.of(), "signal"))
                .hasMessageContaining("only [time] holds the values themselves");
        ReplicaGroup rough = group("signal.2", "signal", "value=lossy:abs=1");
        assertThatThrownBy(() -> AlteredGroups.checkLossy(groups(TIME, SIGNAL), Set.of(), SIGNAL, rough))
                .hasMessageContaining("replica group 'signal.2' cannot have value=lossy:abs=1");
        AlteredGroups.checkLossy(three, Set.of(), SIGNAL, rough);
        assertThatThrownBy(() -> AlteredGroups.checkLossy(three, Set.of("device"), SIGNAL, rough))
                .as("one that may be cancelled")
                .hasMessageContaining("only [time] holds the values themselves");
        AlteredGroups.checkLossy(groups(TIME, SIGNAL), Set.of(), null, ROUGH);
        AlteredGroups.checkLossy(groups(TIME, SIGNAL), Set.of(), SIGNAL, group("signal.2", "signal"));
    }

    @Test
    void aLossyGroupCountsAsHoldingAsManyRecords() {
        ContentHash exact = new ContentHash(3, 1, 1);
        ContentHash rounded = new ContentHash(3, 9, 9);
        ContentHash fewer = new ContentHash(2, 9, 9);
        Set<String> lossy = ALL.lossyNames();
        assertThat(LossyGroups.comparable(lossy, Map.of("time", exact, "rough", rounded)))
                .containsEntry("rough", exact);
        assertThat(LossyGroups.comparable(lossy, Map.of("time", exact, "rough", fewer)))
                .containsEntry("rough", fewer);
        assertThat(LossyGroups.comparable(lossy, Map.of("time", exact, "signal", rounded)))
                .containsEntry("signal", rounded);
        assertThat(LossyGroups.holds(true, rounded, exact)).isTrue();
        assertThat(LossyGroups.holds(true, fewer, exact)).isFalse();
        assertThat(LossyGroups.holds(false, rounded, exact)).isFalse();
    }

    @Test
    void filesOfSuchGroupsHaveTheirOwnName() {
        assertThat(ROUGH.transforms().of(SCHEMA).texts()).containsExactly("value=lossy:abs=0.001");
        assertThat(ROUGH.transforms().unreadable(Set.of())).isPresent();
        assertThat(ROUGH.transforms().unreadable(Set.of("lossy:1"))).isEmpty();
        List<String> texts = new ArrayList<>(ROUGH.transforms().lossy().texts());
        assertThat(texts).containsExactly("value=lossy:abs=0.001");
    }
}
