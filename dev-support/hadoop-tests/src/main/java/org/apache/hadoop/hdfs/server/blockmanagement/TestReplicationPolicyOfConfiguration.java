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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Hadoop's tests of its placement policies, with the policy that is configured: theirs name the policy themselves. */
@RunWith(Parameterized.class)
public class TestReplicationPolicyOfConfiguration extends TestReplicationPolicy {

    public TestReplicationPolicyOfConfiguration(String policy) {
        super(policy);
    }

    /** Hides the list of Hadoop's own policies. */
    @Parameterized.Parameters
    public static Iterable<Object[]> data() {
        String policy = new HdfsConfiguration()
                .get(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, BlockPlacementPolicyDefault.class.getName());
        return List.<Object[]>of(new Object[] {policy});
    }
}
