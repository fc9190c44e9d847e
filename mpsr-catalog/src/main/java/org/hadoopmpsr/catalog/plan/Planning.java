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
package org.hadoopmpsr.catalog.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.GroupSpec;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.jspecify.annotations.Nullable;

/** Finds the files that a scan reads. Safe for use by several threads. */
public final class Planning {
    private final DirectoryFiles directories = new DirectoryFiles();

    /**
     * The files of a scan.
     *
     * @param files each record of the dataset that may pass the filter is in one of them, once
     * @param groups the groups that they are of, the chosen one first
     * @param reason why they are read
     * @param generation of the state that was planned
     */
    public record Planned(List<PlannedFile> files, List<String> groups, String reason, long generation) {}

    /**
     * Plans a scan.
     *
     * @param group the group to read, or null for the cheapest one
     * @throws IOException if the caller may not read the dataset, among others
     */
    public Planned plan(MpsrClient client, FileSystem fs, DatasetTable table, ScanRequest scan, @Nullable String group)
            throws IOException {
        String path = table.dataset().path();
        ReadPlan plan = client.plan(path, scan.request(), group, List.of())
                .orElseThrow(() -> new IOException(path + " is no dataset any more"));
        GroupSpec own = table.spec(plan.groups().defaultName()).orElseThrow();
        if (plan.stock()) {
            return new Planned(
                    directories.below(fs, path, own), List.of(own.group().name()), plan.reason(), plan.generation());
        }
        List<PlannedFile> files = new ArrayList<>();
        for (ReadPlan.Part part : plan.parts()) {
            GroupSpec spec = table.spec(part.group()).orElseThrow();
            part.files().forEach(file -> files.add(new PlannedFile(spec, file.path(), file.length(), file.rows())));
        }
        files.addAll(directories.of(fs, plan.untracked(), own));
        return new Planned(
                files, plan.parts().stream().map(ReadPlan.Part::group).toList(), plan.reason(), plan.generation());
    }
}
