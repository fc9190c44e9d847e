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
package org.hadoopmpsr.namenode.commit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.core.commit.CommitSource;

/**
 * The commits that this NameNode completed recently, with the details that the namespace does not keep. Bounded;
 * thread-safe.
 */
public final class CommitLog {
    private static final int MAX_COMMITS = 1_000;

    private final Timer clock;
    private final Map<Key, Entry> entries = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Entry> eldest) {
            return size() > MAX_COMMITS;
        }
    };

    public CommitLog(Timer clock) {
        this.clock = clock;
    }

    private record Key(String datasetId, String commitId) {}

    /** @param timeMs the time of completion, in milliseconds since the epoch */
    public record Entry(List<CommitSource> sources, long timeMs) {
        public Entry {
            sources = List.copyOf(sources);
        }
    }

    /** Adds a commit that is completed now. */
    synchronized void add(String datasetId, String commitId, List<CommitSource> sources) {
        entries.put(new Key(datasetId, commitId), new Entry(sources, clock.now()));
    }

    public synchronized Optional<Entry> get(String datasetId, String commitId) {
        return Optional.ofNullable(entries.get(new Key(datasetId, commitId)));
    }
}
