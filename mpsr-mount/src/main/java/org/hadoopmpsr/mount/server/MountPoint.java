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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.mount.fuse.Dispatcher;
import org.slf4j.Logger;

/** A directory of this host on which HDFS is mounted, as the kernel lists it. */
record MountPoint(Path directory, String id, String device) {
    /** The kind of file system that the kernel shows for a mount. */
    static final String TYPE = "fuse.mpsr";

    private static final Logger LOG = PrintableLog.of(MountPoint.class);
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int READ_AHEAD_KIB = 4096;

    /** The mount at a directory, if it is one of ours; of several, the one on top. */
    static Optional<MountPoint> at(Path directory) throws IOException {
        return in(Files.readAllLines(MOUNTS, StandardCharsets.UTF_8), directory);
    }

    /** As {@link #at}, of the lines of {@code /proc/self/mountinfo}. */
    static Optional<MountPoint> in(List<String> lines, Path directory) {
        Optional<MountPoint> found = Optional.empty();
        for (String line : lines) {
            String[] fields = line.split(" ");
            if (fields.length > 4 && plain(fields[4]).equals(directory.toString())) {
                String type = line.replaceFirst("^.* - ", "").split(" ")[0];
                found = type.equals(TYPE)
                        ? Optional.of(new MountPoint(directory, fields[0], fields[2]))
                        : Optional.empty();
            }
        }
        return found;
    }

    /** The kernel writes blanks, tabs, ends of lines and backslashes as numbers. */
    private static String plain(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }

    /** True as long as it is there. */
    boolean isThere() throws IOException {
        return at(directory).filter(found -> found.id().equals(id)).isPresent()
                || Files.readAllLines(MOUNTS, StandardCharsets.UTF_8).stream()
                        .map(line -> line.split(" "))
                        .anyMatch(fields -> fields.length > 2 && fields[0].equals(id) && fields[2].equals(device));
    }

    /**
     * Mounts the device that is the standard input of this process, as root.
     *
     * @param source what the kernel shows as the source
     * @throws IOException with what the program {@code mount} says if it cannot
     */
    static void mount(String source, Path directory, boolean write, boolean allowOther) throws IOException {
        String options = "fd=0,rootmode=40000,user_id=0,group_id=0,subtype=mpsr,max_read=" + Dispatcher.MOST_BYTES + ","
                + options(write, allowOther);
        Programs.run(List.of("mount", "-i", "-t", "fuse", "-o", options, source, directory.toString()));
    }

    /** The options of a mount that hold for all ways to mount. */
    static String options(boolean write, boolean allowOther) {
        return (write ? "rw" : "ro") + ",nosuid,nodev" + (allowOther ? ",allow_other" : "");
    }

    /**
     * Unmounts.
     *
     * @param lazily true to take it away from programs that still use it
     * @throws IOException with what the program says if it cannot
     */
    static void unmount(Path directory, boolean root, boolean lazily) throws IOException {
        List<String> command = new ArrayList<>(root ? List.of("umount", "-i") : List.of("fusermount3", "-u"));
        if (lazily) {
            command.add(root ? "-l" : "-z");
        }
        if (!root) {
            command.add("--");
        }
        command.add(directory.toString());
        Programs.run(command);
    }

    /** Lets the kernel read more ahead than it does for such file systems. Only root may; others read on with less. */
    void readAhead() {
        Path setting = Path.of("/sys/class/bdi", device, "read_ahead_kb");
        try {
            if (Files.isWritable(setting)) {
                Files.writeString(setting, READ_AHEAD_KIB + "\n");
            }
        } catch (IOException e) {
            LOG.info("the kernel reads ahead as it does by itself: {} cannot be written", setting);
        }
    }
}
