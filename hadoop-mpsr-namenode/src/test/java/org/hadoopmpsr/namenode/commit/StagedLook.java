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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.check.CommitCheck;
import org.hadoopmpsr.namenode.check.CommitCheck.CheckedFile;
import org.hadoopmpsr.namenode.check.StagedTree;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.Namespace;

/** A commit's staged files as a publish has checked them, to be compared again later. */
final class StagedLook {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final String staging;
    private final StagedTree tree;
    private final List<CheckedFile> files = new ArrayList<>();

    StagedLook(TestCluster cluster, Dataset dataset, TestCommit commit) throws IOException {
        system = new MpsrNamesystem(cluster.mini().getNameNode());
        namespace = new Namespace(system);
        StoreLayout layout = new StoreLayout("/.mpsr");
        DatasetRecord record = record(system, namespace, dataset);
        CommitCheck check = new CommitCheck(namespace, layout, record, DatasetChange.append(commit.id(), List.of()));
        staging = layout.stagingDir(record.id(), commit.id());
        for (StagedFile file : commit.files()) {
            NamedFile named = new NamedFile(
                    file.group(),
                    staging + "/" + file.group() + "/" + file.relativePath(),
                    commit.published(file.group()),
                    file.statistics(),
                    file.length());
            files.add(system.read(() -> check.check(named, Integer.MAX_VALUE)));
        }
        tree = new StagedTree(
                check, system.read(() -> namespace.require(staging).getId()), files);
    }

    /** The dataset as the NameNode knows it. */
    static DatasetRecord record(MpsrNamesystem system, Namespace namespace, Dataset dataset) throws IOException {
        return system.read(() -> {
            var inode = namespace.require(dataset.path());
            byte[] definition = Objects.requireNonNull(Attributes.get(inode, Attributes.DATASET));
            return DatasetRecord.of(dataset.path(), inode.getId(), DatasetProto.parseFrom(definition));
        });
    }

    /** Compares. */
    void again() throws IOException {
        system.read(() -> {
            tree.check(namespace, namespace.require(staging).asDirectory());
            return true;
        });
    }
}
