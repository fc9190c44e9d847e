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
package org.hadoopmpsr.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;

class TablesTest {
    private static Stream<String> readings(String name) {
        return Tables.ofGroup(TableIdentifier.of("cals", name)).stream()
                .map(found -> found.table().name() + " " + found.group());
    }

    @Test
    void eachEngineHasANameOfAGroupThatItKnows() {
        assertThat(readings("meas$signal")).containsExactly("meas signal");
        assertThat(readings("meas__signal")).containsExactly("meas signal");
        assertThat(readings("meas")).isEmpty();
        assertThat(readings("meas_signal")).isEmpty();
    }

    @Test
    void bothPartsMayHaveUnderscores() {
        assertThat(readings("my__meas__signal")).containsExactly("my__meas signal", "my meas__signal");
        assertThat(readings("a__b$c")).containsExactly("a__b c", "a b$c");
    }

    @Test
    void neitherPartIsEmpty() {
        for (String name : new String[] {"$", "__", "$signal", "__signal", "meas$", "meas__"}) {
            assertThat(readings(name)).as(name).isEmpty();
        }
    }
}
