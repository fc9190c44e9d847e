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
package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/** The copies that a NameNode has ordered. */
public final class ScheduledCopies {

    private ScheduledCopies() {}

    /** Takes back what was ordered and not done, as if it had never been ordered. */
    public static void forget(FSNamesystem namesystem, BlockManager blocks) {
        namesystem.writeLock();
        try {
            blocks.pendingReconstruction.clear();
            blocks.getDatanodeManager()
                    .getDatanodeListForReport(DatanodeReportType.ALL)
                    .forEach(DatanodeDescriptor::clearBlockQueues);
        } finally {
            namesystem.writeUnlock("benchmark");
        }
    }
}
