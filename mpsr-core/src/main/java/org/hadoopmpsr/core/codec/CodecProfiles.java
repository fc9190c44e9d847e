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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.Codec;

/**
 * The profiles of codecs for each column, kept with decay: a new measurement counts as much as all before, until there are
 * four; then it counts a quarter. Columns beyond the first {@value #MOST_COLUMNS} push out those that were asked for least lately. Safe for use by
 * several threads.
 */
public final class CodecProfiles {
    /** How many columns are kept. */
    public static final int MOST_COLUMNS = 1_000;

    private static final double WEIGHT = 0.25;

    private final Map<String, OfColumn> columns = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OfColumn> eldest) {
            return size() > MOST_COLUMNS;
        }
    };

    private static final class OfColumn {
        private final Map<Codec, CodecProfile> profiles = new LinkedHashMap<>();
        private int samples;
    }

    /** Adds what one sample of a column shows. */
    public synchronized void measured(String column, Collection<CodecProfile> sample) {
        OfColumn its = of(column);
        its.samples++;
        double weight = Math.max(WEIGHT, 1.0 / its.samples);
        for (CodecProfile profile : sample) {
            its.profiles.merge(profile.codec(), profile, (old, newer) -> old.towards(newer, weight));
        }
    }

    /** The profiles of a column; none before its first sample. */
    public synchronized List<CodecProfile> profiles(String column) {
        return List.copyOf(of(column).profiles.values());
    }

    /** Whether no column that is known has fewer samples than this one, so that each has its turn. */
    public synchronized boolean isNext(String column) {
        int samples = of(column).samples;
        return columns.values().stream().allMatch(other -> samples <= other.samples);
    }

    private OfColumn of(String column) {
        return columns.computeIfAbsent(column, name -> new OfColumn());
    }
}
