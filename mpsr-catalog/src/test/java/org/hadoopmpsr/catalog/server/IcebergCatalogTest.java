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

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.iceberg.catalog.CatalogTests;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.testing.MiniCluster;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Iceberg's own tests of catalogs: which of them a catalog passes that reads, whose tables an administrator makes. */
class IcebergCatalogTest {
    /** The others write through the catalog, which is refused: docs/catalog.md. */
    private static final List<String> PASSED = List.of(
            "testDropMissingTable",
            "testDropTable",
            "testDropTableWithPurge",
            "testDropTableWithoutPurge",
            "testListNonExistingNamespace",
            "testListTables",
            "testLoadMetadataTable",
            "testLoadMissingTable",
            "testLoadTableWithNonExistingNamespace");

    /** Not run by itself: most of its tests are of what is refused. */
    static final class Tests extends CatalogTests<AdministeredCatalog> {
        private final AdministeredCatalog catalog;

        Tests(AdministeredCatalog catalog) {
            this.catalog = catalog;
        }

        @Override
        protected AdministeredCatalog catalog() {
            return catalog;
        }

        @Override
        protected AdministeredCatalog initCatalog(String name, Map<String, String> properties) {
            return catalog;
        }

        @Override
        protected boolean requiresNamespaceCreate() {
            return false;
        }

        @Override
        protected boolean supportsNamesWithSlashes() {
            return false;
        }

        @Override
        protected boolean supportsNestedNamespaces() {
            return true;
        }
    }

    @Test
    void whatDoesNotWriteThroughTheCatalogPasses() throws Exception {
        Configuration conf = MiniCluster.stock();
        MiniCluster.addThreeGroups(conf);
        conf.set("dfs.mpsr.replica.group.time.predicates", "bucket(2, id)");
        conf.set("dfs.mpsr.replica.group.signal.predicates", "bucket(3, id)");
        conf.set("dfs.mpsr.replica.group.device.predicates", "bucket(4, id)");
        for (String group : List.of("time", "signal", "device")) {
            conf.set("dfs.mpsr.replica.group." + group + ".sort", "id");
        }
        RunningGateway.letImpersonate(conf);
        MiniDFSCluster dfs = MiniCluster.start(MiniCluster.builder(conf, 3, 3));
        Map<String, String> failed = new TreeMap<>();
        List<String> passed;
        try (CatalogServer server = CatalogServer.start(
                        new Configuration(dfs.getConfiguration(0)), dfs.getURI(), RunningGateway.options(5, 4));
                MpsrClient client = MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI());
                RESTCatalog rest = RunningGateway.catalog(server.uri(), dfs)) {
            AdministeredCatalog catalog = new AdministeredCatalog(rest, client, dfs.getFileSystem());
            passed = tests().stream()
                    .filter(test -> {
                        String problem = run(test, new Tests(catalog));
                        empty(catalog, rest);
                        if (problem != null) {
                            failed.put(test.getName(), problem);
                        }
                        return problem == null;
                    })
                    .map(Method::getName)
                    .toList();
        } finally {
            dfs.shutdown(true);
        }
        assertThat(passed).as("%s", failed).containsExactlyElementsOf(PASSED);
    }

    private static List<Method> tests() {
        return Arrays.stream(CatalogTests.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class) && method.getParameterCount() == 0)
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    /** Why the test did not pass; null if it passed. */
    private static String run(Method test, Tests tests) {
        try {
            test.invoke(tests);
            return null;
        } catch (InvocationTargetException e) {
            String why = String.valueOf(e.getCause().getMessage()).replace('\n', ' ');
            return (e.getCause() instanceof TestAbortedException ? "does not apply: " : "")
                    + e.getCause().getClass().getSimpleName() + " " + why;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void empty(AdministeredCatalog catalog, RESTCatalog rest) {
        for (var namespace : rest.listNamespaces()) {
            for (TableIdentifier table : rest.listTables(namespace)) {
                catalog.dropTable(table);
            }
        }
    }
}
