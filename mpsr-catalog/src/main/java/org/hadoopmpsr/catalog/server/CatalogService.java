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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.PlanStatus;
import org.apache.iceberg.rest.RESTCatalogProperties;
import org.apache.iceberg.rest.RESTCatalogProperties.ScanPlanningMode;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.requests.PlanTableScanRequestParser;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.FetchScanTasksResponse;
import org.apache.iceberg.rest.responses.GetNamespaceResponse;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.apache.iceberg.rest.responses.PlanTableScanResponse;
import org.hadoopmpsr.catalog.plan.PageToken;
import org.hadoopmpsr.catalog.plan.PlannedFile;
import org.hadoopmpsr.catalog.plan.Planning;
import org.hadoopmpsr.catalog.plan.Planning.Planned;
import org.hadoopmpsr.catalog.plan.ScanRequest;
import org.hadoopmpsr.catalog.plan.ScanTasks;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.TableDescription;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Answers the requests of Iceberg's REST protocol. Keeps nothing between them. Safe for use by several threads. */
final class CatalogService {
    private static final Logger LOG = PrintableLog.of(CatalogService.class);
    private static final int SNAPSHOTS = 1_000;

    private static final List<Endpoint> ENDPOINTS = List.of(
            Endpoint.V1_LIST_NAMESPACES,
            Endpoint.V1_LOAD_NAMESPACE,
            Endpoint.V1_NAMESPACE_EXISTS,
            Endpoint.V1_LIST_TABLES,
            Endpoint.V1_LOAD_TABLE,
            Endpoint.V1_TABLE_EXISTS,
            Endpoint.V1_REPORT_METRICS,
            Endpoint.V1_SUBMIT_TABLE_SCAN_PLAN,
            Endpoint.V1_FETCH_TABLE_SCAN_PLAN_TASKS,
            Endpoint.V1_CANCEL_TABLE_SCAN_PLAN);
    /** Iceberg asks maps for null, which those of Java do not like. */
    private static final Map<String, String> SERVER_PLANS = Collections.unmodifiableMap(
            new HashMap<>(Map.of(RESTCatalogProperties.SCAN_PLANNING_MODE, ScanPlanningMode.SERVER.modeName())));

    private final Planning planning = new Planning();
    private final byte[] secret;
    private final int pageFiles;

    /**
     * A service.
     *
     * @param secret that all gateways share, for the pages of plans
     * @param pageFiles the most files in an answer, at least 1
     */
    CatalogService(byte[] secret, int pageFiles) {
        this.secret = secret.clone();
        this.pageFiles = pageFiles;
    }

    ConfigResponse config() {
        return ConfigResponse.builder()
                .withOverrides(SERVER_PLANS)
                .withEndpoints(ENDPOINTS)
                .build();
    }

    ListNamespacesResponse namespaces(Caller caller, Namespace parent) throws IOException, CatalogException {
        return ListNamespacesResponse.builder()
                .addAll(Tables.children(parent, tablesBelow(caller, parent)))
                .build();
    }

    /** All tables that there are, of which some are in or below a namespace; the empty one may have none. */
    private static List<TableIdentifier> tablesBelow(Caller caller, Namespace namespace)
            throws IOException, CatalogException {
        List<TableIdentifier> all = Tables.all(caller.client());
        if (!namespace.isEmpty()
                && Tables.children(namespace, all).isEmpty()
                && Tables.in(namespace, all).isEmpty()) {
            throw CatalogException.noNamespace(namespace.toString());
        }
        return all;
    }

    GetNamespaceResponse namespace(Caller caller, Namespace namespace) throws IOException, CatalogException {
        tablesBelow(caller, namespace);
        return GetNamespaceResponse.builder()
                .withNamespace(namespace)
                .setProperties(new HashMap<>(Map.of("location", caller.fs().getUri() + Tables.directory(namespace))))
                .build();
    }

    ListTablesResponse tables(Caller caller, Namespace namespace) throws IOException, CatalogException {
        return ListTablesResponse.builder()
                .addAll(Tables.in(namespace, tablesBelow(caller, namespace)))
                .build();
    }

    /** @throws CatalogException if there is no such table */
    void requireTable(Caller caller, TableIdentifier name) throws IOException, CatalogException {
        find(caller, name);
    }

    LoadTableResponse table(Caller caller, TableIdentifier name) throws IOException, CatalogException {
        Found found = find(caller, name);
        String path = found.table.dataset().path();
        History history = caller.client().history(path, SNAPSHOTS);
        TableMetadata metadata = TableDescription.of(found.table, caller.fs().getUri() + path, history);
        return LoadTableResponse.builder()
                .withTableMetadata(metadata)
                .addAllConfig(SERVER_PLANS)
                .build();
    }

    PlanTableScanResponse plan(Caller caller, TableIdentifier name, String body) throws IOException, CatalogException {
        Found found = find(caller, name);
        Page page = page(caller, found, body, 0, null);
        PlanTableScanResponse.Builder answer = PlanTableScanResponse.builder(found.table.specsById())
                .withPlanStatus(PlanStatus.COMPLETED)
                .withFileScanTasks(page.tasks);
        page.next.ifPresent(next -> answer.withPlanTasks(List.of(next)));
        return answer.build();
    }

    FetchScanTasksResponse tasks(Caller caller, TableIdentifier name, String planTask)
            throws IOException, CatalogException {
        Found found = find(caller, name);
        PageToken token = PageToken.read(planTask, secret, binding(caller, found))
                .orElseThrow(() -> new CatalogException(
                        404,
                        "NoSuchPlanTaskException",
                        "The plan task is none of yours for this table; plan the scan again"));
        Page page = page(caller, found, token.request(), token.from(), token.generation());
        FetchScanTasksResponse.Builder answer =
                FetchScanTasksResponse.builder(found.table.specsById()).withFileScanTasks(page.tasks);
        page.next.ifPresent(next -> answer.withPlanTasks(List.of(next)));
        return answer.build();
    }

    private record Found(DatasetTable table, Optional<String> group) {}

    private record Page(List<FileScanTask> tasks, Optional<String> next) {}

    private static Found find(Caller caller, TableIdentifier name) throws IOException, CatalogException {
        Optional<DatasetTable> exact = dataset(caller, name);
        if (exact.isPresent()) {
            return new Found(exact.get(), Optional.empty());
        }
        Tables.OfGroup ofGroup = Tables.ofGroup(name).orElseThrow(() -> CatalogException.noTable(name.toString()));
        DatasetTable table =
                dataset(caller, ofGroup.table()).orElseThrow(() -> CatalogException.noTable(name.toString()));
        if (table.spec(ofGroup.group()).isEmpty()) {
            throw CatalogException.noTable(name + ": the dataset has the replica groups "
                    + table.dataset().groups().names());
        }
        return new Found(table, Optional.of(ofGroup.group()));
    }

    private static Optional<DatasetTable> dataset(Caller caller, TableIdentifier name) throws IOException {
        try {
            Dataset dataset = caller.client().getDataset(Tables.path(name));
            return Tables.name(dataset).equals(Optional.of(name))
                    ? Optional.of(new DatasetTable(dataset, caller.fillsPartitions()))
                    : Optional.empty();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private Page page(Caller caller, Found found, String body, int from, @Nullable Long generation)
            throws IOException, CatalogException {
        PlanTableScanRequest asked;
        ScanRequest scan;
        try {
            asked = PlanTableScanRequestParser.fromJson(body);
            scan = ScanRequest.of(
                    asked, found.table, found.table.dataset().changes().sequence());
        } catch (IllegalArgumentException e) {
            throw CatalogException.wrong(e.getMessage());
        }
        Planned planned = planning.plan(caller.client(), caller.fs(), found.table, scan, found.group.orElse(null));
        if (generation != null && generation != planned.generation()) {
            throw new CatalogException(
                    404,
                    "NoSuchPlanTaskException",
                    "The table has changed since its scan was planned; plan the scan again");
        }
        ScanTasks tasks = new ScanTasks(found.table, caller.fs().getUri().toString(), scan.expression());
        int to = Math.min(planned.files().size(), from + pageFiles);
        List<FileScanTask> some = new ArrayList<>();
        for (PlannedFile file : planned.files().subList(Math.min(from, to), to)) {
            some.add(tasks.task(file));
        }
        LOG.info(
                "{} reads {}: {} of {} files of {}, {}",
                caller.user(),
                found.table.dataset().path(),
                some.size(),
                planned.files().size(),
                String.join(" and ", planned.groups()),
                planned.reason());
        Optional<String> next = to == planned.files().size()
                ? Optional.empty()
                : Optional.of(new PageToken(body, planned.generation(), to).sign(secret, binding(caller, found)));
        return new Page(some, next);
    }

    private static String binding(Caller caller, Found found) {
        return caller.user() + "\u0000" + found.table.dataset().id() + "\u0000" + found.group.orElse("");
    }
}
