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
package org.hadoopmpsr.core.commit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far a commit may move offsets. Commits of honest writers pass over offsets too: records that a transformation
 * drops, markers of transactions, and what compaction or retention has removed. A jump is therefore refused only if no
 * topic can have it, and noted if the commit has very few records for it.
 */
public final class OffsetRules {
    /** The maximum offset: a million records a second for two thousand years. */
    public static final long MAX_OFFSET = 1L << 56;
    /** The maximum number of offsets that a commit may pass over without a record. */
    public static final long MAX_PASSED_OVER = 1L << 40;
    /** So many offsets without a record are not noted, ... */
    static final long USUAL = 1_000_000;
    /** ... and so many more for each record of the commit. */
    static final long USUAL_FOR_EACH_RECORD = 1_000;

    private OffsetRules() {}

    /**
     * Checks the offsets of a commit.
     *
     * @param records the number of records that the commit has, from 0
     * @return the problem, with its value, cause and fix; empty if there is none
     */
    public static Optional<String> problem(List<CommitSource> sources, long records) {
        for (CommitSource source : sources) {
            if (source.end() > MAX_OFFSET) {
                return Optional.of("the end " + source.end() + " of " + name(source) + " is above the greatest offset "
                        + MAX_OFFSET + "; name the offset after the last record");
            }
        }
        long passedOver = passedOver(sources, records);
        if (passedOver <= MAX_PASSED_OVER) {
            return Optional.empty();
        }
        CommitSource farthest =
                sources.stream().max((a, b) -> Long.compare(span(a), span(b))).orElseThrow();
        return Optional.of("it has " + records + " records and passes over " + passedOver + " offsets, most of them in "
                + name(farthest) + " from " + farthest.start() + " to " + farthest.end()
                + "; a commit passes over at most "
                + MAX_PASSED_OVER + ". If the topic has no records there, a superuser moves the offset with 'hdfs mpsr"
                + " dataset offsets --reset'");
    }

    /**
     * The sources that pass over far more offsets than the commit has records, with the number of their offsets.
     *
     * @param records the number of records that the commit has, from 0
     */
    public static Map<CommitSource, Long> noted(List<CommitSource> sources, long records) {
        Map<CommitSource, Long> noted = new HashMap<>();
        long usual = USUAL + USUAL_FOR_EACH_RECORD * Math.min(records, MAX_PASSED_OVER);
        if (passedOver(sources, records) > usual) {
            for (CommitSource source : sources) {
                if (span(source) > USUAL / sources.size()) {
                    noted.put(source, span(source));
                }
            }
        }
        return noted;
    }

    /** The offsets of all sources without a record; the greatest number if there are more. */
    private static long passedOver(List<CommitSource> sources, long records) {
        long offsets = 0;
        for (CommitSource source : sources) {
            offsets += span(source);
            if (offsets < 0) {
                return Long.MAX_VALUE;
            }
        }
        return Math.max(0, offsets - records);
    }

    private static long span(CommitSource source) {
        return source.end() - source.start();
    }

    private static String name(CommitSource source) {
        return "partition " + source.partition() + " of topic '" + source.topic() + "'";
    }
}
