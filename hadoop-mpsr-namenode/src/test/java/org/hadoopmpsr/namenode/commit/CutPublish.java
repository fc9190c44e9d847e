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
package org.hadoopmpsr.namenode.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.namenode.NameDirCopies;
import org.hadoopmpsr.namenode.NameDirCopies.Transaction;
import org.hadoopmpsr.namenode.TestCluster;

/**
 * A publish, and what a crash leaves after each of its transactions: NameNodes are started on the edit log up to there.
 */
final class CutPublish {
    private final Publish publish;
    private final NameDirCopies copies;
    private final List<Transaction> boundaries;
    private final int commitPoint;
    private int first;

    /** A publish that may be repeated. */
    interface Publish {
        PublishResult with(MpsrClient client) throws Exception;
    }

    /** Checks a NameNode that has started after a crash. */
    interface Check {
        void of(Crash crash, TestCluster cluster, MpsrClient client) throws Exception;
    }

    /**
     * Where the NameNode was cut off.
     *
     * @param isLast true after the publish's last transaction
     */
    record Crash(String text, boolean isLast) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** Publishes, and ends the cluster. */
    CutPublish(TestCluster source, MpsrClient client, Publish publish) throws Exception {
        this.publish = publish;
        long before = lastTransaction(source);
        assertThat(publish.with(client).outcome()).isEqualTo(Outcome.COMMITTED);
        long after = lastTransaction(source);
        source.mini().shutdown(false);
        copies = new NameDirCopies(
                Path.of(source.mini().getNameDirs(0).iterator().next().getPath()));
        boundaries = copies.transactions(before, after);
        commitPoint = commitPoint(boundaries);
    }

    private static long lastTransaction(TestCluster cluster) {
        return cluster.mini().getNamesystem().getFSImage().getLastAppliedOrWrittenTxId();
    }

    /** The rename of the staged commit: the first rename of the publish. */
    private static int commitPoint(List<Transaction> transactions) {
        for (int i = 1; i < transactions.size(); i++) {
            if (transactions.get(i).operation().startsWith("OP_RENAME")) {
                return i;
            }
        }
        throw new AssertionError("no rename in " + transactions);
    }

    /** From here on only crashes right before the commit point and later are looked at: what comes before is the same for all changes. */
    CutPublish fromCommitPoint() {
        first = commitPoint - 1;
        return this;
    }

    /** What a crash leaves right after the commit point. */
    Path atCommitPoint() throws Exception {
        return copies.endingWith(boundaries.get(commitPoint));
    }

    /**
     * Checks that the publish is whole or has not begun, wherever the NameNode is cut off, and that it can be made or repeated
     * then.
     *
     * @param least the number of transactions after the commit point, or less
     * @param steps what they do
     * @param nothing checks a NameNode that has nothing of it
     * @param all checks one that has all of it
     * @param afterwards checks one on which it was repeated
     */
    void check(int least, String steps, Check nothing, Check all, Check afterwards) throws Exception {
        assertThat(boundaries.subList(commitPoint + 1, boundaries.size()))
                .as(steps)
                .hasSizeGreaterThanOrEqualTo(least);
        for (int i = first; i < boundaries.size(); i++) {
            boolean committed = i >= commitPoint;
            Crash crash = new Crash("crash after " + boundaries.get(i), i == boundaries.size() - 1);
            try (TestCluster cluster =
                            TestCluster.nameNode(TestCluster.threeGroups(), copies.endingWith(boundaries.get(i)));
                    MpsrClient client = cluster.client()) {
                if (!committed) {
                    nothing.of(crash, cluster, client);
                    assertThat(publish.with(client).outcome()).as(crash.text()).isEqualTo(Outcome.COMMITTED);
                }
                all.of(crash, cluster, client);
                assertThat(publish.with(client).outcome()).as(crash.text()).isEqualTo(Outcome.ALREADY_COMMITTED);
                assertThat(cluster.counter("RolledForwardCommits"))
                        .as(crash.text())
                        .isEqualTo(committed && !crash.isLast() ? 1 : 0);
                afterwards.of(crash, cluster, client);
            }
        }
    }

    /** The same, without more to check afterwards. */
    void check(int least, String steps, Check nothing, Check all) throws Exception {
        check(least, steps, nothing, all, (crash, cluster, client) -> {});
    }
}
