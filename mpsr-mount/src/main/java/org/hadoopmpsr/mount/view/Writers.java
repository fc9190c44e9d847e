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
package org.hadoopmpsr.mount.view;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The files that the mount's programs write, each with one writer and the number of open files that use it. Thread-safe. */
final class Writers {
    private static final Logger LOG = PrintableLog.of(Writers.class);

    private final Map<Long, Shared> byFile = new HashMap<>();

    private static final class Shared {
        private final FileWriter writer;
        private int users;

        private Shared(FileWriter writer) {
            this.writer = writer;
        }
    }

    /** Makes the writer of a file that nobody of the mount writes. */
    interface Maker {
        FileWriter make();
    }

    /** The writer of a file, with one more user. */
    synchronized FileWriter join(long fileId, Maker maker) {
        Shared shared = byFile.computeIfAbsent(fileId, unknown -> new Shared(maker.make()));
        shared.users++;
        return shared.writer;
    }

    /** The writer of a file; null if nobody of the mount writes it. */
    synchronized @Nullable FileWriter of(long fileId) {
        Shared shared = byFile.get(fileId);
        return shared == null ? null : shared.writer;
    }

    /** One user less. The last one closes the file; who comes meanwhile goes on with the same writer, after that. */
    void leave(long fileId) throws IOException {
        Shared shared;
        synchronized (this) {
            shared = byFile.get(fileId);
            if (shared == null || --shared.users > 0) {
                return;
            }
        }
        try {
            shared.writer.close();
        } finally {
            synchronized (this) {
                if (shared.users <= 0) {
                    byFile.remove(fileId, shared);
                }
            }
        }
    }

    /** Closes all files. What cannot be closed is logged. */
    void close() {
        List<Shared> all;
        synchronized (this) {
            all = List.copyOf(byFile.values());
        }
        for (Shared shared : all) {
            try {
                shared.writer.close();
            } catch (IOException e) {
                LOG.warn("a file that was being written could not be closed; its last bytes may be missing", e);
            }
        }
    }
}
