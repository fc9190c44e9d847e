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
package org.hadoopmpsr.client.mount;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Mounts of HDFS on this host. The class is in a jar of its own. */
public interface Mounts {
    /**
     * What is mounted, and how.
     *
     * @param fs the URI of the file system
     * @param path the directory of HDFS, absolute and without scheme
     * @param mountPoint the directory of this host
     * @param write true if programs may write
     * @param allowOther true if other users of the host may use the mount, as the user who mounts
     * @param threads that serve, at least 1
     * @param foreground true to return only when it is unmounted
     * @param log the file for the log of a mount in the background; null for one of the server's choice
     * @param principal of Kerberos; empty without a keytab
     * @param keytab the file with the principal's key; empty for the user of the ticket cache
     */
    record Options(
            URI fs,
            String path,
            Path mountPoint,
            boolean write,
            boolean allowOther,
            int threads,
            boolean foreground,
            @Nullable Path log,
            String principal,
            String keytab) {}

    /**
     * A mount that programs can use.
     *
     * @param source the directory of HDFS, with the scheme
     * @param mountPoint as the kernel lists it
     * @param log the file for its log; null in the foreground
     */
    record Mounted(String source, Path mountPoint, @Nullable Path log) {}

    /**
     * Mounts, and returns when programs can use the mount, or, in the foreground, when it is unmounted.
     *
     * @param ready is told when programs can use the mount
     * @return 0 if all is well
     * @throws IOException if it cannot be mounted
     */
    int mount(Options options, Consumer<Mounted> ready) throws IOException, InterruptedException;

    /**
     * Unmounts; the process that serves the mount ends.
     *
     * @param lazily true to take it away from programs that use it
     * @throws IOException if it is no mount of HDFS, or programs use it
     */
    void unmount(Path mountPoint, boolean lazily) throws IOException;
}
