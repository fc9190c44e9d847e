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
package org.hadoopmpsr.client.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.junit.jupiter.api.Test;

class DatasetAdviceTest {
    private static ReplicaGroup group(String name, String predicate, String... transforms) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicate)), List.of(), 1, Codec.parse("zstd"))
                .with(ColumnTransforms.parse(List.of(transforms)));
    }

    /** What a lossy group would save is not saved for queries that it may not answer. */
    @Test
    void groupsThatAnswerFewQueriesAreNotCompared() {
        ReplicaGroup signal = group("signal", "bucket(4, signal)");
        ReplicaGroup time = group("time", "day(at)");
        ReplicaGroups groups =
                new ReplicaGroups(List.of(signal, group("rough", "device", "value=lossy:abs=0.001"), time), "time");
        assertThat(DatasetAdvice.today(groups)).containsExactly(time, signal);
    }
}
