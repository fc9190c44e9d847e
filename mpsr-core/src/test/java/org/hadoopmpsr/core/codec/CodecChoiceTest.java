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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.core.group.Codec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecChoiceTest {
    /** About what these codecs do with measured values on one core. */
    private static final List<CodecProfile> PROFILES = List.of(
            profile("none", 0.05, 1.0, 0.05),
            profile("lz4_raw", 1.6, 0.55, 0.7),
            profile("snappy", 2.0, 0.54, 0.9),
            profile("zstd:1", 3.0, 0.33, 1.6),
            profile("zstd:3", 4.5, 0.30, 1.6),
            profile("zstd:9", 25, 0.27, 1.6),
            profile("gzip", 30, 0.29, 5));

    private static CodecProfile profile(String codec, double compressNs, double ratio, double decompressNs) {
        return new CodecProfile(Codec.parse(codec), compressNs, ratio, decompressNs);
    }

    private static String chosen(double mbPerSecond, String before) {
        return CodecChoice.ofFlush(PROFILES, WriteRates.ofBandwidth(mbPerSecond * 1e6), Codec.parse(before))
                .text();
    }

    /** Data of a byte at 4 ns, to 0.25 bytes, at 20 ns each. */
    @Test
    void latencyIsTheSumOrTheLongerStage() {
        CodecProfile codec = profile("zstd:1", 4, 0.25, 1);
        WriteRates rates = WriteRates.ofBandwidth(50e6);
        assertThat(CodecLatency.computeNs(codec, rates)).isEqualTo(4, within(1e-9));
        assertThat(CodecLatency.transferNs(codec, rates)).isEqualTo(5, within(1e-9));
        assertThat(CodecLatency.serialNs(codec, rates)).isEqualTo(9, within(1e-9));
        assertThat(CodecLatency.pipelinedNs(codec, rates)).isEqualTo(5, within(1e-9));
        WriteRates busy = new WriteRates(0.5, 1, 20);
        assertThat(CodecLatency.computeNs(codec, busy)).isEqualTo(10, within(1e-9));
        assertThat(CodecLatency.pipelinedNs(codec, busy)).isEqualTo(10, within(1e-9));
    }

    @ParameterizedTest(name = "{0} MB/s: {1}")
    @CsvSource({"5, zstd:9", "60, zstd:3", "100, zstd:1", "230, snappy", "320, lz4_raw", "20000, none"})
    void theNetworkDecides(double mbPerSecond, String expected) {
        assertThat(chosen(mbPerSecond, "zstd:3")).isEqualTo(expected);
    }

    /** The serial form adds stages that HDFS's writer runs side by side, and takes a codec that compresses less. */
    @Test
    void theSerialFormTakesAnotherCodec() {
        WriteRates rates = WriteRates.ofBandwidth(11e6);
        CodecProfile nine = PROFILES.get(5);
        CodecProfile three = PROFILES.get(4);
        assertThat(CodecLatency.pipelinedNs(nine, rates)).isLessThan(CodecLatency.pipelinedNs(three, rates));
        assertThat(CodecLatency.serialNs(nine, rates)).isGreaterThan(CodecLatency.serialNs(three, rates));
    }

    @Test
    void lessOfACoreTakesAFasterCodec() {
        WriteRates whole = new WriteRates(1, 0, 20);
        WriteRates part = new WriteRates(0.2, 0, 20);
        assertThat(CodecChoice.ofFlush(PROFILES, whole, Codec.STANDARD).text()).isEqualTo("zstd:3");
        assertThat(CodecChoice.ofFlush(PROFILES, part, Codec.STANDARD).text()).isEqualTo("snappy");
    }

    /** Encoding is the longer stage whatever the codec: the fewest bytes are taken. */
    @Test
    void whereCodecsAreAlikeTheFewestBytesAreTaken() {
        assertThat(CodecChoice.ofFlush(PROFILES, new WriteRates(1, 2_000, 20), Codec.parse("none"))
                        .text())
                .isEqualTo("zstd:9");
    }

    @Test
    void aCodecThatIsReadSlowlyIsNotTaken() {
        List<CodecProfile> slow = new ArrayList<>(PROFILES);
        slow.set(5, profile("zstd:9", 25, 0.05, 1.6 * CodecChoice.MOST_DECOMPRESSION + 0.1));
        slow.set(6, profile("gzip", 0.01, 0.01, 5));
        assertThat(CodecChoice.ofFlush(slow, WriteRates.ofBandwidth(5e6), Codec.STANDARD)
                        .text())
                .isEqualTo("zstd:3");
        assertThat(CodecChoice.ofMerge(slow, Codec.STANDARD).text()).isEqualTo("zstd:3");
    }

    @Test
    void theCodecBeforeStaysWhereAnotherIsLittleBetter() {
        List<CodecProfile> near = List.of(profile("zstd:3", 10, 0.30, 2), profile("zstd:1", 9.7, 0.31, 2));
        WriteRates fast = WriteRates.ofBandwidth(1e9);
        assertThat(CodecChoice.ofFlush(near, fast, Codec.parse("zstd:3")).text())
                .as("3 % less")
                .isEqualTo("zstd:3");
        assertThat(CodecChoice.ofFlush(near, fast, Codec.parse("zstd:1")).text())
                .as("stays there too")
                .isEqualTo("zstd:1");
        List<CodecProfile> apart = List.of(near.get(0), profile("zstd:1", 9, 0.31, 2));
        assertThat(CodecChoice.ofFlush(apart, fast, Codec.parse("zstd:3")).text())
                .as("10 % less")
                .isEqualTo("zstd:1");
    }

    /** Profiles that swing by 3 % around equal ones change nothing; without hysteresis each swing may. */
    @Test
    void noiseChangesNothing() {
        Random random = new Random(34);
        Codec now = Codec.STANDARD;
        int changes = 0;
        for (int i = 0; i < 1_000; i++) {
            List<CodecProfile> noisy = List.of(
                    profile("zstd:3", 5 * (1 + random.nextDouble() * 0.03), 0.3, 2),
                    profile("zstd:1", 5 * (1 + random.nextDouble() * 0.03), 0.3, 2));
            Codec next = CodecChoice.ofFlush(noisy, WriteRates.ofBandwidth(1e9), now);
            changes += next.equals(now) ? 0 : 1;
            now = next;
        }
        assertThat(changes).isZero();
    }

    @Test
    void aMergeTakesTheFewestBytesWithinItsBudget() {
        assertThat(CodecChoice.ofMerge(PROFILES, Codec.STANDARD).text())
                .as("zstd:9 takes more than three times the CPU")
                .isEqualTo("zstd:3");
        List<CodecProfile> more = new ArrayList<>(PROFILES);
        more.add(profile("zstd:6", 13, 0.28, 1.6));
        assertThat(CodecChoice.ofMerge(more, Codec.STANDARD).text()).isEqualTo("zstd:6");
    }

    @Test
    void withoutAProfileTheCodecBeforeStays() {
        WriteRates rates = WriteRates.ofBandwidth(1e6);
        assertThat(CodecChoice.ofFlush(List.of(), rates, Codec.parse("snappy")).text())
                .isEqualTo("snappy");
        assertThat(CodecChoice.ofMerge(List.of(), Codec.parse("snappy")).text()).isEqualTo("snappy");
    }

    @Test
    void impossibleFiguresAreRefused() {
        assertThatThrownBy(() -> profile("zstd:3", -1, 0.5, 1))
                .hasMessageContaining("a profile of zstd:3 has impossible figures: compression -1.0 ns");
        assertThatThrownBy(() -> new WriteRates(1.5, 0, 0)).hasMessageContaining("impossible rates: 1.5 of a core");
    }
}
