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
package org.hadoopmpsr.namenode.damage;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.core.rebuild.RedundancyTrend;
import org.hadoopmpsr.namenode.damage.DamageLook.Found;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.jspecify.annotations.Nullable;

/**
 * The damage of all datasets as it was found last, and since when. It lives in memory: after a restart or a failover, damage counts
 * as new. Thread-safe.
 */
public final class Damaged {
    private final Datasets datasets;
    private final DamageLook look;
    private final Timer clock;
    private final Map<String, State> byDataset = new ConcurrentHashMap<>();
    private final Map<String, RedundancyTrend> trends = new ConcurrentHashMap<>();
    private volatile RedundancyTrend trend = RedundancyTrend.NONE;

    public Damaged(Datasets datasets, DamageLook look, Timer clock) {
        this.datasets = datasets;
        this.look = look;
        this.clock = clock;
    }

    /**
     * What was found in a dataset.
     *
     * @param since by segment and group, in milliseconds since the epoch
     * @param toRebuild by group
     */
    record State(DamageLook.Result result, Map<Place, Long> since, List<ToRebuild> toRebuild) {
        static State of(DatasetRecord dataset, DamageLook.Result result, Map<Place, Long> since) {
            Set<String> incomplete = dataset.incomplete();
            List<Found> lost = result.damage().stream()
                    .filter(found -> !incomplete.contains(found.group()))
                    .toList();
            return new State(result, since, ToRebuild.of(lost, found -> since(since, found)));
        }

        long since(Found found) {
            return since(since, found);
        }

        private static long since(Map<Place, Long> since, Found found) {
            return since.getOrDefault(new Place(found.segment(), found.group()), 0L);
        }

        long bytesToRebuild() {
            return toRebuild.stream().mapToLong(ToRebuild::bytes).sum();
        }
    }

    /** A segment in a group. */
    record Place(String segment, String group) {}

    /** Looks at all datasets. Takes the read lock in short holds. */
    public void check() throws IOException {
        for (DatasetRecord dataset : datasets.all()) {
            now(dataset);
        }
        Set<String> ids = datasets.all().stream().map(DatasetRecord::id).collect(Collectors.toSet());
        byDataset.keySet().retainAll(ids);
        trends.keySet().retainAll(ids);
        long now = clock.now();
        long all = 0;
        for (Map.Entry<String, State> entry : byDataset.entrySet()) {
            long bytes = entry.getValue().bytesToRebuild();
            trends.merge(entry.getKey(), RedundancyTrend.NONE.next(now, bytes), (before, n) -> before.next(now, bytes));
            all += bytes;
        }
        trend = trend.next(now, all);
    }

    /** Looks at a dataset. Takes the read lock in short holds. */
    State now(DatasetRecord dataset) throws IOException {
        DamageLook.Result result = look.look(dataset, false);
        return byDataset.compute(
                dataset.id(), (id, before) -> State.of(dataset, result, since(result.damage(), before)));
    }

    /** The same with files of the default group that nobody published; not kept. */
    State withForeignFiles(DatasetRecord dataset) throws IOException {
        DamageLook.Result result = look.look(dataset, true);
        return State.of(dataset, result, since(result.damage(), byDataset.get(dataset.id())));
    }

    private Map<Place, Long> since(List<Found> damage, @Nullable State before) {
        long now = clock.now();
        Map<Place, Long> since = new HashMap<>();
        for (Found found : damage) {
            Place place = new Place(found.segment(), found.group());
            Long known = before == null ? null : before.since().get(place);
            since.put(place, known == null ? now : known);
        }
        return since;
    }

    /** The live copies of a dataset's records when it was looked at last; empty if it was not yet. */
    public Optional<Redundancy> redundancy(DatasetRecord dataset) {
        return Optional.ofNullable(byDataset.get(dataset.id()))
                .map(s -> s.result().redundancy());
    }

    /** The live copies of the records of all datasets that were looked at, in the order of the datasets' paths. */
    public Map<DatasetRecord, Redundancy> redundancies() {
        Map<DatasetRecord, Redundancy> all = new LinkedHashMap<>();
        datasets.all().forEach(d -> redundancy(d).ifPresent(r -> all.put(d, r)));
        return all;
    }

    /** What is to be rebuilt of a dataset, by group, when it was looked at last. */
    public List<ToRebuild> toRebuild(DatasetRecord dataset) {
        State state = byDataset.get(dataset.id());
        return state == null ? List.of() : state.toRebuild();
    }

    /** How what is to be rebuilt of a dataset became less until all datasets were looked at last. */
    public RedundancyTrend trend(DatasetRecord dataset) {
        return trends.getOrDefault(dataset.id(), RedundancyTrend.NONE);
    }

    /** How what is to be rebuilt became less until all datasets were looked at last. */
    public RedundancyTrend trend() {
        return trend;
    }

    /** The ids of the datasets of which something is known. */
    Set<String> known() {
        return new HashSet<>(byDataset.keySet());
    }
}
