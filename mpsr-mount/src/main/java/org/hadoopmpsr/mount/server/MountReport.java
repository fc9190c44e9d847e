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

import java.util.Optional;

/** The line by which the process of a mount tells the command how it goes. */
final class MountReport {
    private static final String MOUNTED = "mpsr-mount: mounted";
    private static final String FAILED = "mpsr-mount: failed: ";

    private MountReport() {}

    static String mounted() {
        return MOUNTED;
    }

    /** With the reason, in one line. */
    static String failed(String reason) {
        return FAILED + reason.replaceAll("\\s+", " ");
    }

    static boolean isMounted(String line) {
        return line.equals(MOUNTED);
    }

    /** The reason of a failure; empty for other lines. */
    static Optional<String> failure(String line) {
        return line.startsWith(FAILED) ? Optional.of(line.substring(FAILED.length())) : Optional.empty();
    }
}
