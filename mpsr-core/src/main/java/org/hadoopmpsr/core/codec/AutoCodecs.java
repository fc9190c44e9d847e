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

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hadoopmpsr.core.group.Codec;

/**
 * The codecs of a process that writes columns with {@code auto}: {@link Codec#STANDARD} for each column at first, and what
 * {@link CodecChoice} takes from then on. It has no clock and no codec of its own: who writes files tells what it measures. Safe for use by several threads.
 */
public final class AutoCodecs {
    /** What files are written for. */
    public enum Purpose {
        /** Latency, as records wait. */
        FLUSH(CodecChoice.OF_FLUSHES),
        /** Size, within a budget of CPU. */
        MERGE(CodecChoice.OF_MERGES);

        private final List<Codec> tried;

        Purpose(List<Codec> tried) {
            this.tried = tried;
        }

        /** The codecs that are measured. */
        public List<Codec> tried() {
            return tried;
        }
    }

    private final Purpose purpose;
    private final SamplingBudget budget;
    private final CodecProfiles profiles = new CodecProfiles();
    private final WriteMonitor monitor;
    private final Map<String, Codec> current = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();
    private final Consumer<String> log;

    /** @param log gets a line of text for each change */
    public AutoCodecs(Purpose purpose, SamplingBudget budget, Consumer<String> log) {
        this(purpose, budget, new WriteMonitor(), log);
    }

    /** @param log gets a line of text for each change */
    public AutoCodecs(Purpose purpose, SamplingBudget budget, WriteMonitor monitor, Consumer<String> log) {
        this.monitor = monitor;
        this.purpose = purpose;
        this.budget = budget;
        this.log = log;
    }

    public Purpose purpose() {
        return purpose;
    }

    public SamplingBudget budget() {
        return budget;
    }

    public CodecProfiles profiles() {
        return profiles;
    }

    public WriteMonitor monitor() {
        return monitor;
    }

    /** How often a column got another codec than before. */
    public long changes() {
        return changes.get();
    }

    /** The codec for the next chunk of a column, never {@code auto}. */
    public Codec codec(String column) {
        Codec before = current.getOrDefault(column, Codec.STANDARD);
        List<CodecProfile> known = profiles.profiles(column);
        Codec chosen = purpose == Purpose.MERGE
                ? CodecChoice.ofMerge(known, before)
                : monitor.rates()
                        .map(rates -> CodecChoice.ofFlush(known, rates, before))
                        .orElse(before);
        if (!chosen.equals(before) && !chosen.equals(current.put(column, chosen))) {
            changes.incrementAndGet();
            log.accept(text(column, before, chosen, known));
        }
        return chosen;
    }

    private String text(String column, Codec before, Codec chosen, List<CodecProfile> known) {
        StringBuilder text = new StringBuilder(column + " gets " + chosen.text() + " after " + before.text());
        for (CodecProfile profile : known) {
            if (profile.codec().equals(before) || profile.codec().equals(chosen)) {
                text.append(String.format(
                        Locale.ROOT,
                        "; %s: ratio %.3f, %.1f ns to compress a byte, %.1f ns to decompress it",
                        profile.codec().text(),
                        profile.ratio(),
                        profile.compressNs(),
                        profile.decompressNs()));
            }
        }
        if (purpose == Purpose.FLUSH) {
            monitor.rates()
                    .ifPresent(rates -> text.append(String.format(
                            Locale.ROOT,
                            "; %.2f of a core, %.1f ns to encode a byte, %.1f ns to send one",
                            rates.cpuShare(),
                            rates.encodeNs(),
                            rates.transferNs())));
        }
        return text.toString();
    }
}
