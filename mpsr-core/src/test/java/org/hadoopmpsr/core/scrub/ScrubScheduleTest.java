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
package org.hadoopmpsr.core.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.scrub.ScrubSchedule.Candidate;
import org.hadoopmpsr.core.scrub.ScrubState.Problem;
import org.junit.jupiter.api.Test;

class ScrubScheduleTest {
    private static final long DAY = 86_400_000;

    private final ScrubSchedule schedule = new ScrubSchedule(30 * DAY, 100);
    private ScrubState state = new ScrubState();

    private static Candidate segment(String id, long day, long bytes) {
        return new Candidate(id, day * DAY, 1, bytes);
    }

    private List<String> next(long day, Candidate... segments) {
        return schedule.next(List.of(segments), state, day * DAY).stream()
                .map(Candidate::id)
                .toList();
    }

    @Test
    void whatWasWrittenLatelyIsNotDue() {
        assertThat(next(29, segment("a", 0, 10))).isEmpty();
        assertThat(next(30, segment("a", 0, 10))).containsExactly("a");
        state.checked("a", 1, 30 * DAY);
        assertThat(next(59, segment("a", 0, 10))).isEmpty();
        assertThat(next(60, segment("a", 0, 10))).containsExactly("a");
    }

    @Test
    void theLongestUncheckedComeFirstAndARunIsBounded() {
        Candidate[] segments = {segment("c", 3, 60), segment("a", 1, 60), segment("b", 2, 40), segment("d", 4, 1)};
        assertThat(next(40, segments)).containsExactly("a", "b");
        assertThat(next(40, segment("large", 0, 1000))).containsExactly("large");
    }

    @Test
    void whatIsDueSoonIsTakenAlong() {
        Candidate[] segments = {segment("a", 0, 10), segment("b", 2, 10), segment("c", 9, 10)};
        assertThat(next(30, segments)).containsExactly("a", "b");
        state.checked("a", 1, 30 * DAY);
        assertThat(next(30, segments)).isEmpty();
    }

    @Test
    void whatCouldNotBeReadWaitsForADay() {
        state.tried("a", 1, 30 * DAY);
        assertThat(next(30, segment("a", 0, 10), segment("b", 0, 10))).containsExactly("b");
        assertThat(next(31, segment("a", 0, 10))).containsExactly("a");
        assertThat(schedule.covered(List.of(segment("a", 0, 10), segment("b", 5, 1)), state, 31 * DAY))
                .isEqualTo(1);
        assertThat(ScrubSchedule.oldest(List.of(segment("a", 7, 10)), state)).isEqualTo(7 * DAY);
    }

    @Test
    void whatIsWrongIsReadAgainEachDay() {
        state.checked("a", 1, 40 * DAY);
        state.failed(new Problem("a", "time", "no majority"));
        Candidate[] segments = {segment("a", 0, 10), segment("b", 39, 10)};
        assertThat(next(40, segments)).isEmpty();
        assertThat(next(41, segments)).containsExactly("a");
        state.tried("a", 1, 41 * DAY);
        assertThat(next(41, segments)).isEmpty();
        assertThat(schedule.next(List.of(new Candidate("a", 0, 2, 10)), state, 41 * DAY))
                .as("a file was written anew, with the time of the one before")
                .hasSize(1);
        state.checked("a", 1, 41 * DAY);
        assertThat(next(42, segments)).as("it is right now").isEmpty();
    }

    /** Whatever is interrupted, each segment is read within a period and what it takes to read all. */
    @Test
    void everySegmentIsReadInEachPeriod() {
        Seeds.forAll(20, this::everySegmentIsRead);
    }

    private void everySegmentIsRead(Random random) {
        state = new ScrubState();
        List<Candidate> segments = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            segments.add(segment("s" + i, random.nextInt(30), 1 + random.nextInt(60)));
        }
        for (int day = 0; day < 120; day++) {
            for (int run = 0; run < 3; run++) {
                for (Candidate read : schedule.next(segments, state, day * DAY)) {
                    if (random.nextInt(5) == 0) {
                        break; // the run is ended
                    }
                    state.checked(read.id(), 1, day * DAY);
                }
            }
            long now = day * DAY;
            assertThat(segments)
                    .as("day %d", day)
                    .allMatch(s -> now - Math.max(s.timeMs(), state.read(s.id()).checkedMs()) <= 45 * DAY);
        }
    }

    @Test
    void theFirstVersionOfTheStateIsRead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(1);
        out.writeLong(3);
        out.writeLong(2);
        out.writeInt(1);
        out.writeUTF("a");
        out.writeLong(5);
        out.writeLong(7);
        out.writeInt(0);
        ScrubState read = ScrubState.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        assertThat(read.read("a")).isEqualTo(new ScrubState.Read(5, 7, 0));
        assertThat(read.healed()).isEqualTo(2);
    }

    @Test
    void theStateIsWrittenAndRead() throws IOException {
        state.checked("a", 1, 5);
        state.tried("a", 4, 7);
        state.tried("b", 1, 8);
        state.found(3);
        state.healed(2);
        state.failed(new Problem("b", "signal", "no majority"));
        state.failed(new Problem("b", "signal", "no majority at all"));
        state.failed(new Problem("gone", "time", "no majority"));
        state.keepOnly(new HashSet<>(Set.of("a", "b")));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        state.write(new DataOutputStream(bytes));
        ScrubState read = ScrubState.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        assertThat(read.read("a")).isEqualTo(new ScrubState.Read(5, 7, 4));
        assertThat(read.read("b")).isEqualTo(new ScrubState.Read(0, 8, 1));
        assertThat(read.found()).isEqualTo(3);
        assertThat(read.healed()).isEqualTo(2);
        assertThat(read.problems()).containsExactly(new Problem("b", "signal", "no majority at all"));
        read.checked("b", 1, 9);
        assertThat(read.problems()).isEmpty();
        assertThatThrownBy(
                        () -> ScrubState.read(new DataInputStream(new ByteArrayInputStream(new byte[] {0, 0, 0, 9}))))
                .hasMessageContaining("version 9");
    }
}
