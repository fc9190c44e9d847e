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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;

/** Writes commits as a client does. */
final class ChaosWriter {
    /** Enough for any failover. */
    static final int TRIES = 20;

    private final Chaos chaos;

    ChaosWriter(Chaos chaos) {
        this.chaos = chaos;
    }

    /** A commit of some files that follows on what is published. */
    TestCommit next(ChaosDataset dataset, String writer) {
        return dataset.next(writer, 1 + chaos.random(3), chaos.random(3));
    }

    /**
     * Stages and publishes until it is known what became of it, and leaves nothing behind.
     *
     * @param calls counts what was done
     */
    Outcome write(ChaosDataset dataset, TestCommit commit, int tries, AtomicInteger calls) throws IOException {
        for (int i = 1; ; i++) {
            try {
                commit.stage(chaos.client(), dataset.path(), chaos.fs());
                calls.incrementAndGet();
                Outcome outcome = publish(dataset, commit).outcome();
                calls.incrementAndGet();
                if (outcome != Outcome.COMMITTED) {
                    chaos.client().abortCommit(dataset.path(), dataset.id(), commit.id());
                }
                return outcome;
            } catch (IOException e) {
                if (i == tries) {
                    throw e;
                }
            }
        }
    }

    /** The same, once. */
    Outcome write(ChaosDataset dataset, TestCommit commit) throws IOException {
        return write(dataset, commit, 1, new AtomicInteger());
    }

    PublishResult publish(ChaosDataset dataset, TestCommit commit) throws IOException {
        return commit.publish(chaos.client(), dataset.path());
    }

    /** Each by a writer of its own. */
    List<Outcome> atOnce(ChaosDataset dataset, TestCommit... commits) throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(commits.length);
        try {
            List<Future<Outcome>> running = new ArrayList<>();
            for (TestCommit commit : commits) {
                running.add(writers.submit(() -> write(dataset, commit)));
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (Future<Outcome> writer : running) {
                outcomes.add(writer.get());
            }
            return outcomes;
        } finally {
            writers.shutdownNow();
        }
    }
}
