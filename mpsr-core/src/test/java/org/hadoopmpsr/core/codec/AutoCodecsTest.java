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
package org.hadoopmpsr.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.group.Codec;
import org.junit.jupiter.api.Test;

class AutoCodecsTest {
    private static final List<CodecProfile> SAMPLE = List.of(
            new CodecProfile(Codec.parse("lz4_raw"), 1, 0.6, 1),
            new CodecProfile(Codec.STANDARD, 5, 0.3, 2),
            new CodecProfile(Codec.parse("zstd:6"), 14, 0.28, 2));

    private final List<String> log = new ArrayList<>();

    private AutoCodecs codecs(AutoCodecs.Purpose purpose) {
        return new AutoCodecs(purpose, new SamplingBudget(0.02), log::add);
    }

    @Test
    void aFlushTakesTheStandardCodecUntilItHasMeasured() {
        AutoCodecs codecs = codecs(AutoCodecs.Purpose.FLUSH);
        assertThat(codecs.codec("time.value")).isEqualTo(Codec.STANDARD);
        codecs.profiles().measured("time.value", SAMPLE);
        assertThat(codecs.codec("time.value")).as("no file yet").isEqualTo(Codec.STANDARD);
        codecs.monitor().pages(1_000_000, 5_000_000);
        codecs.monitor().file(300_000, 600_000_000, 590_000_000, 6_000_000);
        assertThat(codecs.codec("time.value").text()).as("a slow network").isEqualTo("zstd:6");
        assertThat(codecs.codec("time.signal")).as("a column without samples").isEqualTo(Codec.STANDARD);
        assertThat(codecs.changes()).isEqualTo(1);
        assertThat(log).hasSize(1);
        assertThat(log.get(0))
                .startsWith("time.value gets zstd:6 after zstd:3; zstd:3: ratio 0.300, 5.0 ns to compress a byte")
                .contains("zstd:6: ratio 0.280", "ns to send one");
        assertThat(codecs.codec("time.value").text()).isEqualTo("zstd:6");
        assertThat(codecs.changes()).isEqualTo(1);
    }

    @Test
    void aMergeNeedsNoFile() {
        AutoCodecs codecs = codecs(AutoCodecs.Purpose.MERGE);
        codecs.profiles().measured("c", SAMPLE);
        assertThat(codecs.codec("c").text()).isEqualTo("zstd:6");
    }

    @Test
    void profilesFollowNewSamples() {
        CodecProfiles profiles = new CodecProfiles();
        for (double ratio : new double[] {0.2, 0.4}) {
            profiles.measured("c", List.of(new CodecProfile(Codec.STANDARD, 5, ratio, 2)));
        }
        assertThat(profiles.profiles("c").get(0).ratio()).as("the mean of two").isEqualTo(0.2 + 0.2 / 2);
        for (int i = 0; i < 30; i++) {
            profiles.measured("c", List.of(new CodecProfile(Codec.STANDARD, 5, 0.9, 2)));
        }
        assertThat(profiles.profiles("c").get(0).ratio()).isBetween(0.89, 0.9);
    }

    /** Other work makes a measurement longer, never shorter. */
    @Test
    void aLongTimeCountsLess() {
        CodecProfiles profiles = new CodecProfiles();
        for (double ns : new double[] {8, 5, 9}) {
            profiles.measured("c", List.of(new CodecProfile(Codec.STANDARD, ns, 0.3, ns)));
        }
        assertThat(profiles.profiles("c").get(0).compressNs()).isBetween(5.2, 5.3);
        for (int i = 0; i < 200; i++) {
            profiles.measured("c", List.of(new CodecProfile(Codec.STANDARD, 9, 0.3, 9)));
        }
        assertThat(profiles.profiles("c").get(0).decompressNs()).isBetween(8.9, 9.0);
    }

    @Test
    void eachColumnHasItsTurn() {
        CodecProfiles profiles = new CodecProfiles();
        assertThat(profiles.isNext("a")).isTrue();
        assertThat(profiles.isNext("b")).isTrue();
        profiles.measured("a", SAMPLE);
        assertThat(profiles.isNext("a")).isFalse();
        assertThat(profiles.isNext("b")).isTrue();
        profiles.measured("b", SAMPLE);
        assertThat(profiles.isNext("a")).isTrue();
    }

    @Test
    void manyColumnsPushOutTheOldest() {
        CodecProfiles profiles = new CodecProfiles();
        for (int i = 0; i <= CodecProfiles.MOST_COLUMNS; i++) {
            profiles.measured("c" + i, SAMPLE);
        }
        assertThat(profiles.profiles("c1")).isNotEmpty();
        assertThat(profiles.profiles("c0")).isEmpty();
    }

    @Test
    void samplesKeepToTheirShare() {
        SamplingBudget budget = new SamplingBudget(0.02);
        assertThat(budget.allows(1)).isFalse();
        budget.worked(1_000);
        assertThat(budget.allows(21)).isFalse();
        assertThat(budget.allows(20)).isTrue();
        budget.sampled(20);
        assertThat(budget.allows(1)).isFalse();
        assertThat(budget.share()).isEqualTo(0.02);
    }
}
