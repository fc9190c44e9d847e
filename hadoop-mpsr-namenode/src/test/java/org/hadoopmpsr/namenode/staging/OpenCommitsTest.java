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
package org.hadoopmpsr.namenode.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.namenode.staging.OpenCommits.Open;
import org.junit.jupiter.api.Test;

class OpenCommitsTest {
    private final OpenCommits open = new OpenCommits(2, 3);

    private void begin(String dataset, String commit, String user) throws Exception {
        open.begin(dataset + "/" + commit, new Open(dataset, user, 10));
    }

    @Test
    void aDatasetHasSoManyAndAUserSoMany() throws Exception {
        begin("a", "1", "me");
        begin("a", "2", "me");
        assertThatThrownBy(() -> begin("a", "3", "you"))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining(
                        "the dataset has 2 open commits, as many as dfs.mpsr.commit.max.open.per.dataset");
        begin("a", "2", "me"); // begun anew
        begin("b", "1", "me");
        assertThatThrownBy(() -> begin("c", "1", "me"))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining(
                        "user me has 3 open commits, as many as dfs.mpsr.commit.max.open.per.user allows");
        begin("c", "1", "you");
        assertThat(open.size()).isEqualTo(4);

        open.end("a/1");
        open.end("a/1");
        begin("a", "3", "me");
        assertThat(open.size()).isEqualTo(4);
    }

    @Test
    void whatIsFoundCounts() throws Exception {
        begin("a", "gone", "me");
        open.found(Map.of("a/1", new Open("a", "me", 12), "a/2", new Open("a", "me", 12)), 11);
        assertThat(open.size()).isEqualTo(2);
        assertThatThrownBy(() -> begin("a", "3", "you")).isInstanceOf(RetriableException.class);

        open.end("a/2");
        begin("a", "3", "you");
        open.found(Map.of("a/1", new Open("a", "me", 12)), 10);
        assertThat(open.size())
                .as("one that was begun after the search began stays")
                .isEqualTo(2);
    }
}
