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
package org.hadoopmpsr.namenode.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.Test;

class CallPlacesTest {
    private String user = "a";
    private final CallPlaces places = new CallPlaces(5, 3, 1_000, () -> user);

    private List<CallPlaces.Place> take(String name, int count) throws IOException {
        user = name;
        List<CallPlaces.Place> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(places.take());
        }
        return taken;
    }

    @Test
    void oneUserLeavesPlacesForOthers() throws IOException {
        List<CallPlaces.Place> own = take("a", 3);
        assertThatThrownBy(places::take)
                .isInstanceOf(RetriableException.class)
                .hasMessage("the NameNode carries out 3 calls of user a to MPSR already, as many as"
                        + " dfs.mpsr.call.max.per.user allows; try again in a moment");
        take("b", 2);
        user = "c";
        assertThatThrownBy(places::take)
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining("5 calls to MPSR already, as many as dfs.mpsr.call.max.concurrent");
        own.get(0).close();
        own.get(0).close();
        assertThat(places.taken()).as("left once").isEqualTo(4);
        take("c", 1);
    }

    @Test
    void callsShareTheirMemory() throws IOException {
        CallPlaces.Place first = take("a", 1).get(0);
        first.reserve(400);
        first.reserve(300);
        CallPlaces.Place second = take("b", 1).get(0);
        assertThatThrownBy(() -> second.reserve(301))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining("take as much memory as dfs.mpsr.call.heap.percent allows");
        assertThatThrownBy(() -> second.reserve(1_001))
                .isNotInstanceOf(RetriableException.class)
                .hasMessageContaining("about 1001 bytes of the NameNode's heap, more than the 1000");
        second.reserve(300);
        first.close();
        assertThat(places.reservedBytes()).isEqualTo(300);
        second.close();
        assertThat(places.reservedBytes()).isZero();
        assertThat(places.taken()).isZero();
    }
}
