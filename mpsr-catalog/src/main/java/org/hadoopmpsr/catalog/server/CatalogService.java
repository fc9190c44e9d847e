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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTCatalogProperties;
import org.apache.iceberg.rest.RESTCatalogProperties.ScanPlanningMode;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.GetNamespaceResponse;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.hadoopmpsr.catalog.append.AppendException;
import org.hadoopmpsr.catalog.append.AppendRequest;
import org.hadoopmpsr.catalog.append.Appends;
import org.hadoopmpsr.catalog.manifest.ManifestPath;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.ReadableStates;
import org.hadoopmpsr.catalog.table.TableDescription;
import org.hadoopmpsr.catalog.table.WritePlace;
import org.hadoopmpsr.client.history.History;

/** Tells what tables there are and what they are like. Keeps nothing between requests. Safe for use by several threads. */
final class CatalogService {
    private static final List<Endpoint> ENDPOINTS = List.of(
            Endpoint.V1_LIST_NAMESPACES,
            Endpoint.V1_LOAD_NAMESPACE,
            Endpoint.V1_NAMESPACE_EXISTS,
            Endpoint.V1_LIST_TABLES,
            Endpoint.V1_LOAD_TABLE,
            Endpoint.V1_TABLE_EXISTS,
            Endpoint.V1_UPDATE_TABLE,
            Endpoint.V1_REPORT_METRICS,
            Endpoint.V1_SUBMIT_TABLE_SCAN_PLAN,
            Endpoint.V1_FETCH_TABLE_SCAN_PLAN_TASKS);
    /** Iceberg asks maps for null, which those of Java do not like. */
    private static final Map<String, String> SERVER_PLANS = Collections.unmodifiableMap(
            new HashMap<>(Map.of(RESTCatalogProperties.SCAN_PLANNING_MODE, ScanPlanningMode.SERVER.modeName())));

    private final Map<String, String> defaults;
    private final Appends appends;

    /** @param defaults properties of clients' catalogs, which the clients' own replace */
    CatalogService(Map<String, String> defaults, Appends appends) {
        this.appends = appends;
        this.defaults = defaults;
    }

    ConfigResponse config() {
        return ConfigResponse.builder()
                .withDefaults(defaults)
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
        FoundTable.find(caller, name);
    }

    /** @param manifestRoot the URI before the paths of manifests */
    LoadTableResponse table(Caller caller, TableIdentifier name, String manifestRoot)
            throws IOException, CatalogException {
        return answer(metadata(caller, FoundTable.find(caller, name), manifestRoot));
    }

    /**
     * Does what a client commits.
     *
     * @return the table as it is afterwards
     * @throws CatalogException if it is no append, or cannot be done
     */
    LoadTableResponse commit(Caller caller, TableIdentifier name, String manifestRoot, UpdateTableRequest request)
            throws IOException, CatalogException {
        FoundTable found = FoundTable.find(caller, name);
        try {
            if (found.group().isPresent()) {
                throw new AppendException(
                        AppendException.Kind.UNSUPPORTED,
                        "The table " + name + " is one group of a dataset; append to '"
                                + found.table().dataset().path() + "', the table without the name of a group",
                        null);
            }
            Snapshot snapshot = AppendRequest.snapshot(request, metadata(caller, found, manifestRoot));
            appends.append(caller.client(), caller.fs(), found.table(), place(caller, found), snapshot);
        } catch (AppendException e) {
            throw Failures.answer(e);
        }
        return table(caller, name, manifestRoot);
    }

    private static WritePlace place(Caller caller, FoundTable found) {
        return WritePlace.of(location(caller, found), caller.user());
    }

    private static String location(Caller caller, FoundTable found) {
        return caller.fs().getUri() + found.table().dataset().path();
    }

    private static TableMetadata metadata(Caller caller, FoundTable found, String manifestRoot) throws IOException {
        DatasetTable table = found.table();
        String path = table.dataset().path();
        String group = found.group().orElse(table.dataset().groups().defaultName());
        History history = caller.client().history(path, ReadableStates.MOST_CHANGES);
        return TableDescription.of(
                table,
                location(caller, found),
                place(caller, found),
                history,
                id -> manifestRoot
                        + ManifestPath.list(path, group, id, caller.fillsPartitions())
                                .text());
    }

    private static LoadTableResponse answer(TableMetadata metadata) {
        return LoadTableResponse.builder()
                .withTableMetadata(metadata)
                .addAllConfig(SERVER_PLANS)
                .build();
    }
}
