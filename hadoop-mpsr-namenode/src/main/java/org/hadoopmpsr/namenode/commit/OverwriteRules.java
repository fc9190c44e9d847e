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
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.exchange.RemovedFiles;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.staging.NamedFile;

/** The rules for overwrites: the removed segments are current and unchanged, and all groups get the same records in their place. */
final class OverwriteRules extends RewriteRules {

    /** @param removed the files of the removed segments */
    OverwriteRules(
            Completion.Shared parts,
            DatasetUpgrade upgrade,
            DatasetRecord dataset,
            DatasetChange change,
            RemovedFiles removed) {
        super(parts, upgrade, dataset, change, Map.of(), List.of(), removed);
    }

    @Override
    public void read(List<NamedFile> files, ContentHash records) throws IOException {
        if (records.isEmpty()) {
            throw refused("it has no records; delete what is to go instead");
        }
        super.read(files, records);
    }

    /** That the groups get the same records is a rule for every change. */
    @Override
    void checkContents() {}

    @Override
    public OptionalLong modificationTime(NamedFile file) {
        return OptionalLong.empty(); // the records are new
    }

    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException {
        edits.setGroup(source, parent.getGroupName()); // as of a commit
    }
}
