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
package org.apache.hadoop.hdfs.server.namenode;

/** The HA state of a NameNode, and the last transaction that it has applied. Thread-safe. */
public final class HaState {
    private final NameNode nameNode;
    private final FSNamesystem namesystem;

    HaState(NameNode nameNode) {
        this.nameNode = nameNode;
        this.namesystem = nameNode.getNamesystem();
    }

    /** True while this NameNode may change the namespace: it is active, and its edit log is open. */
    public boolean isWritable() {
        FSEditLog log = namesystem.getEditLog();
        return nameNode.isActiveState() && log != null && log.isOpenForWrite();
    }

    /** True from the moment when this NameNode starts to become active; see {@link #isWritable}. */
    public boolean isActive() {
        return nameNode.isActiveState();
    }

    /** A number that changes with every transition of the NameNode's HA state. */
    public long transition() {
        return nameNode.getLastHATransitionTime();
    }

    /**
     * A number for which a view of the namespace stays valid. The view must follow the changes of this NameNode. On an
     * active NameNode the number changes with the HA state; on a standby or observer, with each transaction.
     */
    public long epoch() {
        return isWritable() ? ~transition() : appliedTransaction();
    }

    /** The last transaction in the namespace; on a standby or observer, the last one that was applied. */
    public long appliedTransaction() {
        return namesystem.getFSImage().getLastAppliedOrWrittenTxId();
    }
}
