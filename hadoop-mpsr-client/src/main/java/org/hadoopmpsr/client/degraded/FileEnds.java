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
package org.hadoopmpsr.client.degraded;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/** Tells whether the ends of files can be read, where their footers lie. Safe for use by several threads. */
public final class FileEnds {
    private static final Logger LOG = PrintableLog.of(FileEnds.class);
    private static final int BYTES = 8;

    private FileEnds() {}

    /**
     * Whether the last bytes of a file can be read now, also if only the user may not read them. Each DataNode is tried once, and none
     * of those that have not answered lately.
     *
     * @param file of HDFS
     * @param conf is completed
     * @param timeoutMs after so many milliseconds without an answer, a DataNode is given up
     * @throws IOException if the thread is to end
     */
    public static boolean canBeRead(LocatedFileStatus file, Configuration conf, int timeoutMs) throws IOException {
        BlockLocation[] blocks = file.getBlockLocations();
        List<Set<String>> nodes =
                blocks.length == 0 ? List.of() : List.of(Set.copyOf(List.of(blocks[blocks.length - 1].getNames())));
        if (SilentNodes.holdBlockOf(() -> nodes)) {
            return false;
        }
        PlannedFileSystem.addTo(conf, timeoutMs);
        long began = System.nanoTime();
        try {
            read(file, conf);
            return true;
        } catch (AccessControlException e) {
            return true; // what the reader says then is right
        } catch (IOException e) {
            if (!ReadFailures.isLoss(e)) {
                throw e;
            }
            LOG.warn("The end of {} cannot be read ({})", file.getPath(), ReadFailures.line(e));
            SilentNodes.note(() -> nodes, began, timeoutMs);
            return false;
        }
    }

    private static void read(LocatedFileStatus file, Configuration conf) throws IOException {
        Path path = PlannedFileSystem.path(file.getPath());
        int last = (int) Math.min(BYTES, file.getLen());
        try (FSDataInputStream in = path.getFileSystem(conf).open(path)) {
            in.readFully(file.getLen() - last, new byte[last]);
        }
    }
}
