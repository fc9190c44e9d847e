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

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.hadoopmpsr.core.group.Codec;

/**
 * Chooses a codec by its profile. Reading is a constraint, not a weight: a codec that takes more than {@value #MOST_DECOMPRESSION} times as long to
 * decompress as {@link Codec#STANDARD} is not taken, however fast it writes.
 */
public final class CodecChoice {
    /** What a flush tries. */
    public static final List<Codec> OF_FLUSHES =
            codecs("none", "lz4_raw", "snappy", "zstd:1", "zstd:3", "zstd:6", "zstd:9");

    /** What a merge tries. */
    public static final List<Codec> OF_MERGES = codecs("none", "zstd:1", "zstd:3", "zstd:6", "zstd:9", "zstd:12");

    /** The longest decompression, in that of the standard codec. */
    public static final double MOST_DECOMPRESSION = 1.25;

    /** The CPU budget of a merge for compression, in that of the standard codec. */
    public static final double MERGE_BUDGET = 3;

    /** Of codecs whose latencies differ by less, the one with the fewest bytes is taken. */
    public static final double ALIKE = 1.02;

    /** The codec before stays as long as the best one does not divide its latency by so much. */
    public static final double HYSTERESIS = 1.05;

    /** The same for the bytes of merges. */
    public static final double MERGE_HYSTERESIS = 1.01;

    private CodecChoice() {}

    private static List<Codec> codecs(String... texts) {
        return List.of(texts).stream().map(Codec::parse).toList();
    }

    /**
     * The codec with the least {@link CodecLatency#pipelinedNs pipelined latency} for a flush.
     *
     * @param profiles of one column, at most one of each codec
     * @param before the codec that the column has now; returned where the standard codec has no profile
     */
    public static Codec ofFlush(Collection<CodecProfile> profiles, WriteRates rates, Codec before) {
        Optional<CodecProfile> standard = find(profiles, Codec.STANDARD);
        if (standard.isEmpty()) {
            return before;
        }
        List<CodecProfile> read = readable(profiles, standard.get());
        ToDoubleFunction<CodecProfile> latency = profile -> CodecLatency.pipelinedNs(profile, rates);
        double least = read.stream().mapToDouble(latency).min().orElseThrow();
        CodecProfile best = read.stream()
                .filter(profile -> latency.applyAsDouble(profile) <= least * ALIKE)
                .min(Comparator.comparingDouble(CodecProfile::ratio))
                .orElseThrow();
        boolean stays = find(read, before)
                .filter(profile -> latency.applyAsDouble(profile) < latency.applyAsDouble(best) * HYSTERESIS)
                .filter(profile -> profile.ratio() < best.ratio() * HYSTERESIS)
                .isPresent();
        return stays ? before : best.codec();
    }

    /**
     * The codec with the fewest bytes for a merge, whose compression takes at most {@value #MERGE_BUDGET} times the CPU of the standard codec.
     *
     * @param profiles as in {@link #ofFlush}
     * @param before as in {@link #ofFlush}
     */
    public static Codec ofMerge(Collection<CodecProfile> profiles, Codec before) {
        Optional<CodecProfile> standard = find(profiles, Codec.STANDARD);
        if (standard.isEmpty()) {
            return before;
        }
        double most = standard.get().compressNs() * MERGE_BUDGET;
        List<CodecProfile> some = readable(profiles, standard.get()).stream()
                .filter(profile -> profile.compressNs() <= most)
                .toList();
        CodecProfile best = some.stream()
                .min(Comparator.comparingDouble(CodecProfile::ratio).thenComparingDouble(CodecProfile::compressNs))
                .orElseThrow();
        boolean stays = find(some, before)
                .filter(profile -> profile.ratio() < best.ratio() * MERGE_HYSTERESIS)
                .isPresent();
        return stays ? before : best.codec();
    }

    private static List<CodecProfile> readable(Collection<CodecProfile> profiles, CodecProfile standard) {
        double most = standard.decompressNs() * MOST_DECOMPRESSION;
        return profiles.stream()
                .filter(profile -> profile.decompressNs() <= most)
                .toList();
    }

    private static Optional<CodecProfile> find(Collection<CodecProfile> profiles, Codec codec) {
        return profiles.stream()
                .filter(profile -> profile.codec().equals(codec))
                .findFirst();
    }
}
