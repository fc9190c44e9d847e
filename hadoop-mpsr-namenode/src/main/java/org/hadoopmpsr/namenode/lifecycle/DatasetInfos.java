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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.commit.Offsets;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;

/** Describes datasets to users who may read them. */
public final class DatasetInfos {
    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final Indexes indexes;
    private final Verification verification;
    private final Offsets offsets;
    private final DatasetLocks locks;

    public DatasetInfos(
            MpsrNamesystem system,
            StoreLayout layout,
            Datasets datasets,
            Indexes indexes,
            Verification verification,
            Offsets offsets,
            DatasetLocks locks) {
        this.system = system;
        this.layout = layout;
        this.datasets = datasets;
        this.indexes = indexes;
        this.verification = verification;
        this.offsets = offsets;
        this.locks = locks;
    }

    /** The dataset at a path. */
    public DatasetInfo get(String path) throws IOException {
        system.checkActive();
        return describe(datasets.require("mpsrGetDataset", path, FsAction.READ_EXECUTE));
    }

    /** All datasets that the caller may read, by path. */
    public List<DatasetInfo> list() throws IOException {
        system.checkActive();
        List<DatasetInfo> readable = new ArrayList<>();
        for (DatasetRecord dataset : datasets.all().stream()
                .sorted(java.util.Comparator.comparing(DatasetRecord::path))
                .toList()) {
            try {
                system.checkAccess("mpsrListDatasets", dataset.path(), FsAction.READ_EXECUTE);
                readable.add(describe(dataset));
            } catch (AccessControlException | FileNotFoundException e) {
                // not for this caller, or gone this moment
            }
        }
        return readable;
    }

    /** Describes a dataset without a check of permissions. */
    public DatasetInfo describe(DatasetRecord dataset) throws IOException {
        return locks.shared(dataset, () -> describe(dataset, indexes.of(dataset)));
    }

    private DatasetInfo describe(DatasetRecord dataset, DatasetIndex index) throws IOException {
        Map<String, String> problems = verification.problems(dataset, index);
        List<DatasetInfo.Representation> representations = new ArrayList<>();
        for (String name : dataset.groups().names()) {
            GroupIndex group = index.group(name);
            representations.add(new DatasetInfo.Representation(
                    name,
                    dataset.root(layout, name),
                    group.files(),
                    group.bytes(),
                    group.content(),
                    problems.getOrDefault(name, "")));
        }
        return system.read(
                () -> new DatasetInfo(dataset, representations, offsets.of(dataset), offsets.jumps(dataset)));
    }
}
