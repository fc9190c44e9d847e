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
package org.hadoopmpsr.namenode.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionalPartsTest {
    private final OptionalParts parts = new OptionalParts();

    @Test
    void whatDoesNotStartLeavesAWarningAndDoesNotStopTheOthers() {
        List<String> started = new ArrayList<>();

        assertThat(parts.start("the page", "see /jmx instead", () -> {
                    throw new NoSuchMethodError("getWebAppContext");
                }))
                .isFalse();
        assertThat(parts.start("the bean", "the page stays empty", () -> {
                    throw new IOException("no more memory");
                }))
                .isFalse();
        assertThat(parts.start("the metrics", "there are none", () -> started.add("the metrics")))
                .isTrue();

        assertThat(started).containsExactly("the metrics");
        assertThat(parts.warnings())
                .containsExactly(
                        "MPSR works without the page, for it did not start (java.lang.NoSuchMethodError:"
                                + " getWebAppContext): see /jmx instead; see the NameNode's log",
                        "MPSR works without the bean, for it did not start (java.io.IOException: no more memory):"
                                + " the page stays empty; see the NameNode's log");
    }
}
