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
import java.util.Optional;
import org.apache.iceberg.catalog.TableIdentifier;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.client.Dataset;

/**
 * The table that a request names.
 *
 * @param group the one that the name asks for; empty for the cheapest one
 */
record FoundTable(DatasetTable table, Optional<String> group) {

    /** @throws CatalogException if there is no such table, or the caller may not know of it */
    static FoundTable find(Caller caller, TableIdentifier name) throws IOException, CatalogException {
        Optional<DatasetTable> exact = dataset(caller, name);
        if (exact.isPresent()) {
            return new FoundTable(exact.get(), Optional.empty());
        }
        String missing = name.toString();
        for (Tables.OfGroup ofGroup : Tables.ofGroup(name)) {
            Optional<DatasetTable> table = dataset(caller, ofGroup.table());
            if (table.isPresent() && table.get().spec(ofGroup.group()).isPresent()) {
                return new FoundTable(table.get(), Optional.of(ofGroup.group()));
            }
            if (table.isPresent()) {
                missing = name + ": the dataset has the replica groups "
                        + table.get().dataset().groups().names();
            }
        }
        throw CatalogException.noTable(missing);
    }

    private static Optional<DatasetTable> dataset(Caller caller, TableIdentifier name) throws IOException {
        if (!Tables.isName(name.name())) {
            return Optional.empty();
        }
        try {
            Dataset dataset = caller.client().getDataset(Tables.path(name));
            return Tables.name(dataset).equals(Optional.of(name))
                    ? Optional.of(new DatasetTable(dataset, caller.fillsPartitions()))
                    : Optional.empty();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** What a page of a plan is bound to, beside its request: it is of no use to others. */
    String binding(Caller caller) {
        return caller.user() + "\u0000" + table.dataset().id() + "\u0000" + group.orElse("");
    }
}
