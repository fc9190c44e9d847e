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
package org.hadoopmpsr.namenode.copies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SearchedStoragesTest {
    private final SearchedStorages searched = new SearchedStorages();

    @Test
    void aStorageIsSearchedOnce() {
        assertThat(searched.add("n", "a", 1)).isTrue();
        assertThat(searched.add("n", "b", 1)).isTrue();
        searched.completed("n", 1);

        assertThat(searched.add("n", "a", 2)).isFalse();
        assertThat(searched.add("n", "b", 2)).isFalse();
        searched.completed("n", 2);
        assertThat(searched.size()).isEqualTo(2);
    }

    @Test
    void aReplacedVolumeIsForgottenWithTheNextCompleteReport() {
        searched.add("n", "replaced", 1);
        searched.add("n", "kept", 1);
        searched.add("other", "replaced", 1);
        searched.completed("n", 1);

        searched.add("n", "kept", 2); // the first part of two
        assertThat(searched.size()).isEqualTo(3);
        searched.add("n", "new", 2);
        searched.completed("n", 2);

        assertThat(searched.size()).isEqualTo(3);
        assertThat(searched.add("n", "replaced", 3)).isTrue();
        assertThat(searched.add("other", "replaced", 3)).isFalse();
    }

    @Test
    void aForgottenNodeTakesItsStoragesAlong() {
        searched.add("n", "a", 1);
        searched.add("m", "a", 1);
        searched.retain(Set.of("m"));

        assertThat(searched.size()).isEqualTo(1);
    }
}
