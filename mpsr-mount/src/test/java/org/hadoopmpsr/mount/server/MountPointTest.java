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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountPointTest {
    private static final String ROOT = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw";
    private static final String MOUNT =
            "90 22 0:45 / /mnt/my\\040data rw,nosuid,nodev shared:7 master:2 - fuse.mpsr hdfs://nn:8020/a\\040-\\040b rw,user_id=0";

    @Test
    void aMountIsFoundByItsDirectory() {
        Path directory = Path.of("/mnt/my data");
        assertThat(MountPoint.in(List.of(ROOT, MOUNT), directory)).contains(new MountPoint(directory, "90", "0:45"));
        assertThat(MountPoint.in(List.of(ROOT, MOUNT), Path.of("/mnt"))).isEmpty();
        assertThat(MountPoint.in(List.of(ROOT, MOUNT), Path.of("/")))
                .as("of another kind")
                .isEmpty();
        assertThat(MountPoint.in(List.of(), directory)).isEmpty();
    }

    @Test
    void theMountOnTopCounts() {
        Path directory = Path.of("/mnt/my data");
        String above = "95 90 0:50 / /mnt/my\\040data rw - tmpfs tmpfs rw";
        assertThat(MountPoint.in(List.of(ROOT, MOUNT, above), directory)).isEmpty();
        String again = "96 90 0:51 / /mnt/my\\040data rw - fuse.mpsr hdfs://nn:8020/c ro";
        assertThat(MountPoint.in(List.of(ROOT, MOUNT, again), directory))
                .contains(new MountPoint(directory, "96", "0:51"));
    }

    @Test
    void argumentsReachTheProcessAsTheyAre() {
        MountArguments arguments = new MountArguments(
                "hdfs://nn:8020", "/a b,c", Path.of("/mnt/x y"), true, false, 3, false, "", "/etc/key tab");
        assertThat(MountArguments.parse(arguments.list().toArray(new String[0])))
                .isEqualTo(arguments);
        assertThat(arguments.source()).isEqualTo("hdfs://nn:8020/a b,c");
    }

    @Test
    void reportsHaveOneLine() {
        assertThat(MountReport.isMounted(MountReport.mounted())).isTrue();
        String failed = MountReport.failed("no such\ndirectory\t/x");
        assertThat(failed).doesNotContain("\n");
        assertThat(MountReport.failure(failed)).contains("no such directory /x");
        assertThat(MountReport.isMounted(failed)).isFalse();
        assertThat(MountReport.failure("anything else")).isEmpty();
    }
}
