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
package org.hadoopmpsr.client.advise;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.advise.DataSample;
import org.hadoopmpsr.core.advise.FileSampler;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.schema.Column;

/** Samples a dataset from what the NameNode knows of its files. Opens no file. */
public final class DatasetSampler {
    /** About how many records a sample has. */
    private static final int RECORDS = 8_000;

    private DatasetSampler() {}

    /**
     * A sample. Needs the right to read all of the dataset.
     *
     * @param seed equal seeds give equal samples of an unchanged dataset
     * @throws IOException also if the NameNode tells nothing of the files, with the reason
     */
    public static DataSample sample(MpsrClient client, Dataset dataset, long seed) throws IOException {
        List<String> columns =
                dataset.schema().columns().stream().map(Column::name).toList();
        List<List<FileSampler.FileFacts>> groups = new ArrayList<>();
        String reason = "";
        for (ReplicaGroup group : dataset.groups().groups()) {
            // a comparison is planned whatever can be read at the moment, and is no query of the workload
            Optional<ReadPlan> plan =
                    client.plan(dataset.path(), ReadRequest.ofFiles(Filter.ALL), group.name(), columns);
            if (plan.isPresent() && !plan.get().stock() && plan.get().group().equals(group.name())) {
                groups.add(
                        plan.get().files().stream().map(DatasetSampler::facts).toList());
            } else {
                reason = plan.map(ReadPlan::reason).orElse("it is no dataset");
            }
        }
        if (groups.stream().allMatch(List::isEmpty)) {
            throw new IOException("nothing is known of the files of " + dataset.path()
                    + (reason.isEmpty() ? ": it has no records" : ": " + reason));
        }
        return FileSampler.sample(dataset.schema(), groups, RECORDS, seed)
                .with(dataset.groups().defaultGroup().predicates());
    }

    private static FileSampler.FileFacts facts(ReadPlan.PlannedFile file) {
        return new FileSampler.FileFacts(segment(file.path()), file.rows(), file.length(), file.columns());
    }

    /** Files are named after the change that brought them and a number: {@code <change>-00000.parquet}. */
    private static String segment(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int end = name.lastIndexOf('-');
        return end < 0 ? name : name.substring(0, end);
    }
}
