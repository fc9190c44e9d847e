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
package org.hadoopmpsr.benchmarks.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.DataFile;

/** A rebuild of all files that a group holds of a segment. */
final class RebuiltGroup extends Change {
    private final Rebuild rebuild;
    private final List<StagedFile> files = new ArrayList<>();

    private RebuiltGroup(Dataset dataset, String id, String root, Rebuild rebuild, List<DataFile> held) {
        super(dataset, id);
        this.rebuild = rebuild;
        for (DataFile file : held) {
            String directory = PathNames.parent(file.path().substring(root.length() + 1));
            String name = "%s-%s-%05d.parquet".formatted(file.statistics().commitId(), id, files.size());
            files.add(new StagedFile(rebuild.group(), directory + "/" + name, file.statistics()));
        }
    }

    /** Of the default group. */
    static RebuiltGroup of(NameNode nameNode, MpsrClient client, Dataset dataset, String segment) throws IOException {
        String group = dataset.groups().defaultName();
        List<DataFile> held = client.segmentFiles(dataset.path(), group, List.of(segment));
        String root = dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
        List<Long> replaced = new ArrayList<>();
        for (DataFile file : held) {
            replaced.add(nameNode.getRpcServer().getFileInfo(file.path()).getFileId());
        }
        Rebuild rebuild = new Rebuild(group, List.of(segment), replaced);
        return new RebuiltGroup(dataset, Rebuild.ID_PREFIX + segment, root, rebuild, held);
    }

    @Override
    List<StagedFile> files() {
        return files;
    }

    @Override
    PublishResult ask(MpsrClient client) throws IOException {
        return client.rebuild(dataset().path(), dataset().id(), id(), rebuild, files);
    }
}
