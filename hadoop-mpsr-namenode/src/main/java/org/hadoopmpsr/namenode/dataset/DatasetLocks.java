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

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A lock for each dataset: who looks at its files shares it, who moves those of a commit into place has it alone. A
 * commit needs several holds of the namesystem's lock for that, and between them its representations differ. It is
 * taken before the namesystem's lock, never while that is held. Thread-safe.
 */
public final class DatasetLocks {
    private final Map<String, ReadWriteLock> byId = new ConcurrentHashMap<>();

    /** What is done with the lock. */
    public interface Call<T> {
        T run() throws IOException;
    }

    /** While nobody moves files of the dataset into place. */
    public <T> T shared(DatasetRecord dataset, Call<T> call) throws IOException {
        return holding(of(dataset).readLock(), call);
    }

    /** Alone. */
    public <T> T alone(DatasetRecord dataset, Call<T> call) throws IOException {
        return holding(of(dataset).writeLock(), call);
    }

    private ReadWriteLock of(DatasetRecord dataset) {
        return byId.computeIfAbsent(dataset.id(), id -> new ReentrantReadWriteLock(true));
    }

    private static <T> T holding(Lock lock, Call<T> call) throws IOException {
        lock.lock();
        try {
            return call.run();
        } finally {
            lock.unlock();
        }
    }
}
