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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;

/** A change of a dataset whose files are generated: begun, staged, published. */
abstract class Change {
    static final int FILE_BYTES = 1_000_000;

    private final Dataset dataset;
    private final String id;

    Change(Dataset dataset, String id) {
        this.dataset = dataset;
        this.id = id;
    }

    final Dataset dataset() {
        return dataset;
    }

    final String id() {
        return id;
    }

    /** The files of all groups. */
    abstract List<StagedFile> files();

    /** Publishes what is staged. */
    abstract PublishResult ask(MpsrClient client) throws IOException;

    /** Begins the change and puts its files into the staging directory. */
    final void stage(MpsrClient client, GeneratedFiles generated) throws IOException {
        stage(client, generated, Map.of());
    }

    /** The same with replicas on one DataNode of each group, by uuid. */
    final void stage(MpsrClient client, GeneratedFiles generated, Map<String, String> nodes) throws IOException {
        generate(
                generated,
                client.beginCommit(dataset.path(), dataset.id(), id).require().stagingDir(),
                nodes);
    }

    final void publish(MpsrClient client) throws IOException {
        PublishResult result = ask(client);
        if (result.outcome() != PublishResult.Outcome.COMMITTED) {
            throw new IllegalStateException(
                    "change " + id + " was not published: " + result.outcome() + " " + result.reason());
        }
    }

    /** Where the files lie in a directory that holds one for each group. */
    final Map<String, List<String>> namesByDirectory() {
        Map<String, List<String>> names = new HashMap<>();
        for (StagedFile file : files()) {
            String path = "/" + file.group() + "/" + file.relativePath();
            int slash = path.lastIndexOf('/');
            names.computeIfAbsent(path.substring(0, slash), d -> new ArrayList<>())
                    .add(path.substring(slash + 1));
        }
        return names;
    }

    /** Puts the files below a directory, into directories for their groups. */
    final void generate(GeneratedFiles generated, String root) throws IOException {
        generate(generated, root, Map.of());
    }

    /** @param nodes where the blocks of a group's files lie: the uuid of a DataNode; nowhere without one */
    private void generate(GeneratedFiles generated, String root, Map<String, String> nodes) throws IOException {
        for (Map.Entry<String, List<String>> directory : namesByDirectory().entrySet()) {
            String group = directory.getKey().split("/", 3)[1];
            generated.add(root + directory.getKey(), directory.getValue(), FILE_BYTES, nodes.get(group));
        }
    }
}
