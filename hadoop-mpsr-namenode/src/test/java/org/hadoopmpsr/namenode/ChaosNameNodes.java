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

import java.util.List;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;

/** Steps of the NameNodes: failovers, restarts, crashes, checkpoints and safe mode. */
final class ChaosNameNodes {
    private final Chaos chaos;

    ChaosNameNodes(Chaos chaos) {
        this.chaos = chaos;
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("failover", 2, this::failOver),
                new ChaosStep("restart a NameNode", 2, this::restart),
                new ChaosStep("crash of a NameNode", 2, this::crash),
                new ChaosStep("restart of all NameNodes", 1, this::restartAll),
                new ChaosStep("catch up", 2, this::catchUp),
                new ChaosStep("checkpoint", 1, this::checkpoint),
                new ChaosStep("safe mode", 1, this::safeMode));
    }

    private boolean failOver() throws Exception {
        chaos.log("failover");
        chaos.cluster().failOver();
        return true;
    }

    private boolean restart() throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        int nameNode = chaos.random(chaos.mini().getNumNameNodes());
        boolean active = nameNode == chaos.cluster().active();
        chaos.log("restart NameNode %d, which is %sactive", nameNode, active ? "" : "not ");
        chaos.restart(active ? chaos.cluster().killActive() : nameNode);
        return true;
    }

    private boolean crash() throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        chaos.log("NameNode %d, which is active, crashes", chaos.cluster().active());
        chaos.restart(chaos.cluster().crashActive());
        return true;
    }

    private boolean restartAll() throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        boolean crash = chaos.random(2) == 0;
        chaos.log("all NameNodes %s and start again", crash ? "crash" : "are stopped");
        chaos.dataNodes().awaitMovedDeleted();
        chaos.cluster().restartAll(crash);
        chaos.dataNodes().awaitAll();
        return true;
    }

    private boolean catchUp() throws Exception {
        int nameNode =
                chaos.random(2) == 0 ? HaCluster.OBSERVER : 1 - chaos.cluster().active();
        chaos.log("NameNode %d catches up", nameNode);
        chaos.cluster().catchUp(nameNode);
        return true;
    }

    private boolean checkpoint() throws Exception {
        chaos.log("checkpoint");
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
        chaos.fs().saveNamespace();
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        return true;
    }

    private boolean safeMode() throws Exception {
        if (chaos.datasets().isEmpty()) {
            return false;
        }
        ChaosDataset dataset = chaos.any(chaos.datasets());
        TestCommit commit = dataset.next(chaos.newName("w"), 1, 0).stage(chaos.client(), dataset.path(), chaos.fs());
        chaos.log("safe mode during %s to %s", commit.id(), dataset.path());
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
        assertThat(chaos.client().getDataset(dataset.path()).path()).isEqualTo(dataset.path());
        chaos.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        commit.publish(chaos.client(), dataset.path());
        dataset.published(commit);
        return true;
    }
}
