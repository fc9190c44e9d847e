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

import java.util.List;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.segment.Replaced;
import org.jspecify.annotations.Nullable;

/**
 * The state of a dataset at one moment.
 *
 * @param representations by group, in the order of the groups
 * @param storeNames the files and directories in the store, staged ones among them; 0 if HDFS does not count them
 * @param storeSpace the bytes of all their copies
 * @param offsets the end of each topic-partition's committed records
 * @param sequence the number of the last change; 0 if the dataset does not count its changes
 * @param segments the current segments
 * @param replaced the files that rewrites have replaced and that are not deleted yet
 * @param maintenance the last runs of maintenance, one for each task
 * @param jumps the offsets that commits passed over, the last ones of each topic-partition
 * @param untold why the caller is told no numbers: representations have no files and records then, and none is in the
 *     store; null if the caller is told
 */
public record DatasetInfo(
        DatasetRecord dataset,
        List<Representation> representations,
        List<CommittedOffset> offsets,
        List<OffsetJump> jumps,
        long storeNames,
        long storeSpace,
        long sequence,
        long segments,
        Replaced replaced,
        List<MaintenanceRun> maintenance,
        @Nullable String untold) {

    /**
     * The published files of a group.
     *
     * @param root the directory of the files
     * @param problem the reason why they cannot be read; empty if they can
     */
    public record Representation(
            String group, String root, long files, long bytes, ContentHashes content, String problem) {}
}
