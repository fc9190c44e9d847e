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

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** The tests run on the Hadoop, and with the lock, that the build means. */
class HadoopInUseTest {
    private static final String LOCK = "dfs.namenode.lock.model.provider.class";

    @Test
    void theTestsRunOnTheHadoopThatIsMeant() {
        assertThat(VersionInfo.getVersion()).isEqualTo(System.getProperty("mpsr.test.hadoop"));
        String lock = new HdfsConfiguration().get(LOCK, "");
        if (System.getProperty("mpsr.test.lock", "").equals("fine-grained-lock")) {
            assertThat(lock).endsWith(".FineGrainedFSNamesystemLock");
        } else {
            assertThat(lock).doesNotContain("FineGrained");
        }
    }
}
