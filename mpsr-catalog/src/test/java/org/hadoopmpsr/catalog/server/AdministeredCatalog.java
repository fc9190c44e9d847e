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
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.rest.RESTCatalog;
import org.hadoopmpsr.client.MpsrClient;

/** Iceberg's client of a gateway, beside an administrator who creates and drops the datasets that tests call tables. */
final class AdministeredCatalog implements Catalog, SupportsNamespaces {
    private final RESTCatalog catalog;
    private final MpsrClient administrator;
    private final FileSystem fs;

    AdministeredCatalog(RESTCatalog catalog, MpsrClient administrator, FileSystem fs) {
        this.catalog = catalog;
        this.administrator = administrator;
        this.fs = fs;
    }

    @Override
    public String name() {
        return catalog.name();
    }

    @Override
    public Table createTable(TableIdentifier name, Schema schema) {
        return create(name, schema);
    }

    /** A dataset has no partition spec, sort order, location or property of its own that a client could give. */
    @Override
    public TableBuilder buildTable(TableIdentifier name, Schema schema) {
        return (TableBuilder) Proxy.newProxyInstance(
                TableBuilder.class.getClassLoader(),
                new Class<?>[] {TableBuilder.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("create")) {
                        return create(name, schema);
                    }
                    throw new UnsupportedOperationException("no administrator's command does " + method.getName());
                });
    }

    private Table create(TableIdentifier name, Schema schema) {
        if (tableExists(name)) {
            throw new AlreadyExistsException("Table already exists: %s", name);
        }
        String columns = schema.columns().stream()
                .map(field -> "`" + field.name() + "` " + field.type() + (field.isRequired() ? " not null" : ""))
                .collect(Collectors.joining(", "));
        try {
            administrator.createDataset(Tables.path(name), org.hadoopmpsr.core.schema.Schema.parse(columns));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return loadTable(name);
    }

    @Override
    public boolean dropTable(TableIdentifier name, boolean purge) {
        if (!tableExists(name)) {
            return false;
        }
        try {
            administrator.dropDataset(Tables.path(name), true);
            return fs.delete(new Path(Tables.path(name)), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean tableExists(TableIdentifier name) {
        return catalog.tableExists(name);
    }

    @Override
    public Table loadTable(TableIdentifier name) {
        return catalog.loadTable(name);
    }

    @Override
    public List<TableIdentifier> listTables(Namespace namespace) {
        return catalog.listTables(namespace);
    }

    @Override
    public void renameTable(TableIdentifier from, TableIdentifier to) {
        catalog.renameTable(from, to);
    }

    @Override
    public void createNamespace(Namespace namespace, Map<String, String> metadata) {
        catalog.createNamespace(namespace, metadata);
    }

    @Override
    public List<Namespace> listNamespaces(Namespace namespace) {
        return catalog.listNamespaces(namespace);
    }

    @Override
    public Map<String, String> loadNamespaceMetadata(Namespace namespace) {
        return catalog.loadNamespaceMetadata(namespace);
    }

    @Override
    public boolean namespaceExists(Namespace namespace) {
        return catalog.namespaceExists(namespace);
    }

    @Override
    public boolean dropNamespace(Namespace namespace) {
        return catalog.dropNamespace(namespace);
    }

    @Override
    public boolean setProperties(Namespace namespace, Map<String, String> properties) {
        return catalog.setProperties(namespace, properties);
    }

    @Override
    public boolean removeProperties(Namespace namespace, Set<String> properties) {
        return catalog.removeProperties(namespace, properties);
    }
}
