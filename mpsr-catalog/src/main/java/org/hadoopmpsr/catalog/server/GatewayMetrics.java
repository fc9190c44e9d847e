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
package org.hadoopmpsr.catalog.server;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.hadoopmpsr.catalog.plan.PlannedFile;

/** The numbers of a gateway since it began: the metrics source {@value #NAME}. Safe for use by several threads. */
final class GatewayMetrics implements MetricsSource {
    static final String NAME = "MpsrCatalog";

    private static final String BY_GROUP = "MpsrCatalogGroup";
    private static final MetricsInfo GROUP = Interns.info("Group", "the replica group");

    private final MetricsRegistry latencies = new MetricsRegistry(NAME);
    private final MutableRate planMs = latencies.newRate("Plan", "planning a scan, in milliseconds", true);
    private final LongAdder plans = new LongAdder();
    private final LongAdder pages = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final Map<String, OfGroup> groups = new ConcurrentHashMap<>();

    private static final class OfGroup {
        private final LongAdder plans = new LongAdder();
        private final LongAdder files = new LongAdder();
        private final LongAdder bytes = new LongAdder();
    }

    /** Counts a plan. */
    void planned(List<PlannedFile> files, long ms) {
        plans.increment();
        planMs.add(ms);
        Map<String, long[]> sums = new TreeMap<>();
        for (PlannedFile file : files) {
            long[] sum = sums.computeIfAbsent(file.spec().group().name(), name -> new long[2]);
            sum[0]++;
            sum[1] += file.length();
        }
        sums.forEach((name, sum) -> {
            OfGroup group = groups.computeIfAbsent(name, n -> new OfGroup());
            group.plans.increment();
            group.files.add(sum[0]);
            group.bytes.add(sum[1]);
        });
    }

    /** Counts a page after the first one of a plan. */
    void page() {
        pages.increment();
    }

    /** Counts a request that is wrong, or of a plan that does not hold any more. */
    void refused() {
        refused.increment();
    }

    /** Counts a request that is to come again. */
    void busy() {
        busy.increment();
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        record.addCounter(Interns.info("Plans", "scans planned"), plans.sum())
                .addCounter(Interns.info("Pages", "further pages of plans"), pages.sum())
                .addCounter(
                        Interns.info("Refused", "scans and pages refused because something in them was wrong or gone"),
                        refused.sum())
                .addCounter(
                        Interns.info("Busy", "scans and pages told to come again because too many were planned"),
                        busy.sum());
        latencies.snapshot(record, all);
        groups.forEach((name, group) -> collector
                .addRecord(BY_GROUP)
                .setContext("dfs")
                .tag(GROUP, name)
                .addCounter(Interns.info("GroupPlans", "plans that read the group"), group.plans.sum())
                .addCounter(Interns.info("GroupFiles", "files of the group that plans read"), group.files.sum())
                .addCounter(Interns.info("GroupBytes", "bytes of these files"), group.bytes.sum()));
    }
}
