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
package org.hadoopmpsr.core.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AdoptionForecastTest {
    private static final int PLACES = 4;

    private static List<UntrackedFile> files(int count, long bytes) {
        return LongStream.range(0, count)
                .mapToObj(id -> new UntrackedFile("/d/" + id, id, bytes, id, 0, 0, 0, null))
                .toList();
    }

    /** What a change takes by a known law: 500 ms, and 20 ms for each file and 1 ms for each 1,000 bytes among the tasks. */
    private static AdoptionTrial trial(int files, long bytes) {
        long busy = 20L * files + bytes / 1_000;
        return new AdoptionTrial(
                files, bytes, 500 + busy / Math.min(PLACES, files), busy, Map.of("signal", 700L * files + bytes / 2));
    }

    private static AdoptionForecast forecast(List<List<UntrackedFile>> changes, AdoptionTrial... trials) {
        return AdoptionForecast.of(changes, List.of(trials), PLACES, 0);
    }

    @Test
    void aLawThatTheTrialsFollowIsFound() {
        List<List<UntrackedFile>> changes = List.of(files(1_000, 5_000), files(100, 10_000_000), files(2, 50_000_000));
        AdoptionForecast found = forecast(changes, trial(200, 1_000_000), trial(8, 80_000_000), trial(4, 4_000));
        long expected = changes.stream()
                .mapToLong(change -> {
                    long bytes =
                            change.stream().mapToLong(UntrackedFile::length).sum();
                    return trial(change.size(), bytes).wallMs();
                })
                .sum();
        assertThat((double) found.ms()).isCloseTo(expected, within(expected * 0.01));
    }

    @Test
    void asManyBytesAreWrittenAsInATrialOfLikeFiles() {
        AdoptionTrial small = new AdoptionTrial(10, 10_000, 9, 9, Map.of("signal", 40_000L, "device", 20_000L));
        AdoptionTrial large = new AdoptionTrial(2, 2_000_000, 9, 9, Map.of("signal", 1_000_000L, "device", 500_000L));
        AdoptionForecast found = forecast(List.of(files(1_000, 2_000), files(10, 800_000), files(2, 1)), small, large);
        assertThat(found.written())
                .containsExactly(
                        Map.entry("device", 4_000_000L + 2_000_000 + 4),
                        Map.entry("signal", 8_000_000L + 4_000_000 + 8));
    }

    @Test
    void likeTrialsTellTheCostOfBytes() {
        AdoptionForecast found = forecast(List.of(files(80, 1_000_000)), trial(8, 8_000_000), trial(8, 8_000_000));
        assertThat(found.ms()).isEqualTo(500 + 10 * trial(8, 8_000_000).busyMs() / PLACES);
        assertThat(found.written())
                .containsExactly(
                        Map.entry("signal", 10 * trial(8, 8_000_000).written().get("signal")));
    }

    @Test
    void nothingTakesLessThanNoTime() {
        AdoptionTrial slow = new AdoptionTrial(1, 1_000, 900, 900, Map.of("signal", 100L));
        AdoptionTrial fast = new AdoptionTrial(10, 1_000_000, 10, 40, Map.of("signal", 100L));
        AdoptionForecast found = forecast(List.of(files(1, 1), files(100, 1_000_000_000)), slow, fast);
        assertThat(found.ms()).isPositive();
        assertThat(found.written().get("signal")).isPositive();
    }

    @Test
    void publishingIsForEachFile() {
        List<List<UntrackedFile>> changes = List.of(files(10, 1_000));
        long without = forecast(changes, trial(10, 10_000)).ms();
        assertThat(AdoptionForecast.of(changes, List.of(trial(10, 10_000)), PLACES, 3)
                        .ms())
                .isEqualTo(without + 30);
    }

    @Test
    void trialsAreOfSmallOfMiddlingAndOfLargeFiles() {
        List<List<UntrackedFile>> changes =
                List.of(files(1, 900), files(3, 10), files(2, 300), files(3, 20), files(2, 400), files(1, 1_000));
        assertThat(TrialPlanner.choose(changes, 10_000)).containsExactly(files(3, 20), files(2, 400), files(1, 1_000));
        assertThat(TrialPlanner.choose(changes, 90)).containsExactly(files(1, 20), files(1, 400), files(1, 1_000));
        assertThat(TrialPlanner.choose(changes.subList(0, 1), 1_000)).containsExactly(files(1, 900));
        assertThat(TrialPlanner.choose(changes, 0)).isEmpty();
        assertThat(TrialPlanner.choose(List.of(), 1_000)).isEmpty();
    }

    @Test
    void aTrialReadsSomething() {
        assertThatThrownBy(() -> new AdoptionTrial(1, 0, 1, 1, Map.of())).hasMessageContaining("0 of 1");
    }
}
