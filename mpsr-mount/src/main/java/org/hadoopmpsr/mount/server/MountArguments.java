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
package org.hadoopmpsr.mount.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * What the process of a mount is told on its command line.
 *
 * @param fs the URI of the file system
 * @param path the directory of HDFS, absolute and without scheme
 * @param directory the mount point, absolute
 * @param mounted true if the device is mounted already
 * @param principal of Kerberos; empty without a keytab
 * @param keytab the file; empty for the user of the ticket cache
 */
record MountArguments(
        String fs,
        String path,
        Path directory,
        boolean write,
        boolean allowOther,
        int threads,
        boolean mounted,
        String principal,
        String keytab) {

    private static final int COUNT = 9;

    /** As {@link #list} writes them. */
    static MountArguments parse(String[] list) {
        if (list.length != COUNT) {
            throw new IllegalArgumentException(
                    "started with " + list.length + " arguments instead of " + COUNT + "; use 'hdfs mpsr mount'");
        }
        return new MountArguments(
                list[0],
                list[1],
                Path.of(list[2]),
                Boolean.parseBoolean(list[3]),
                Boolean.parseBoolean(list[4]),
                Integer.parseInt(list[5]),
                Boolean.parseBoolean(list[6]),
                list[7],
                list[8]);
    }

    List<String> list() {
        return List.of(
                fs,
                path,
                directory.toString(),
                String.valueOf(write),
                String.valueOf(allowOther),
                String.valueOf(threads),
                String.valueOf(mounted),
                principal,
                keytab);
    }

    /** What the kernel shows as the source of the mount. */
    String source() {
        URI uri = URI.create(fs);
        return uri.getScheme() + "://" + uri.getAuthority() + path;
    }
}
