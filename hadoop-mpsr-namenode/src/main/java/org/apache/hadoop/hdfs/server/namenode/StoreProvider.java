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
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Gives HDFS's permission checks the rules of the store, and passes everything else to the attribute provider that is
 * configured, or to HDFS. A provider is HDFS's own extension point for permissions, and every check passes it, whatever
 * the way to a path. Nothing but paths of the store is treated in another way than without this provider. Thread-safe.
 */
public final class StoreProvider extends INodeAttributeProvider {
    /** A user whom no configuration lets bypass the provider. */
    private static final String ANYBODY = "mpsr-looks-for-the-attribute-provider";

    private final @Nullable INodeAttributeProvider configured;
    private final StoreReaders readers;
    private final StoreCheck store;

    private StoreProvider(
            FSDirectory directory, @Nullable INodeAttributeProvider configured, String storeDir, StorePlaces places) {
        this.configured = configured;
        this.readers = new StoreReaders(directory, configured);
        this.store = new StoreCheck(directory, storeDir, places, readers);
    }

    /**
     * Puts the rules in force, before the configured provider. Must be called before the NameNode serves calls.
     *
     * @param storeDir the absolute path of the store
     */
    public static void install(MpsrNamesystem system, String storeDir, StorePlaces places) throws IOException {
        FSDirectory directory = system.directory();
        directory.setINodeAttributeProvider(
                new StoreProvider(directory, configured(system, directory), storeDir, places));
    }

    private static @Nullable INodeAttributeProvider configured(MpsrNamesystem system, FSDirectory directory)
            throws IOException {
        if (system.conf()
                .getTrimmed(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY, "")
                .isEmpty()) {
            return null;
        }
        // HDFS tells its provider to checkers only, and not to those of users who bypass it
        UserGroupInformation user = UserGroupInformation.createRemoteUser(ANYBODY);
        INodeAttributeProvider found =
                directory.getPermissionChecker(ANYBODY, ANYBODY, user).getAttributesProvider();
        return found instanceof StoreProvider own ? own.configured : found;
    }

    /** Does nothing: HDFS starts and stops the configured provider. */
    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public INodeAttributes getAttributes(String[] pathElements, INodeAttributes inode) {
        return configured == null ? inode : configured.getAttributes(pathElements, inode);
    }

    @Override
    public INodeAttributes getAttributes(byte[][] components, INodeAttributes inode) {
        return configured == null ? inode : configured.getAttributes(components, inode);
    }

    @Override
    public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer hdfs) {
        return new StoreEnforcer(store, hdfs, readers.others(hdfs));
    }
}
