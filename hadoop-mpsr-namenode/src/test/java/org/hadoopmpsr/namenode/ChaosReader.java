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
package org.hadoopmpsr.namenode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.util.ExitUtil;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;

/**
 * Plans reads all the time, of one group or of several, and remembers every plan that shows a part of a commit, a commit
 * twice, or less than was published.
 */
final class ChaosReader implements AutoCloseable {
    /** The name of a file tells how many files its segment has in the group, and how many commits a rewrite has merged. */
    private static final Pattern FILE =
            Pattern.compile(".*/(.*?(?:-commits(\\d+))?(?:-rebuild-b\\d+)?-parts(\\d+))-\\d+\\.parquet");

    private static final long PACE_NS = 3_000_000;

    private final MpsrClient client;
    private final List<ChaosDataset> datasets;
    private final Random random;
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();
    private final AtomicLong plans = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    /** @param datasets may change while it reads */
    ChaosReader(MpsrClient client, List<ChaosDataset> datasets, long seed) {
        this.client = client;
        this.datasets = datasets;
        this.random = new Random(seed);
        this.thread = new Thread(this::run, "chaos-reader");
        thread.start();
    }

    /** What was seen that must not be. */
    Set<String> wrong() {
        return wrong;
    }

    long plans() {
        return plans.get();
    }

    private void run() {
        while (!closed) {
            List<ChaosDataset> now = List.copyOf(datasets);
            LockSupport.parkNanos(PACE_NS); // leaves the processor to what is tested
            if (now.isEmpty()) {
                continue;
            }
            ChaosDataset dataset = now.get(random.nextInt(now.size()));
            List<String> groups = List.copyOf(dataset.groupNames());
            read(dataset, groups.get(random.nextInt(groups.size())));
        }
    }

    private void read(ChaosDataset dataset, String group) {
        boolean calm = dataset.isCalm();
        int commits = dataset.commits();
        try {
            ReadRequest request = ReadRequest.ofAllColumns(new Filter.Unknown());
            ReadPlan plan = client.plan(
                            dataset.path(), random.nextBoolean() ? request.inParts() : request, group, List.of())
                    .orElse(null);
            plans.incrementAndGet();
            if (plan != null && !plan.stock()) {
                check(plan, group, commits, () -> calm && dataset.isCalm());
            } else if (plan == null && calm && dataset.isCalm()) {
                wrong.add(dataset.path() + " was no dataset for a reader");
            }
        } catch (Exception e) {
            // in a mini cluster a NameNode that crashes lives on for a moment, and answers with how it ended
            boolean crashed = e.toString().contains(ExitUtil.ExitException.class.getName());
            if (!closed && !crashed && calm && dataset.isCalm()) {
                wrong.add("a reader of " + dataset.path() + " got " + e);
            }
        }
    }

    /** @param calm when nobody takes files away, so that all of a commit is there */
    private void check(ReadPlan plan, String group, int atLeast, BooleanSupplier calm) {
        Map<String, Integer> left = new HashMap<>();
        Map<String, Integer> commits = new HashMap<>();
        for (ReadPlan.PlannedFile file : plan.files()) {
            Matcher name = FILE.matcher(file.path());
            if (!name.matches()) {
                wrong.add("planned although it came without a commit: " + file.path());
                return;
            }
            int parts = Integer.parseInt(name.group(3));
            commits.put(name.group(1), name.group(2) == null ? 1 : Integer.parseInt(name.group(2)));
            left.merge(name.group(1), parts - 1, (before, ignored) -> before - 1);
        }
        int seen = commits.values().stream().mapToInt(n -> n).sum();
        left.values().removeIf(n -> n == 0);
        if (!left.isEmpty() && calm.getAsBoolean()) {
            wrong.add("a plan of group " + group + " shows parts of the commits " + left.keySet());
        }
        if (seen < atLeast && calm.getAsBoolean()) {
            wrong.add("a plan of group " + group + " shows less than " + atLeast + " commits: " + plan.files());
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
