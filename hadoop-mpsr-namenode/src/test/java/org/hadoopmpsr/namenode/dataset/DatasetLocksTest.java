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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatasetLocksTest {
    private final DatasetLocks locks = new DatasetLocks();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aLockThatNobodyHoldsIsNotKept() throws IOException {
        for (int i = 0; i < 100; i++) {
            DatasetRecord dataset = TestRecord.of("d" + i, "/d");
            assertThat(locks.shared(dataset, locks::inUse)).isEqualTo(1);
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
        Future<Boolean> shared =
                threads.submit(() -> locks.shared(TestRecord.of("a", "/a"), () -> end.getCount() == 0));
        await().until(() -> locks.users(TestRecord.of("a", "/a")) == 2);
        assertThat(shared.isDone()).isFalse();

        end.countDown();
        assertThat(alone.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(shared.get(10, TimeUnit.SECONDS)).as("it waited for the end").isTrue();
        assertThat(locks.inUse()).isZero();
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
