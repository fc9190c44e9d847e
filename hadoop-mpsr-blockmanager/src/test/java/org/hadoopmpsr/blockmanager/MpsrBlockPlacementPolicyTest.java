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
package org.hadoopmpsr.blockmanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.Replicas;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MpsrBlockPlacementPolicyTest {
    private final Nodes nodes = new Nodes();
    private final DatanodeDescriptor a0 = nodes.add("/r0", "a");
    private final DatanodeDescriptor a1 = nodes.add("/r0", "a");
    private final DatanodeDescriptor a2 = nodes.add("/r0", "a");
    private final DatanodeDescriptor b0 = nodes.add("/r1", "b");
    private final DatanodeDescriptor b1 = nodes.add("/r1", "b");
    private final DatanodeDescriptor none0 = nodes.add("/r1", null);
    private final DatanodeDescriptor none1 = nodes.add("/r1", null);
    private final Configuration conf = new Configuration(false);
    private final MpsrBlockPlacementPolicy policy = new MpsrBlockPlacementPolicy();

    @BeforeEach
    void initialize() {
        PlacementViews.bind(nodes.topology(), nodes.view());
        policy.setConf(conf);
        policy.initialize(conf, null, nodes.topology(), null);
    }

    @AfterEach
    void unbind() {
        PlacementViews.unbind(nodes.topology());
    }

    private boolean isMovable(DatanodeDescriptor from, DatanodeDescriptor to) {
        return policy.isMovable(List.of(from), from, to);
    }

    @Test
    void blocksMoveWithinTheirGroupOnly() {
        assertThat(isMovable(a0, a1)).isTrue();
        assertThat(isMovable(none0, none1)).isTrue();
        assertThat(isMovable(a0, b0)).isFalse();
        assertThat(isMovable(a0, none0)).isFalse();
        assertThat(isMovable(none0, a0)).isFalse();
    }

    @Test
    void outsideTheNameNodeTheAllocationIsFetched() {
        PlacementViews.unbind(nodes.topology());
        conf.set("dfs.mpsr.replica.groups", "a,b");
        conf.set(FakeAllocationSource.KEY, "u0=a,u1=b");
        policy.setConf(conf);

        assertThat(isMovable(a0, a1)).isFalse();
        assertThat(isMovable(b0, b1)).isTrue();
    }

    @Test
    void replicasOfOneGroupNeedOnlyItsRacks() {
        assertThat(policy.verifyBlockPlacement(new DatanodeInfo[] {a0, a1}, 2).isPlacementPolicySatisfied())
                .isTrue();
        assertThat(policy.verifyBlockPlacement(new DatanodeInfo[] {none0, none1}, 2)
                        .isPlacementPolicySatisfied())
                .isFalse();
        assertThat(policy.verifyBlockPlacement(new DatanodeInfo[] {a0, b0}, 2).isPlacementPolicySatisfied())
                .isTrue();
    }

    @Test
    void aGroupOnTwoRacksSpreads() {
        DatanodeDescriptor far = nodes.add("/r2", "a");
        PlacementViews.bind(nodes.topology(), nodes.view());

        assertThat(policy.verifyBlockPlacement(new DatanodeInfo[] {a0, a1, a2}, 3)
                        .isPlacementPolicySatisfied())
                .isFalse();
        assertThat(policy.verifyBlockPlacement(new DatanodeInfo[] {a0, a1, far}, 3)
                        .isPlacementPolicySatisfied())
                .isTrue();
    }

    private DatanodeStorageInfo chooseToDelete(DatanodeDescriptor... holders) {
        return policy.chooseReplicaToDelete(
                List.of(),
                Stream.of(holders).map(Replicas::on).toList(),
                new ArrayList<>(List.of(StorageType.DISK)),
                Map.of());
    }

    @Test
    void theCopyOnANodeThatIsToLeaveGoesFirst() {
        nodes.drain(a2);
        PlacementViews.bind(nodes.topology(), nodes.view());

        assertThat(chooseToDelete(a0, a1, a2).getDatanodeDescriptor()).isEqualTo(a2);
        assertThat(chooseToDelete(b0, a2).getDatanodeDescriptor())
                .as("the copies are not of one group")
                .isEqualTo(b0);
    }

    @Test
    void theCopyThatIsKnownToBeWrongGoesFirst() {
        PlacementViews.bind(nodes.topology(), among -> Set.of(b0.getDatanodeUuid()));

        assertThat(chooseToDelete(a0, b0).getDatanodeDescriptor()).isEqualTo(b0);
        assertThat(chooseToDelete(b0, a0).getDatanodeDescriptor()).isEqualTo(b0);
    }

    @Test
    void noCopyGoesWhereItIsNotClearWhichIsWrong() {
        PlacementViews.bind(nodes.topology(), among -> among);

        assertThat(chooseToDelete(a0, b0)).isNull();
    }

    @Test
    void nothingMovesToANodeThatIsToLeave() {
        nodes.drain(a2);
        PlacementViews.bind(nodes.topology(), nodes.view());

        assertThat(isMovable(a0, a2)).isFalse();
        assertThat(isMovable(a2, a0)).isTrue();
    }
}
