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
package org.hadoopmpsr.core.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.hadoopmpsr.core.rebuild.DamagedFile.Cause;
import org.junit.jupiter.api.Test;

class DamageCausesTest {
    @Test
    void causesAreAPartOfASentence() {
        DamageCauses causes = new DamageCauses(Map.of(Cause.CORRUPT, 2, Cause.LOST, 38), 3);
        assertThat(causes.allFiles()).isEqualTo(40);
        assertThat(causes.text())
                .isEqualTo("38 files lost with a DataNode or disk, 2 files corrupt, files of 3 segments deleted");
        assertThat(new DamageCauses(Map.of(), 1).text()).isEqualTo("files of 1 segments deleted");
    }
}
