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

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepresentationNameTest {
    @Test
    void theFirstOneHasTheGroupsNameAndLaterOnesANumber() {
        assertThat(RepresentationName.next("signal", List.of("time"))).isEqualTo("signal");
        assertThat(RepresentationName.next("signal", List.of("time", "signal"))).isEqualTo("signal.2");
        assertThat(RepresentationName.next("signal", List.of("signal.10", "signal.9", "signal-x.30")))
                .isEqualTo("signal.11");
        assertThat(RepresentationName.group("signal.11")).isEqualTo("signal");
        assertThat(RepresentationName.group("signal")).isEqualTo("signal");
    }

    @Test
    void aGroupMeansTheOnlyOneThatIsThere() {
        ReplicaGroups groups = groups("time", "signal.2", "device", "device.2");
        assertThat(groups.meant("signal")).map(ReplicaGroup::name).contains("signal.2");
        assertThat(groups.meant("signal.2")).map(ReplicaGroup::name).contains("signal.2");
        assertThat(groups.meant("device")).map(ReplicaGroup::name).contains("device");
        assertThat(groups.meant("signal.3")).isEmpty();
        assertThat(groups("time", "device.2", "device.3").meant("device"))
                .as("either one may be meant")
                .isEmpty();
    }

    private static ReplicaGroups groups(String... names) {
        return new ReplicaGroups(
                Arrays.stream(names)
                        .map(name -> new ReplicaGroup(
                                name, List.of(Predicate.parse("a")), List.of(), 1, Codec.parse("none")))
                        .toList(),
                "time");
    }
}
