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

import org.jspecify.annotations.Nullable;

/** An answer that says why there is no other. */
final class CatalogException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param type the name of the exception that clients of Iceberg throw
     */
    CatalogException(int status, String type, @Nullable String message) {
        super(message);
        this.status = status;
        this.type = type;
    }

    /** The message begins as those of Iceberg's own catalogs do. */
    static CatalogException noTable(String table) {
        return new CatalogException(
                404, "NoSuchTableException", "Table does not exist: " + table + "; a table is a dataset of MPSR");
    }

    static CatalogException noNamespace(String namespace) {
        return new CatalogException(404, "NoSuchNamespaceException", "Namespace does not exist: " + namespace);
    }

    static CatalogException wrong(@Nullable String message) {
        return new CatalogException(400, "BadRequestException", message);
    }

    /** Nothing is wrong with the request. */
    static CatalogException later(@Nullable String message) {
        return new CatalogException(503, "ServiceUnavailableException", message);
    }

    static CatalogException noPlan(String planId) {
        return new CatalogException(
                404,
                "NoSuchPlanIdException",
                "Nothing is kept of plan '" + planId + "': each plan is answered at once; plan the scan again");
    }

    static CatalogException readOnly() {
        return new CatalogException(
                406,
                "UnsupportedOperationException",
                "This catalog reads, and appends to tables that are there. Write to the dataset with Kafka Connect, with Spark and MPSR's extension, or as any Parquet directory;"
                        + " 'hdfs mpsr dataset' creates, alters and drops datasets");
    }

    int status() {
        return status;
    }

    String type() {
        return type;
    }
}
