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
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.LockSteps;

/**
 * The completion of an adoption: the other groups' files are moved into place, and the files of the default group, which lie where
 * they are, get their statistics. An empty staged file of the same place and name keeps the statistics of each until then. A file that
 * somebody has deleted or written anew meanwhile gets none: the default group then lacks it, as if it had been deleted afterwards.
 */
final class AdoptCompletion extends Completion {
    /** The edits of HDFS for one adopted file: its statistics, a mark less, and what is staged for it. */
    private static final int EDITS = 3;

    AdoptCompletion(Shared parts, DatasetRecord dataset, String changeId) {
        super(parts, dataset, changeId);
    }

    @Override
    void plan(Collection<Part> all, CommitRecord change) {
        for (String group : dataset.groups().names()) {
            if (!group.equals(dataset.defaultGroup())) {
                addMoves(all, group, PublishHolds.STEP);
            }
        }
        all.add(new Part(0, edits -> throwFailure()));
        Rebuild rebuild = change.change().rebuild();
        Set<Long> adopted = rebuild == null ? Set.of() : new HashSet<>(rebuild.replaces());
        newFiles(dataset.defaultGroup()).forEach((directory, inside) -> {
            for (List<INodeFile> some : LockSteps.parts(inside, SHOWN_AT_ONCE)) {
                all.add(new Part(EDITS * some.size(), edits -> {
                    adopt(edits, directory, some, adopted);
                    return true;
                }));
            }
        });
    }

    /** Gives files of one directory their statistics. Needs the write lock. */
    private void adopt(NamespaceEdits edits, String directory, List<INodeFile> staged, Set<Long> adopted) {
        String group = dataset.defaultGroup();
        String root = root(group);
        for (INodeFile mark : staged) {
            String name = "/" + directory + "/" + mark.getLocalName();
            try {
                byte[] statistics = Attributes.get(mark, Attributes.FILE);
                if (statistics == null) {
                    throw new IOException(from + "/" + group + name + " has lost its attribute " + Attributes.FILE);
                }
                INode file = root == null ? null : parts.namespace().find(root + name);
                if (file != null && file.isFile() && adopted.contains(file.getId())) {
                    edits.setXAttr(root + name, Attributes.FILE, statistics);
                    if (Attributes.get(file, Attributes.UNFIT) != null) {
                        edits.removeXAttr(root + name, Attributes.UNFIT);
                    }
                    parts.rights().published(dataset.inodeId(), file.asFile());
                    added(group, GroupFile.of(root + "/" + directory, file.asFile()));
                }
                edits.delete(from + "/" + group + name);
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    @Override
    Segment segment(CommitRecord change) {
        return Segment.appended(
                changeId, change.sequence(), parts.system().clock().now(), change.sources(), change.groups());
    }
}
