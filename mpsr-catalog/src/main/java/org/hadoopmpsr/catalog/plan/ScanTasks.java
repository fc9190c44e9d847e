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
package org.hadoopmpsr.catalog.plan;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.hadoopmpsr.catalog.table.DatasetTable;

/** Says planned files as tasks of Iceberg. A task keeps the whole filter: clients look at each record. */
public final class ScanTasks {
    private static final DeleteFile[] NO_DELETES = {};

    private final DataFilesOf files;
    private final ResidualEvaluator filter;
    private final String schema;
    private final Map<Integer, String> specs = new HashMap<>();

    /** @param fileSystem the URI before the paths of files */
    public ScanTasks(DatasetTable table, String fileSystem, Expression filter) {
        this.files = new DataFilesOf(table, fileSystem);
        this.filter = ResidualEvaluator.unpartitioned(filter);
        this.schema = SchemaParser.toJson(table.schema());
        table.specsById().forEach((id, spec) -> specs.put(id, PartitionSpecParser.toJson(spec)));
    }

    /** @throws IOException if the file lacks columns, and its directories do not tell them either */
    public FileScanTask task(PlannedFile planned) throws IOException {
        DataFile file = files.of(planned);
        return new BaseFileScanTask(file, NO_DELETES, schema, specs.get(file.specId()), filter);
    }
}
