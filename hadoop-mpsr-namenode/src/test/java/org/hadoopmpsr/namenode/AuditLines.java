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
package org.hadoopmpsr.namenode;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;

/** An audit logger, configured by its name as operators configure theirs, that keeps its lines for tests. */
public final class AuditLines implements AuditLogger {
    private static final List<String> LINES = new CopyOnWriteArrayList<>();

    static void clear() {
        LINES.clear();
    }

    /** The lines of commands that start with a prefix. */
    static List<String> of(String prefix) {
        return LINES.stream().filter(l -> l.contains(" cmd=" + prefix)).toList();
    }

    @Override
    public void initialize(Configuration conf) {}

    @Override
    public void logAuditEvent(
            boolean succeeded,
            String user,
            @Nullable InetAddress address,
            String command,
            @Nullable String source,
            @Nullable String target,
            @Nullable FileStatus status) {
        LINES.add("allowed=" + succeeded + " ugi=" + user.replaceAll(" .*", "") + " ip=" + (address != null) + " cmd="
                + command + " src=" + source + " dst=" + target);
    }
}
