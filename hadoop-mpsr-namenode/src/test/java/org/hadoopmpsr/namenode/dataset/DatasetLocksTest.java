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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatasetLocksTest {
    private final Map<String, DatasetRecord> altered = new HashMap<>();
    private final DatasetLocks locks = new DatasetLocks(id -> Optional.ofNullable(altered.get(id)));
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aLockThatNobodyHoldsIsNotKept() throws IOException {
        for (int i = 0; i < 100; i++) {
            DatasetRecord dataset = TestRecord.of("d" + i, "/d");
            assertThat(locks.look(dataset, locks::inUse)).isEqualTo(1);
            assertThat(locks.alone(dataset, locks::inUse)).isEqualTo(1);
        }
        assertThat(locks.inUse()).isZero();
    }

    @Test
    void norIsOneAfterAFailure() {
        assertThatThrownBy(() -> locks.alone(TestRecord.of("a", "/a"), () -> {
                    throw new IOException("failed");
                }))
                .hasMessage("failed");
        assertThat(locks.inUse()).isZero();
    }

    @Test
    void whoHasItAloneHasItAloneAlsoWhileOthersComeAndGo() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<Boolean> alone = threads.submit(() -> locks.alone(TestRecord.of("a", "/a"), () -> {
            held.countDown();
            return isReached(end);
        }));
        assertThat(isReached(held)).isTrue();
        Future<Boolean> look = threads.submit(() -> locks.look(TestRecord.of("a", "/a"), () -> end.getCount() == 0));
        await().until(() -> locks.users(TestRecord.of("a", "/a")) == 2);
        assertThat(look.isDone()).isFalse();

        end.countDown();
        assertThat(alone.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(look.get(10, TimeUnit.SECONDS)).as("it waited for the end").isTrue();
        assertThat(locks.inUse()).isZero();
    }

    /** A publish never waits for a plan. */
    @Test
    void aLookKeepsNobodyFromAChangeAndIsRepeatedAfterIt() throws Exception {
        DatasetRecord dataset = TestRecord.of("a", "/a");
        AtomicInteger looks = new AtomicInteger();
        Integer seen = locks.look(dataset, () -> {
            int look = looks.incrementAndGet();
            if (look == 1) {
                assertThat(changed(dataset)).as("while it is looked at").isTrue();
            }
            return look;
        });
        assertThat(seen).isEqualTo(2);
    }

    @Test
    void whatChangesAllTheTimeIsSaidToDoSo() throws Exception {
        DatasetRecord dataset = TestRecord.of("a", "/a");
        AtomicInteger looks = new AtomicInteger();
        Optional<Integer> seen = locks.undisturbed(dataset, () -> TimeUnit.SECONDS.toNanos(10), () -> {
            assertThat(changed(dataset)).isTrue();
            return looks.incrementAndGet();
        });
        assertThat(seen).isEmpty();
        assertThat(looks.get()).isEqualTo(5);
    }

    @Test
    void whoKnowsOtherGroupsLooksAgain() throws Exception {
        DatasetRecord before = TestRecord.of("a", "/a");
        altered.put("a", before);
        assertThat(locks.look(before, () -> 1)).isEqualTo(1);
        DatasetProto more = before.definition().toBuilder()
                .addGroup(before.definition().getGroup(0).toBuilder().setName("signal"))
                .build();
        DatasetRecord after = DatasetRecord.of("/a", before.inodeId(), more);
        altered.put("a", after);
        assertThatThrownBy(() -> locks.look(before, () -> 1))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining("/a");
        assertThatThrownBy(() -> locks.undisturbed(before, () -> 1_000, () -> 1))
                .isInstanceOf(RetriableException.class);
        assertThat(locks.look(after, () -> 2)).isEqualTo(2);
        assertThat(locks.lookAtAny(before, () -> 3)).as("of what has no groups").isEqualTo(3);
    }

    @Test
    void aLookWaitsForAChangeOnlySoLong() throws Exception {
        DatasetRecord dataset = TestRecord.of("a", "/a");
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<Boolean> alone = threads.submit(() -> locks.alone(dataset, () -> {
            held.countDown();
            return isReached(end);
        }));
        assertThat(isReached(held)).isTrue();
        assertThat(locks.undisturbed(dataset, () -> 1_000, () -> true)).isEmpty();
        end.countDown();
        assertThat(alone.get(10, TimeUnit.SECONDS)).isTrue();
    }

    private boolean changed(DatasetRecord dataset) throws IOException {
        try {
            return threads.submit(() -> locks.alone(dataset, () -> true)).get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IOException(e);
        }
    }

    private static boolean isReached(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
