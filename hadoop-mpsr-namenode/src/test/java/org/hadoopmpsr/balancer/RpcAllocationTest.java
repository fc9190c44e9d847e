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
package org.hadoopmpsr.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

/** Hadoop's TestBalancerWithMultipleNameNodes, in the short list of hadoop-tests, shows it in a federation. */
class RpcAllocationTest {

    @Test
    void whereNoNameNodeIsConfiguredNoneIsAsked() throws IOException {
        // as Hadoop's fsck has it in a test: a policy of its own, and a configuration of no cluster
        Configuration conf = new HdfsConfiguration();
        conf.set("fs.defaultFS", "file:///");

        assertThat(new RpcAllocation().fetch(conf)).isEmpty();
    }
}
