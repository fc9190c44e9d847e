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
package org.hadoopmpsr.ingest.commit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.core.commit.Refusal;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Workers that are killed, moved about and doubled while the dataset fails and refuses at random, the NameNode is away when
 * some start, memory runs out, and transformations drop records: in the end every record is in every group exactly once. The seed is in the
 * test's name; {@code -Dmpsr.seeds=N} runs more of them.
 */
class IngestSimulationTest {
    private static final int PARTITIONS = 3;
    private static final int STEPS = 120;

    @TempDir
    private Path dir;

    private final List<Member> members = new ArrayList<>();

    /** A worker and what it believes to be its own. */
    private static final class Member {
        FakeWorker worker;
        final Set<TopicPartition> owned = new HashSet<>();
    }

    private static List<Long> seeds() {
        int count = Integer.getInteger("mpsr.seeds", 8);
        return new Random(20_170_501).longs(count, 1, 1_000_000).boxed().toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsEveryRecordExactlyOnce(long seed) {
        Random random = new Random(seed);
        SessionFixture fixture = new SessionFixture(dir, PARTITIONS);
        for (int i = 0; i < 2; i++) {
            Member member = new Member();
            member.worker = fixture.worker(List.of());
            members.add(member);
        }
        move(fixture, random, fixture.topic.partitions, false);
        double faults = random.nextDouble() * 0.03;
        fixture.topic.dropped = "dropped"::equals;
        fixture.runOutOfMemory(new Random(seed), 0.01);
        fixture.target.faults = place -> {
            if (random.nextDouble() < faults) {
                throw new IOException("made to fail at " + place);
            }
            fixture.target.refusal = random.nextDouble() < faults ? refusal(random) : null;
        };
        for (int step = 0; step < STEPS; step++) {
            produce(fixture, random);
            Member member = members.get(random.nextInt(members.size()));
            switch (random.nextInt(14)) {
                case 0 -> restart(fixture, member); // SIGKILL
                case 1 -> move(fixture, random, List.of(anyPartition(fixture, random)), true);
                case 2 -> move(fixture, random, List.of(anyPartition(fixture, random)), false);
                case 3 -> fixture.openFailure = random.nextInt(3) == 0 ? new IOException("no NameNode answers") : null;
                default -> poll(fixture, random, member);
            }
        }
        finish(fixture, random);
    }

    private static Refusal refusal(Random random) {
        List<Refusal.Kind> kinds = List.of(
                Refusal.Kind.NO_PERMISSION,
                Refusal.Kind.NO_SPACE,
                Refusal.Kind.NOT_READY,
                Refusal.Kind.NOT_STAGED,
                Refusal.Kind.NO_SUCH_DATASET);
        Refusal.Kind kind = kinds.get(random.nextInt(kinds.size()));
        return new Refusal(kind, "made to refuse with " + kind);
    }

    private static void produce(SessionFixture fixture, Random random) {
        for (int i = random.nextInt(9); i > 0; i--) {
            int partition = random.nextInt(PARTITIONS);
            switch (random.nextInt(20)) {
                case 0 -> fixture.topic.appendMarker(partition);
                case 1 -> fixture.appendBad(partition);
                case 2 -> fixture.topic.append(partition, "dropped");
                default -> fixture.append(partition);
            }
        }
    }

    private static TopicPartition anyPartition(SessionFixture fixture, Random random) {
        return fixture.topic.partitions.get(random.nextInt(PARTITIONS));
    }

    private static void poll(SessionFixture fixture, Random random, Member member) {
        try {
            member.worker.pass(random.nextInt(400));
            member.worker.poll(12, random);
        } catch (ConnectException e) {
            restart(fixture, member);
        }
    }

    private static void restart(SessionFixture fixture, Member member) {
        fixture.reported.addAll(member.worker.reported);
        while (true) {
            try {
                member.worker = fixture.worker(List.copyOf(member.owned));
                return;
            } catch (ConnectException e) {
                continue; // its operator starts it again
            }
        }
    }

    /** Gives partitions to a worker; with {@code zombie} the others do not hear of it and go on. */
    private void move(SessionFixture fixture, Random random, List<TopicPartition> partitions, boolean zombie) {
        Member to = members.get(random.nextInt(members.size()));
        for (Member member : members) {
            List<TopicPartition> lost =
                    partitions.stream().filter(member.owned::contains).toList();
            if (!lost.isEmpty() && (member == to || !zombie)) {
                member.owned.removeAll(lost);
                try {
                    member.worker.close(lost);
                } catch (ConnectException e) {
                    restart(fixture, member);
                }
            }
        }
        to.owned.addAll(partitions);
        try {
            to.worker.open(partitions);
        } catch (ConnectException e) {
            restart(fixture, to);
        }
    }

    private void finish(SessionFixture fixture, Random random) {
        fixture.target.faults = place -> {};
        fixture.target.refusal = null;
        fixture.openFailure = null;
        for (Member member : members) {
            fixture.reported.addAll(member.worker.reported);
        }
        FakeWorker last = fixture.worker(fixture.topic.partitions);
        fixture.drain(last, random);
        // whoever still believes to own something may not add to it
        for (Member member : members) {
            for (int i = 0; i < 5; i++) {
                poll(fixture, random, member);
                member.worker.pass(SessionFixture.FLUSH_MS);
            }
        }
        fixture.check();
    }
}
