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
package org.hadoopmpsr.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathNamesTest {

    @ParameterizedTest
    @CsvSource({"/a/b,/a,b", "/a,/,a", "/a/b=1/c,/a/b=1,c", "/,/,''"})
    void aPathIsItsParentAndAName(String path, String parent, String name) {
        assertThat(PathNames.parent(path)).isEqualTo(parent);
        assertThat(PathNames.name(path)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"/a,/a", "/a/b,/a", "/a/b/c,/a", "/a,/", "/,/"})
    void lyingBelow(String path, String directory) {
        assertThat(PathNames.isAtOrBelow(path, directory)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"/ab,/a", "/a,/a/b", "/b,/a", "/,/a"})
    void lyingElsewhere(String path, String directory) {
        assertThat(PathNames.isAtOrBelow(path, directory)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {".part", "_SUCCESS", "_temporary", "part-0._COPYING_"})
    void hiddenNames(String name) {
        assertThat(PathNames.isHidden(name)).isTrue();
    }

    @Test
    void aPartitionWhoseColumnBeginsWithAnUnderscoreIsNotHidden() {
        assertThat(PathNames.isHidden("_day=2020-01-01")).isFalse();
        assertThat(PathNames.isHidden("part-0_x.parquet")).isFalse();
    }
}
