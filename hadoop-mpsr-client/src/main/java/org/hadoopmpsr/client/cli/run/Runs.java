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
package org.hadoopmpsr.client.cli.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecord;
import org.hadoopmpsr.client.run.RunRecords;

/**
 * The user's runs of a job.
 *
 * @param out where they are printed
 * @param json to print them as JSON
 */
public record Runs(RunRecords records, Output out, boolean json) {
    /** Prints how far the last run in each dataset is, or how it ended. */
    public void status(List<Dataset> datasets) throws IOException {
        JobKind kind = records.kind();
        long now = System.currentTimeMillis();
        List<Object> all = new ArrayList<>();
        for (Dataset dataset : datasets) {
            Optional<RunRecord> run = records.read(dataset.id());
            all.add(RunView.json(kind, dataset.path(), run.orElse(null), now));
            if (!json) {
                RunView.print(out, kind, dataset.path(), run.orElse(null), now);
            }
        }
        if (json) {
            out.json(Map.of("datasets", all));
        }
    }

    /** Asks the runs to end that go on, and prints which. */
    public void cancel(List<Dataset> datasets) throws IOException {
        String noun = records.kind().noun();
        List<String> asked = new ArrayList<>();
        for (Dataset dataset : datasets) {
            Optional<RunRecord> run = records.read(dataset.id());
            if (run.isPresent() && run.get().isAlive(System.currentTimeMillis())) {
                records.requestCancel(dataset.id());
                asked.add(dataset.path());
            }
        }
        if (json) {
            out.json(Map.of("cancelled", asked));
        } else if (asked.isEmpty()) {
            out.line("No " + noun + " of yours runs.");
        } else {
            asked.forEach(path -> out.line(path + ": the " + noun + " ends within some seconds"));
        }
    }
}
