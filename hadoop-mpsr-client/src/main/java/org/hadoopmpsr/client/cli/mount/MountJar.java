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
package org.hadoopmpsr.client.cli.mount;

import java.io.IOException;
import java.util.ServiceLoader;
import org.hadoopmpsr.client.mount.Mounts;

/** Finds the server of mounts on the class path. */
final class MountJar {

    private MountJar() {}

    /** What mounts. */
    static Mounts load() throws IOException {
        return ServiceLoader.load(Mounts.class)
                .findFirst()
                .orElseThrow(
                        () -> new IOException("there is no jar mpsr-mount on the class path; it lies beside that of the"
                                + " commands, in share/mpsr of the tarball mpsr-hadoop"));
    }
}
