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
package org.hadoopmpsr.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.Growth;
import org.junit.jupiter.api.Test;

class FenceTest {
    private static final CommittedOffset COMMITTED = new CommittedOffset("t", 0, 100, "c1");

    private static Fence.Verdict verdict(String commit, CommitSource... sources) {
        return Fence.decide(commit, List.of(sources), List.of(COMMITTED)).verdict();
    }

    @Test
    void opensWhereTheCommitGoesOn() {
        assertThat(verdict("c2", new CommitSource("t", 0, 100, 150))).isEqualTo(Fence.Verdict.OPEN);
        assertThat(verdict("c2", new CommitSource("t", 1, 7, 9))).isEqualTo(Fence.Verdict.OPEN);
    }

    @Test
    void fencesAWriterThatWasReplaced() {
        Fence.Decision decision = Fence.decide("c2", List.of(new CommitSource("t", 0, 50, 120)), List.of(COMMITTED));
        assertThat(decision.verdict()).isEqualTo(Fence.Verdict.FENCED);
        assertThat(decision.reason())
                .contains(
                        "starts t-0 at offset 50",
                        "commit c1 has committed it up to 100",
                        "another writer is at work",
                        "go on from offset 100");
        assertThat(verdict("c2", new CommitSource("t", 0, 101, 120))).isEqualTo(Fence.Verdict.FENCED);
        assertThat(verdict("c2", new CommitSource("t", 1, 0, 5), new CommitSource("t", 0, 0, 100)))
                .isEqualTo(Fence.Verdict.FENCED);
    }

    @Test
    void namesARollbackWhereCommittedRecordsAreGone() {
        assertThat(Fence.decide("c2", List.of(new CommitSource("t", 0, 120, 130)), List.of(COMMITTED))
                        .reason())
                .contains(
                        "from offset 100 to 120 are not in the dataset",
                        "rolled back to an earlier state",
                        "go on from offset 100")
                .doesNotContain("another writer");
    }

    @Test
    void knowsTheSameCommitAgain() {
        assertThat(verdict("c1", new CommitSource("t", 0, 40, 100))).isEqualTo(Fence.Verdict.ALREADY_COMMITTED);
    }

    @Test
    void offsetsAreReadBackFromTheirDirectoryNames() {
        CommittedOffset odd = new CommittedOffset("a=b/c d", 3, 9, "x-1");
        assertThat(odd.directoryName()).doesNotContain("/");
        assertThat(CommittedOffset.parse(odd.directoryName())).isEqualTo(odd);
        assertThatThrownBy(() -> CommittedOffset.parse("nonsense")).hasMessageContaining("'nonsense'");
    }

    @Test
    void commitIdsMustBeNames() {
        assertThat(CommitId.check("topic-0-1-2-abc")).isEqualTo("topic-0-1-2-abc");
        for (String bad : List.of("", "a/b", "..", "-x", "a b")) {
            assertThatThrownBy(() -> CommitId.check(bad)).hasMessageContaining("commit id '" + bad + "'");
        }
    }

    /** Under the lock of the namesystem. */
    @Test
    void sourcesAreNotComparedWithEachOffset() {
        double factor = Growth.factor(() -> decide(1_000), () -> decide(20_000));
        assertThat(factor).as("for 20 times as many sources and offsets").isLessThan(150);
    }

    private static void decide(int count) {
        List<CommitSource> sources = IntStream.range(0, count)
                .mapToObj(i -> new CommitSource("topic", i, 10, 20).withTopicId("id"))
                .toList();
        List<CommittedOffset> committed = IntStream.range(0, count)
                .mapToObj(i -> new CommittedOffset("topic", i, 10, "c0", "id"))
                .toList();
        assertThat(Fence.decide("c1", sources, committed).verdict()).isEqualTo(Fence.Verdict.OPEN);
        assertThat(Fence.otherTopic(sources, committed)).isEmpty();
    }
}
