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
package org.hadoopmpsr.namenode.rights;

import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/** Keeps the store directory closed to everybody but the NameNode's user, whatever older versions or people gave it. */
public final class StoreMode {
    private static final FsPermission CLOSED = FsPermission.createImmutable((short) 0700);

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;

    public StoreMode(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** Closes the directory if it is open. Does nothing in safe mode, or if there is none. */
    public void close() throws IOException {
        String store = layout.storeDir();
        if (!system.safeMode().isOn() && system.read(() -> isOpen(namespace.find(store)))) {
            system.write("mpsrCloseStore", edits -> {
                edits.setAccess(store, NamespaceEdits.Access.own());
                return true;
            });
        }
    }

    private static boolean isOpen(@Nullable INode store) {
        return store != null && !store.getFsPermission().equals(CLOSED);
    }
}
