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
import java.util.function.Function;

/**
 * A lock for each dataset. Readers of its files share the lock; a commit whose files are moved into place has it alone.
 * The move takes several holds of the namesystem's lock, and between them the representations differ. The dataset's
 * lock is taken before the namesystem's lock, never while that is held. Thread-safe.
 */
public final class DatasetLocks {
    /** Only datasets whose lock is held or waited for. */
    private final Map<String, Users> byId = new ConcurrentHashMap<>();

    /** A lock, and the number of its holders and waiters. The number changes only in the map's atomic operations. */
    private static final class Users {
        private final ReadWriteLock lock = new ReentrantReadWriteLock(true);
        private int count;
    }

    /** An action under the lock. */
    public interface Call<T> {
        T run() throws IOException;
    }

    /** Runs while nobody moves files of the dataset into place. */
    public <T> T shared(DatasetRecord dataset, Call<T> call) throws IOException {
        return holding(dataset, ReadWriteLock::readLock, call);
    }

    /** Runs alone. */
    public <T> T alone(DatasetRecord dataset, Call<T> call) throws IOException {
        return holding(dataset, ReadWriteLock::writeLock, call);
    }

    /** The number of datasets whose lock is held or waited for. */
    int inUse() {
        return byId.size();
    }

    /** The number of holders and waiters of a dataset's lock. */
    int users(DatasetRecord dataset) {
        int[] count = new int[1];
        byId.computeIfPresent(dataset.id(), (id, all) -> {
            count[0] = all.count;
            return all;
        });
        return count[0];
    }

    private <T> T holding(DatasetRecord dataset, Function<ReadWriteLock, Lock> side, Call<T> call) throws IOException {
        Users users = byId.compute(dataset.id(), (id, known) -> {
            Users all = known == null ? new Users() : known;
            all.count++;
            return all;
        });
        try {
            Lock lock = side.apply(users.lock);
            lock.lock();
            try {
                return call.run();
            } finally {
                lock.unlock();
            }
        } finally {
            byId.computeIfPresent(dataset.id(), (id, all) -> --all.count == 0 ? null : all);
        }
    }
}
