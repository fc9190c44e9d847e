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
package org.hadoopmpsr.namenode.store;

import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/** The extended attributes that MPSR keeps. */
public final class Attributes {
    /** On a dataset directory: its definition. */
    public static final String DATASET = "trusted.mpsr.dataset";
    /** On a dataset's directory in the store: the inode id of the dataset directory, in decimal. */
    public static final String HOME = "trusted.mpsr.home";
    /**
     * On a dataset's directory in the store: the time when the dataset was dropped. Valid once the dataset directory
     * has lost its definition or is gone.
     */
    public static final String DROPPED = "trusted.mpsr.dropped";
    /**
     * On a dataset's directory in the store: the definition of the dataset directory, which somebody has deleted. Valid while no inode is the
     * home.
     */
    public static final String LEFT = "trusted.mpsr.left";
    /** On a dataset's directory in the store, and on a commit's directory: see {@link CommittedContent}. */
    public static final String COMMITTED = "trusted.mpsr.committed";

    /** On a file of a representation: its statistics. */
    public static final String FILE = "trusted.mpsr.file";
    /** On a commit's directory: the commit. */
    public static final String COMMIT = "trusted.mpsr.commit";

    /** On a file of the default group that nobody has published: why it cannot be adopted. */
    public static final String UNFIT = "trusted.mpsr.unfit";

    /** On a change's directory: the segments that it removes or rebuilds, see {@link CommitRecord}. A number follows the name. */
    public static final String REMOVES = "trusted.mpsr.removes.";
    /** On a change's directory: the files that it replaces, see {@link CommitRecord}. A number follows the name. */
    public static final String REPLACES = "trusted.mpsr.replaces.";
    /** On the record of a segment: the segment. */
    public static final String SEGMENT = "trusted.mpsr.segment";

    /** On the record of a committed offset: Kafka's id of the topic, as text. */
    public static final String TOPIC = "trusted.mpsr.topic";

    /** On the record of a committed offset: the offsets that a commit passed over last, see {@code OffsetJump}. */
    public static final String JUMP = "trusted.mpsr.jump";

    /** On the store: which process maintains the cluster. */
    public static final String LEASE = "trusted.mpsr.maintainer";

    /** On a dataset's directory in the store: the last runs of maintenance. */
    public static final String MAINTENANCE = "trusted.mpsr.maintenance";

    /** On a dataset's directory in the store: what is kept of earlier states. */
    public static final String HISTORY = "trusted.mpsr.history";

    private Attributes() {}

    /** The value of an attribute, or null if it is missing. Needs the read lock. */
    public static byte @Nullable [] get(INode inode, String name) {
        XAttr attribute = XAttrStorage.readINodeXAttrByPrefixedName(inode, Snapshot.CURRENT_STATE_ID, name);
        return attribute == null ? null : attribute.getValue();
    }
}
