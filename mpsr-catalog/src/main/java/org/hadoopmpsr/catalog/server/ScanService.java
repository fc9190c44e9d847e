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

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.rest.PlanStatus;
import org.apache.iceberg.rest.responses.FetchScanTasksResponse;
import org.apache.iceberg.rest.responses.PlanTableScanResponse;
import org.hadoopmpsr.catalog.plan.PageToken;
import org.hadoopmpsr.catalog.plan.PlannedFile;
import org.hadoopmpsr.catalog.plan.Planning;
import org.hadoopmpsr.catalog.plan.Planning.Planned;
import org.hadoopmpsr.catalog.plan.ScanRequest;
import org.hadoopmpsr.catalog.plan.ScanTasks;
import org.hadoopmpsr.catalog.table.ReadableStates;
import org.hadoopmpsr.client.catalog.Gateway;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.plan.Candidate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Plans scans, and answers the pages of plans. Keeps nothing between requests but caches and numbers. Safe for use by several threads. */
final class ScanService {
    /** Tells which groups a plan reads. */
    static final String GROUP_HEADER = "X-Mpsr-Group";
    /** Tells why. */
    static final String REASON_HEADER = "X-Mpsr-Reason";
    /** Tells what each group would have cost. */
    static final String CANDIDATES_HEADER = "X-Mpsr-Candidates";

    private static final Logger LOG = PrintableLog.of(ScanService.class);

    private final Planning planning = new Planning();
    private final byte[] secret;
    private final Gateway.Options options;
    private final GatewayMetrics metrics;
    private final Semaphore places;

    /** @param secret that all gateways share, for the pages of plans */
    ScanService(byte[] secret, Gateway.Options options, GatewayMetrics metrics) {
        this.secret = secret.clone();
        this.options = options;
        this.metrics = metrics;
        this.places = new Semaphore(options.plans());
    }

    /**
     * Plans a scan.
     *
     * @param body the client's request as JSON
     */
    Answer plan(Caller caller, FoundTable found, String body) throws IOException, CatalogException {
        return counted(() -> {
            long start = System.nanoTime();
            ScanRequest scan = scan(caller, found, body);
            Planned planned = planning.plan(
                    caller.client(),
                    caller.fs(),
                    found.table(),
                    scan,
                    found.group().orElse(null));
            Page page = page(caller, found, new PageToken(body, planned.state(), 0), scan, planned);
            long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            metrics.planned(planned.files(), ms);
            log(caller, found, planned, ms);
            PlanTableScanResponse.Builder answer = PlanTableScanResponse.builder(
                            found.table().specsById())
                    .withPlanStatus(PlanStatus.COMPLETED)
                    .withPlanId(UUID.randomUUID().toString()) // as the protocol wants it; it stands for nothing
                    .withFileScanTasks(page.tasks);
            page.next.ifPresent(next -> answer.withPlanTasks(List.of(next)));
            return new Answer(answer.build(), headers(planned));
        });
    }

    /** The next files of a plan. */
    Answer tasks(Caller caller, FoundTable found, String planTask) throws IOException, CatalogException {
        return counted(() -> {
            PageToken token = PageToken.read(planTask, secret, found.binding(caller))
                    .orElseThrow(() -> noTask("The plan task is none of yours for this table"));
            ScanRequest scan = scan(caller, found, token.request());
            Planned planned = planning.again(
                            caller.client(),
                            caller.fs(),
                            found.table(),
                            scan,
                            found.group().orElse(null),
                            token.state())
                    .orElseThrow(() -> noTask("The table has changed since its scan was planned"));
            Page page = page(caller, found, token, scan, planned);
            metrics.page();
            FetchScanTasksResponse.Builder answer =
                    FetchScanTasksResponse.builder(found.table().specsById()).withFileScanTasks(page.tasks);
            page.next.ifPresent(next -> answer.withPlanTasks(List.of(next)));
            return new Answer(answer.build(), Map.of());
        });
    }

    private interface Work {
        Answer answer() throws IOException, CatalogException;
    }

    private Answer counted(Work work) throws IOException, CatalogException {
        if (!places.tryAcquire()) {
            metrics.busy();
            throw CatalogException.later("The gateway plans " + options.plans()
                    + " scans at a time, and does so now; ask again in a moment");
        }
        try {
            return work.answer();
        } catch (CatalogException e) {
            metrics.refused();
            throw e;
        } catch (IllegalArgumentException e) {
            metrics.refused();
            throw CatalogException.wrong(e.getMessage());
        } finally {
            places.release();
        }
    }

    private static CatalogException noTask(String why) {
        return new CatalogException(404, "NoSuchPlanTaskException", why + "; plan the scan again");
    }

    private static ScanRequest scan(Caller caller, FoundTable found, String body) throws IOException, CatalogException {
        String path = found.table().dataset().path();
        return ScanRequest.of(
                Bodies.scan(body), found.table(), () -> caller.client().history(path, ReadableStates.MOST_CHANGES));
    }

    private record Page(List<FileScanTask> tasks, Optional<String> next) {}

    private Page page(Caller caller, FoundTable found, PageToken from, ScanRequest scan, Planned planned)
            throws IOException {
        List<PlannedFile> files = planned.files();
        if (files.size() > options.planFiles()) {
            throw new IllegalArgumentException(
                    "the scan reads " + files.size() + " files, and a plan of this gateway has at most "
                            + options.planFiles() + ": narrow the filter, or raise --plan-files of the gateway");
        }
        int to = (int) Math.min(files.size(), (long) from.from() + options.pageFiles());
        ScanTasks tasks = new ScanTasks(found.table(), caller.fs().getUri().toString(), scan.expression());
        List<FileScanTask> some = new ArrayList<>();
        for (PlannedFile file : files.subList(Math.min(from.from(), to), to)) {
            some.add(tasks.task(file));
        }
        return new Page(
                some,
                to == files.size() ? Optional.empty() : Optional.of(from.at(to).sign(secret, found.binding(caller))));
    }

    private static void log(Caller caller, FoundTable found, Planned planned, long ms) {
        LOG.info(
                "{} reads {}: {} files of {} in {} ms, {}; {}",
                caller.user(),
                found.table().dataset().path(),
                planned.files().size(),
                String.join(" and ", planned.groups()),
                ms,
                planned.reason(),
                candidates(planned));
    }

    private static Map<String, String> headers(Planned planned) {
        Map<String, String> headers = new HashMap<>();
        headers.put(GROUP_HEADER, header(String.join(",", planned.groups())));
        headers.put(REASON_HEADER, header(planned.reason()));
        headers.put(CANDIDATES_HEADER, header(candidates(planned)));
        return headers;
    }

    private static String candidates(Planned planned) {
        return String.join(
                "; ", planned.candidates().stream().map(Candidate::text).toList());
    }

    /** A header has characters of ASCII alone. */
    private static String header(@Nullable String text) {
        return String.valueOf(text).replaceAll("[^ -~]", "?");
    }
}
