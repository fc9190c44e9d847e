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

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;

/** How jobs change segments: against each other, and while something happens. */
final class ChaosJobs {
    private final Chaos chaos;

    ChaosJobs(Chaos chaos) {
        this.chaos = chaos;
    }

    /** What happens while a job runs. */
    interface Fault {
        void happen() throws Exception;
    }

    /** A step of one job. */
    interface Step {
        /** @return false if it cannot be done now */
        boolean take(int tries, Fault fault) throws Exception;
    }

    /** A dataset whose segments a job can change now. */
    Optional<ChaosDataset> any() {
        return chaos.anyDataset(
                d -> !d.soundSegments().isEmpty() && chaos.dataNodes().down().isEmpty());
    }

    /** Makes a change, with a fault after the job has made so many calls. */
    void run(ChaosDataset dataset, TestChange change, int tries, int reached, Fault fault) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<Outcome> running =
                    job.submit(() -> write(dataset, change, tries, calls).outcome());
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> calls.get() >= reached || running.isDone());
            fault.happen();
            assertThat(running.get()).isIn(Outcome.COMMITTED, Outcome.ALREADY_COMMITTED);
        } finally {
            job.shutdownNow();
        }
    }

    /** Makes a change at once. */
    PublishResult write(ChaosDataset dataset, TestChange change) throws IOException {
        return write(dataset, change, 1, new AtomicInteger());
    }

    /** Stages and publishes until it is known what became of it, and leaves nothing behind. */
    private PublishResult write(ChaosDataset dataset, TestChange change, int tries, AtomicInteger calls)
            throws IOException {
        for (int i = 1; ; i++) {
            try {
                change.stage(chaos.client(), dataset.path(), chaos.fs());
                calls.incrementAndGet();
                PublishResult result = change.publish(chaos.client(), dataset.path());
                calls.incrementAndGet();
                if (result.outcome() != Outcome.COMMITTED) {
                    chaos.client().abortCommit(dataset.path(), dataset.id(), change.id());
                }
                return result;
            } catch (IOException e) {
                if (i == tries) {
                    throw e;
                }
            }
        }
    }

    /** Takes a step during which the active NameNode crashes. */
    boolean crash(Step step) throws Exception {
        if (!chaos.mayRestart()) {
            return false;
        }
        int[] ended = {-1};
        boolean done = step.take(ChaosWriter.TRIES, () -> {
            chaos.log("NameNode %d crashes", chaos.cluster().active());
            ended[0] = chaos.cluster().crashActive();
        });
        if (ended[0] >= 0) {
            chaos.restart(ended[0]);
        }
        return done;
    }

    /** Lets two jobs want the files of one segment; returns the change of the one that gets them. */
    <T extends TestChange> T race(ChaosDataset dataset, T one, T other) throws Exception {
        ExecutorService job = Executors.newSingleThreadExecutor();
        try {
            Future<PublishResult> running = job.submit(() -> write(dataset, one));
            PublishResult second = write(dataset, other);
            PublishResult first = running.get();
            assertThat(List.of(first.outcome(), second.outcome()))
                    .containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.FENCED);
            return first.outcome() == Outcome.COMMITTED ? one : other;
        } finally {
            job.shutdownNow();
        }
    }
}
