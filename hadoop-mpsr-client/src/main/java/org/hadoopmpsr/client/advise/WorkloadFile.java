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
package org.hadoopmpsr.client.advise;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.client.workload.WorkloadJson;
import org.hadoopmpsr.client.workload.WorkloadReport;
import org.hadoopmpsr.core.workload.QueryClass;

/** A local file with a workload, as {@code hdfs mpsr workload --json} and {@code hdfs mpsr workload import --json} print it. */
public final class WorkloadFile {
    /** So many directories of the file are named in a message. */
    private static final int NAMED = 10;

    private WorkloadFile() {}

    /**
     * The classes of queries of a dataset or directory, at least one.
     *
     * @param path absolute, without scheme
     * @throws IOException if the file cannot be read, is no workload, or has no query of the path, with the cause and the fix
     */
    public static List<QueryClass> classes(String file, String path) throws IOException {
        WorkloadReport report;
        try {
            report = WorkloadJson.read(Files.readString(Path.of(file), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException("the file '" + file + "' is no workload: " + e.getMessage(), e);
        }
        List<QueryClass> classes = new ArrayList<>();
        report.datasets().stream().filter(d -> d.path().equals(path)).forEach(d -> classes.addAll(d.classes()));
        if (classes.isEmpty()) {
            throw new IOException("the workload in '" + file + "' has no query of " + path + ", but of "
                    + report.datasets().stream()
                            .map(WorkloadReport.OfDataset::path)
                            .limit(NAMED)
                            .toList());
        }
        return classes;
    }
}
