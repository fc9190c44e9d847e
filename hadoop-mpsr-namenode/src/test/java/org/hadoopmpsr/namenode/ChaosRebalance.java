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
package org.hadoopmpsr.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto.Action;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.client.verify.PlacementCheck;

/** The step of an administrator who has nodes change their groups, while NameNodes fail and commits go on. */
final class ChaosRebalance {
    private static final int TRANSFERS = 5;
    private static final int LOOKS_PER_REPORT = 5;

    private final Chaos chaos;
    private final ChaosWriter writer;

    ChaosRebalance(Chaos chaos) {
        this.chaos = chaos;
        this.writer = new ChaosWriter(chaos);
    }

    List<ChaosStep> steps() {
        return List.of(new ChaosStep("rebalance", 3, this::rebalance));
    }

    private boolean rebalance() throws Exception {
        if (!chaos.mayRestart() || !chaos.dataNodes().down().isEmpty()) {
            return false;
        }
        chaos.dataNodes().awaitMovedDeleted();
        List<String> moves = moves(chaos.client().rebalance(Action.EXECUTE, TRANSFERS));
        chaos.log("rebalance: %s", moves);
        for (int i = chaos.random(4); i > 0; i--) {
            disturb();
        }
        if (chaos.random(4) == 0) {
            chaos.log("cancel the rebalance");
            assertThat(chaos.client().rebalance(Action.CANCEL, TRANSFERS).getRunning())
                    .isFalse();
        } else {
            awaitEnd();
            assertThat(moves(chaos.client().rebalance(Action.SHOW, TRANSFERS))).isEmpty();
        }
        chaos.groups().learn();
        return true;
    }

    private static List<String> moves(RebalanceResponseProto answer) {
        return answer.getMoveList().stream()
                .map(m -> m.getNode().getHost() + " from " + m.getNode().getGroup() + " to " + m.getTo())
                .toList();
    }

    private void disturb() throws Exception {
        switch (chaos.random(4)) {
            case 0 -> {
                chaos.log("failover");
                chaos.cluster().failOver();
            }
            case 1 -> {
                chaos.log(
                        "NameNode %d, which is active, crashes", chaos.cluster().active());
                chaos.restart(chaos.cluster().crashActive());
            }
            default -> {
                for (ChaosDataset dataset : chaos.datasets()) {
                    TestCommit commit = writer.next(dataset, chaos.newName("w"));
                    chaos.log("commit %s to %s", commit.id(), dataset.path());
                    writer.write(dataset, commit, ChaosWriter.TRIES, new AtomicInteger());
                    dataset.published(commit);
                }
            }
        }
    }

    /** Fails at once when a block lies where it must not. A node is not moved before it has reported its blocks. */
    private void awaitEnd() {
        int[] looks = {0};
        await().atMost(Chaos.LONG.multipliedBy(2))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    if (++looks[0] % LOOKS_PER_REPORT == 0) {
                        chaos.mini().triggerBlockReports();
                    }
                    chaos.datasets().forEach(this::assertPlaced);
                    RebalanceResponseProto now = chaos.client().rebalance(Action.SHOW, TRANSFERS);
                    assertThat(now.getRunning()).as("running: %s", now).isFalse();
                });
    }

    private void assertPlaced(ChaosDataset dataset) {
        try {
            List<NodeProto> before = chaos.client().status().getNodeList();
            PlacementCheck.Result found = PlacementCheck.run(
                    chaos.client(),
                    chaos.cluster().clientConf(),
                    chaos.cluster().uri(),
                    dataset.path());
            if (!found.violations().isEmpty()
                    && before.equals(chaos.client().status().getNodeList())) {
                throw new IllegalStateException("during a rebalance: " + found.violations());
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
