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
package org.hadoopmpsr.namenode.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableRate;

/** The counters of MPSR, for the metrics source {@code Mpsr} and the status. Thread-safe. */
public final class Counters implements MetricsSource {
    /** The counters, named as metrics and status show them. */
    public enum Counter {
        COMMITS("Commits", "commits published"),
        COMMITTED_FILES("CommittedFiles", "files published"),
        REWRITES("Rewrites", "rewrites published, each of which replaces segments by one"),
        REBUILDS("Rebuilds", "rebuilds published, each of which writes files of segments in one group anew"),
        REBUILT_FILES("RebuiltFiles", "files that rebuilds wrote anew"),
        ADOPTIONS("Adoptions", "adoptions published, each of which takes files of ordinary writers for a segment"),
        ADOPTED_FILES("AdoptedFiles", "files of ordinary writers that adoptions took"),
        REPLACED_SEGMENTS("ReplacedSegments", "segments that rewrites replaced"),
        EXPIRED_REPLACED("ExpiredReplacedFiles", "replaced files deleted because readers have had their time"),
        REPEATED_COMMITS("RepeatedCommits", "commits that had been published before"),
        FENCED_COMMITS(
                "FencedCommits",
                "commits refused because another writer had committed their offsets or replaced their segments"),
        REFUSED_COMMITS("RefusedCommits", "commits refused because they were not valid"),
        OFFSET_JUMPS(
                "OffsetJumps",
                "topic-partitions whose commit passed over far more offsets than it had records, or began above 0"),
        RESET_OFFSETS("ResetOffsets", "topic-partitions whose committed offset a superuser moved"),
        REFUSED_CALLS("RefusedCalls", "calls refused because they were too large, or could not be understood"),
        BUSY_CALLS(
                "BusyCalls", "calls told to try again, because too many were carried out or another call did the same"),
        BUSY_COMMITS("BusyCommits", "commits told to try again because too many waited"),
        REFUSED_MOVES("RefusedMoves", "blocks that a Balancer or Mover took out of their group, undone"),
        DRAINED_BLOCKS("DrainedBlocks", "copies ordered to take blocks off nodes that get or have another group"),
        MOVED_NODES("MovedNodes", "nodes that got another group"),
        ROLLED_FORWARD("RolledForwardCommits", "commits completed after a crash or an error"),
        PUBLISH_LOCK_MS_MAX("PublishLockMsMax", "longest hold of the namesystem lock by a publish, in milliseconds"),
        PUBLISH_LOCK_MS("PublishLockMsTotal", "holds of the namesystem lock by publishing, in milliseconds"),
        PLANS("Plans", "reads planned, counting pages"),
        VALIDATED_PLANS("ValidatedPlans", "of these, plans that a client had kept and that still held"),
        PLAN_MS_MAX("PlanMsMax", "longest planning of a page, in milliseconds"),
        STOCK_PLANS("StockPlans", "plans that left the reader on the default representation, for any reason"),
        FALLBACKS_NOT_READY("FallbacksNotReady", "of these, because MPSR was off or not ready"),
        FALLBACKS_PENDING("FallbacksPending", "of these, because a commit waited to be completed"),
        FALLBACKS_DIVERGED("FallbacksDiverged", "of these, because the default representation had been changed"),
        FALLBACKS_RIGHTS("FallbacksRights", "of these, because the caller may not read all of the dataset"),
        FALLBACKS_NO_GROUP("FallbacksNoGroup", "of these, because no group could be read"),
        FALLBACKS_TIME("FallbacksTime", "of these, because planning took too long"),
        FALLBACKS_PUBLISHED("FallbacksPublished", "of these, because commits were published all the time"),
        AVOIDED_DEGRADED(
                "AvoidedDegraded",
                "times that planning turned away from lost or changed files, or files on silent DataNodes"),
        AVOIDED_SLOW(
                "AvoidedSlow",
                "plans that took other files, because HDFS reported DataNodes of the cheapest ones as slow"),
        UNION_PLANS(
                "UnionPlans", "plans that read some segments from one group and the rest from others, which have them"),
        WORKLOAD_QUERIES("WorkloadQueries", "queries that the workload counted"),
        WORKLOAD_EVICTED("WorkloadEvicted", "classes of queries that were forgotten to make room for others"),
        FURTHER_COPIES("FurtherCopiesGiven", "further copies of files that are read much, ordered"),
        COPIES_GIVEN_BACK("FurtherCopiesGivenBack", "further copies of files given back"),
        REFUSED_WRITES("RefusedWrites", "writes into datasets refused because MPSR is off or not ready"),
        REFUSED_RENAMES("RefusedRenames", "renames refused because blocks would have lain outside their group"),
        REFUSED_DECOMMISSIONS(
                "RefusedDecommissions",
                "refreshes of the lists of hosts refused because a group would have lost its last node in service"),
        REFUSED_STORE_CALLS("RefusedStoreCalls", "calls refused because they would have changed the store"),
        EXPIRED_STAGING("ExpiredStagings", "staged commits deleted because they were never published"),
        ERRORS("Errors", "unexpected errors, see the log");

        private final String metric;
        private final String description;

        Counter(String metric, String description) {
            this.metric = metric;
            this.description = description;
        }

        public String metric() {
            return metric;
        }
    }

    private final MetricsRegistry latencies = new MetricsRegistry("Mpsr");
    private final MutableRate publishMs =
            latencies.newRate("Publish", "publishing a commit, with waiting, in milliseconds", true);
    private final MutableRate planMs = latencies.newRate("Plan", "planning a page, in milliseconds", true);
    private final Map<Counter, AtomicLong> values = new ConcurrentHashMap<>();
    private final Supplier<String> state;
    private final Supplier<Map<String, Long>> gauges;
    private final UnaryOperator<String> descriptions;

    /**
     * @param state the name of the state, for the metric's tag
     * @param gauges the current values by name
     * @param descriptions the description of a gauge, by name
     */
    public Counters(Supplier<String> state, Supplier<Map<String, Long>> gauges, UnaryOperator<String> descriptions) {
        this.state = state;
        this.gauges = gauges;
        this.descriptions = descriptions;
        for (Counter counter : Counter.values()) {
            values.put(counter, new AtomicLong());
        }
    }

    public void add(Counter counter, long n) {
        value(counter).addAndGet(n);
    }

    public void increment(Counter counter) {
        add(counter, 1);
    }

    public void max(Counter counter, long value) {
        value(counter).accumulateAndGet(value, Math::max);
    }

    /** Records the time of a publish, including waiting. */
    public void publishTook(long ms) {
        publishMs.add(ms);
    }

    /** Records the time of planning a page. */
    public void planTook(long ms) {
        planMs.add(ms);
        max(Counter.PLAN_MS_MAX, ms);
    }

    private AtomicLong value(Counter counter) {
        return java.util.Objects.requireNonNull(values.get(counter));
    }

    /** All counters and gauges by name. */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new TreeMap<>(gauges.get());
        values.forEach((counter, value) -> all.put(counter.metric(), value.get()));
        return all;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder metrics = collector.addRecord("Mpsr").setContext("dfs");
        metrics.tag(Interns.info("State", "ready, not_ready or off"), state.get());
        gauges.get().forEach((name, value) -> metrics.addGauge(Interns.info(name, descriptions.apply(name)), value));
        values.forEach(
                (counter, value) -> metrics.addCounter(Interns.info(counter.metric, counter.description), value.get()));
        latencies.snapshot(metrics, all);
    }
}
