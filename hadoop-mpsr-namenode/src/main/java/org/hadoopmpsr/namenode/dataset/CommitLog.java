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
package org.hadoopmpsr.namenode.dataset;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.jspecify.annotations.Nullable;

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

    /**
     * A completed commit.
     *
     * @param content the commit's records, each counted once; null if unknown
     * @param timeMs the time of completion, in milliseconds since the epoch
     */
    public record Entry(
            List<CommitSource> sources, @Nullable ContentHash content, long timeMs) {
        public Entry {
            sources = List.copyOf(sources);
        }
    }

    /** Adds a commit that is completed now. */
    public synchronized void add(String datasetId, CommitRecord commit) {
        entries.put(new Key(datasetId, commit.id()), new Entry(commit.sources(), commit.content(), clock.now()));
    }

    public synchronized Optional<Entry> get(String datasetId, String commitId) {
        return Optional.ofNullable(entries.get(new Key(datasetId, commitId)));
    }
}
