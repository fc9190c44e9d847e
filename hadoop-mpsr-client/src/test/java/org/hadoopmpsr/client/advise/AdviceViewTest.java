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
import java.util.Map;
import org.hadoopmpsr.core.advise.Advice;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviceViewTest {
    private static final ReplicaGroup TIME = group("time", "at", "zstd:3");

    private static ReplicaGroup group(String name, String predicate, String codecs) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicate)), List.of(), 1, Codecs.parse(codecs));
    }

    private static Map<String, ?> json(ReplicaGroup advised, List<ReplicaGroup> today) {
        Advice advice = new Advice(List.of(TIME, advised), today, List.of(), 0, 1, true, Map.of());
        return new AdviceView("/d", advice).json();
    }

    private static String lastStep(Map<String, ?> json) {
        List<?> steps = (List<?>) json.get("steps");
        return steps.get(steps.size() - 1).toString();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "zstd:3 | \"\"",
                "auto | \" --codec 'auto'\"",
                "zstd:9, value=auto | \" --codec 'zstd:9, value=auto'\""
            })
    void aFurtherGroupGetsItsCodecs(String codecs, String option) {
        Map<String, ?> json = json(group("signal", "signal", codecs), List.of(TIME));
        assertThat(lastStep(json))
                .isEqualTo("hdfs mpsr dataset alter /d add-group signal --predicates 'signal'" + option);
        assertThat(json.get("groups").toString()).contains("codec=" + codecs + ",");
    }

    @Test
    void aGroupThatIsSetKeepsItsCodecs() {
        Map<String, ?> json = json(group("signal", "signal", "auto"), List.of(TIME, group("signal", "device", "auto")));
        assertThat(lastStep(json)).isEqualTo("hdfs mpsr dataset alter /d set-group signal --predicates 'signal'");
    }
}
