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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.client.proto.MpsrProtos.BlockProto;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * Which representations are degraded or diverged, as the last look at all of them found. Planning looks for itself, so
 * this is for the operator only. Thread-safe.
 */
final class Health {
    private final Datasets datasets;
    private final Indexes indexes;
    private final Verification verification;
    private final FileBlocks fileBlocks;
    private volatile List<Finding> findings = List.of();

    Health(Datasets datasets, Indexes indexes, Verification verification, FileBlocks fileBlocks) {
        this.datasets = datasets;
        this.indexes = indexes;
        this.verification = verification;
        this.fileBlocks = fileBlocks;
    }

    /**
     * What is wrong with one representation.
     *
     * @param degradedFiles files with a block that has no live replica
     * @param problem why it cannot be read at all; empty when it can
     */
    record Finding(String dataset, String group, long degradedFiles, String problem) {
        /** One line. */
        String text() {
            String lost = degradedFiles == 0 ? "" : degradedFiles + " file(s) without a live replica";
            return dataset + ", group '" + group + "': " + lost + (lost.isEmpty() || problem.isEmpty() ? "" : "; ")
                    + problem;
        }
    }

    /** Looks at every published file, with the read lock in short holds. */
    void check() throws IOException {
        List<Finding> found = new ArrayList<>();
        for (DatasetRecord dataset : new TreeMap<>(datasets.byPath()).values()) {
            DatasetIndex index = indexes.of(dataset);
            Map<String, String> problems = verification.problems(dataset, index);
            for (String group : dataset.groups().names()) {
                Finding finding = new Finding(
                        dataset.path(), group, degraded(index.group(group).files()), problems.getOrDefault(group, ""));
                if (finding.degradedFiles() > 0 || !finding.problem().isEmpty()) {
                    found.add(finding);
                }
            }
        }
        findings = List.copyOf(found);
    }

    private long degraded(List<DataFile> files) throws IOException {
        List<List<BlockProto>> blocks = fileBlocks.of(files);
        long degraded = 0;
        for (int i = 0; i < files.size(); i++) {
            degraded += FileBlocks.isReadable(files.get(i), blocks.get(i)) ? 0 : 1;
        }
        return degraded;
    }

    /** Of the last look, by dataset and group; empty when all was well. */
    List<Finding> findings() {
        return findings;
    }

    /** The degraded files of a group in all datasets. */
    long degradedFiles(String group) {
        return findings.stream()
                .filter(f -> f.group().equals(group))
                .mapToLong(Finding::degradedFiles)
                .sum();
    }
}
