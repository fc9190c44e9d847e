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
package org.hadoopmpsr.namenode.segment;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.AclStorage;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.segment.SegmentSurvey.Files;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** Finds out whether segments can be replaced now. Thread-safe. */
final class SegmentChecks {
    private final MpsrNamesystem system;

    SegmentChecks(MpsrNamesystem system) {
        this.system = system;
    }

    /**
     * What was found of a segment.
     *
     * @param problem why it cannot be replaced; null if it can
     * @param rights the rights of its files in the default group; null if they differ
     */
    record Finding(@Nullable String problem, @Nullable String rights) {}

    /** @param record the segment's record, or null if it has none */
    Finding look(DatasetRecord dataset, Files files, @Nullable Segment record) throws IOException {
        Optional<String> differs = Segment.problem(
                dataset.whole().groups().names(),
                dataset.groups().lossyNames(),
                files.held(),
                record == null ? Map.of() : record.groups());
        if (differs.isPresent()) {
            return new Finding(differs.get(), null);
        }
        Set<String> rights = new HashSet<>();
        String[] problem = new String[1];
        for (String group : dataset.groups().names()) {
            boolean isDefault = group.equals(dataset.defaultGroup());
            LockSteps.read(system, files.of(group), some -> {
                for (GroupFile file : some) {
                    problem[0] = problem[0] == null ? problem(file) : problem[0];
                    if (isDefault) {
                        rights.add(text(file.file()));
                    }
                }
            });
        }
        if (problem[0] == null && rights.size() > 1) {
            problem[0] = "its files in the default group have different rights";
        }
        return new Finding(problem[0], rights.size() == 1 ? rights.iterator().next() : null);
    }

    private @Nullable String problem(GroupFile file) {
        INodeFile inode = file.file();
        String path = file.directory() + "/" + inode.getLocalName();
        if (!StoredStatistics.isUnchanged(inode)) {
            return path + " was changed after it was published";
        }
        for (BlockInfo block : inode.getBlocks()) {
            if (ReadableReplicas.of(system.blocks(), block).isEmpty()) {
                return path + " has a block without a live replica";
            }
        }
        return null;
    }

    private static String text(INodeFile file) {
        NodeRights rights = NodeRights.of(file);
        List<String> acl = AclStorage.readINodeLogicalAcl(file).stream()
                .map(Object::toString)
                .toList();
        return rights.getUserName() + ":" + rights.getGroupName() + ":" + rights.getFsPermission()
                + (rights.acl() == null ? "" : acl.stream().collect(Collectors.joining(",", ":", "")));
    }
}
