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

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.jspecify.annotations.Nullable;

/** Finds the encryption zones of paths. */
public final class EncryptionZones {

    private EncryptionZones() {}

    /** The root of the zone of a path, which need not exist; null if the path is in no zone. Needs the read lock. */
    public static @Nullable String of(FSDirectory directory, String path) throws IOException {
        INodesInPath inodes = directory.resolvePath(null, path, DirOp.READ);
        directory.readLock();
        try {
            EncryptionZone zone = directory.ezManager.getEZINodeForPath(inodes);
            return zone == null ? null : zone.getPath();
        } finally {
            directory.readUnlock();
        }
    }
}
