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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.JavaKeyStoreProvider;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.plan.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets and encryption zones, whose files cannot be renamed out or in. */
class EncryptionZoneTest {
    @TempDir
    private static java.nio.file.Path keys;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static HdfsAdmin admin;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set(
                CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
                JavaKeyStoreProvider.SCHEME_NAME + "://file" + keys.resolve("test.jks"));
        cluster = TestCluster.start(conf, 3, 1);
        client = cluster.client();
        DFSTestUtil.createKey("key", cluster.mini(), cluster.mini().getConfiguration(0));
        cluster.fs().getClient().setKeyProvider(cluster.mini().getNamesystem().getProvider());
        admin = new HdfsAdmin(cluster.fs().getUri(), cluster.mini().getConfiguration(0));
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static void createZone(String path) throws Exception {
        cluster.fs().mkdirs(new Path(path));
        admin.createEncryptionZone(new Path(path), "key", EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    }

    @Test
    void aDatasetIsNotCreatedInOne() throws Exception {
        createZone("/secret");
        for (String path : new String[] {"/secret", "/secret/deep/meas"}) {
            assertThatThrownBy(() -> client.createDataset(path, TestCluster.SCHEMA))
                    .hasMessageContaining("cannot create a dataset at '" + path + "': it lies in the encryption zone"
                            + " /secret, and its other representations would lie in /.mpsr, in no encryption zone; name a"
                            + " directory outside, or with dfs.mpsr.store.dir a store in the same zone");
        }
        assertThat(cluster.fs().exists(new Path("/secret/deep"))).isFalse();
        client.createDataset("/open/meas", TestCluster.SCHEMA);
    }

    @Test
    void aDatasetIsCreatedInTheZoneOfTheStore() throws Exception {
        createZone("/zone");
        Configuration conf = cluster.mini().getConfiguration(0);
        conf.set("dfs.mpsr.store.dir", "/zone/.mpsr");
        cluster.restartNameNode();
        try {
            Dataset dataset = client.createDataset("/zone/meas", TestCluster.SCHEMA);
            TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
            commit.publish(client);
            assertThat(client.getDataset("/zone/meas").representations())
                    .allSatisfy(r -> assertThat(r.files()).isEqualTo(1));
        } finally {
            conf.unset("dfs.mpsr.store.dir");
            cluster.restartNameNode();
        }
    }

    @Test
    void aDatasetThatBecomesOneIsNotCommittedTo() throws Exception {
        Dataset dataset = client.createDataset("/later/meas", TestCluster.SCHEMA);
        TestCommit commit = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
        createZone("/later/meas");

        assertThatThrownBy(() -> commit.publish(client)).hasMessageContaining("can't be moved");

        assertThat(client.getDataset("/later/meas").offsets()).isEmpty();
        assertThat(cluster.filesBelow("/later/meas")).isEmpty();
        assertThat(client.plan("/later/meas", Filter.ALL, null).orElseThrow().files())
                .isEmpty();
    }
}
