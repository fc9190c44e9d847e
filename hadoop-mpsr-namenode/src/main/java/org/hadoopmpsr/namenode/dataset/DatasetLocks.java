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
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RetriableException;

/**
 * A lock for each dataset. A change that moves files of it has the dataset alone, because the move takes several holds of
 * the namesystem's lock, and between them the representations differ. Who looks at the dataset holds no lock: a look is
 * of use if no change came between, and is repeated otherwise. A change therefore never waits for a look. The dataset's
 * lock is taken before the namesystem's lock, never while that is held. Thread-safe.
 *
 * <p>Whoever has looked a dataset up before it is altered would compare other groups than there are now with the files, or read what
 * is stated of them with another schema. That fails, and the client tries again.
 */
public final class DatasetLocks {
    /** The number of looks before a dataset counts as changing all the time. */
    private static final int LOOKS = 5;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(30);

    private final Function<String, Optional<DatasetRecord>> present;
    /** Only datasets that are changed or looked at. */
    private final Map<String, Users> byId = new ConcurrentHashMap<>();

    /** @param present tells how a dataset with an id is now; nothing of a dataset that is being made or dropped */
    public DatasetLocks(Function<String, Optional<DatasetRecord>> present) {
        this.present = present;
    }

    /** A lock, and the number of its users. The number changes only in the map's atomic operations. */
    private static final class Users {
        private final StampedLock lock = new StampedLock();
        private int count;
    }

    /** An action on a dataset. */
    public interface Call<T> {
        T run() throws IOException;
    }

    /** Changes the dataset alone. */
    public <T> T alone(DatasetRecord dataset, Call<T> call) throws IOException {
        return using(dataset, lock -> {
            long stamp = lock.writeLock();
            try {
                return call.run();
            } finally {
                lock.unlockWrite(stamp);
            }
        });
    }

    /**
     * Looks at the dataset while nobody changes it. The look may run several times.
     *
     * @param leftNs the time that is left to wait for a change to end, in nanoseconds
     * @return empty if changes came between each time
     * @throws RetriableException if the dataset has other groups or columns than the caller knows
     */
    public <T> Optional<T> undisturbed(DatasetRecord dataset, LongSupplier leftNs, Call<T> look) throws IOException {
        return between(dataset, leftNs, () -> seen(dataset, look));
    }

    private <T> Optional<T> between(DatasetRecord dataset, LongSupplier leftNs, Call<T> look) throws IOException {
        return using(dataset, lock -> {
            for (int i = 0; i < LOOKS && hasNoChange(lock, leftNs.getAsLong()); i++) {
                long stamp = lock.tryOptimisticRead();
                if (stamp != 0) {
                    T seen = look.run();
                    if (lock.validate(stamp)) {
                        return Optional.of(seen);
                    }
                }
            }
            return Optional.<T>empty();
        });
    }

    /** Looks at the dataset while nobody changes it; if it changes all the time, without regard to that. */
    public <T> T look(DatasetRecord dataset, Call<T> look) throws IOException {
        return lookAtAny(dataset, () -> seen(dataset, look));
    }

    /** As {@link #look}, at what does not depend on the groups and columns: the dataset may be altered meanwhile. */
    public <T> T lookAtAny(DatasetRecord dataset, Call<T> look) throws IOException {
        Optional<T> seen = between(dataset, () -> LOOK_NS, look);
        return seen.isPresent() ? seen.get() : look.run();
    }

    private <T> T seen(DatasetRecord dataset, Call<T> look) throws IOException {
        T seen = look.run();
        Optional<DatasetRecord> now = present.apply(dataset.id());
        if (now.isPresent() && !now.get().isLike(dataset)) {
            throw new RetriableException(dataset.path() + " was altered just now; try again in a moment");
        }
        return seen;
    }

    /** Waits for the change that is under way, if there is one. */
    private static boolean hasNoChange(StampedLock lock, long waitNs) throws RetriableException {
        try {
            long stamp = lock.tryReadLock(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
            if (stamp != 0) {
                lock.unlockRead(stamp);
            }
            return stamp != 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableException("this NameNode stops; try again");
        }
    }

    /** The number of datasets that are changed or looked at. */
    int inUse() {
        return byId.size();
    }

    /** The number of changes and looks of a dataset that run or wait. */
    int users(DatasetRecord dataset) {
        int[] count = new int[1];
        byId.computeIfPresent(dataset.id(), (id, all) -> {
            count[0] = all.count;
            return all;
        });
        return count[0];
    }

    private interface Use<T> {
        T of(StampedLock lock) throws IOException;
    }

    private <T> T using(DatasetRecord dataset, Use<T> use) throws IOException {
        Users users = byId.compute(dataset.id(), (id, known) -> {
            Users all = known == null ? new Users() : known;
            all.count++;
            return all;
        });
        try {
            return use.of(users.lock);
        } finally {
            byId.computeIfPresent(dataset.id(), (id, all) -> --all.count == 0 ? null : all);
        }
    }
}
