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
package org.hadoopmpsr.client.cli.alter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Output;

/**
 * Alters all datasets below a directory. One that cannot be altered keeps no other one from it.
 *
 * @param out where they are printed
 * @param json to print them as JSON
 */
record DatasetsBelow(Output out, boolean json) {

    /** What is done with each; returns the dataset afterwards. */
    interface Action {
        Dataset run(Dataset known) throws IOException;
    }

    static List<Dataset> of(MpsrClient client, String directory) throws IOException {
        String above = directory.endsWith("/") ? directory : directory + "/";
        return client.listDatasets().stream()
                .filter(dataset -> dataset.path().startsWith(above))
                .toList();
    }

    /**
     * Alters each, and prints them.
     *
     * @return the exit code: 1 if some are as before
     */
    int each(List<Dataset> datasets, Action action) throws IOException {
        List<Object> all = new ArrayList<>();
        int failed = 0;
        for (Dataset known : datasets) {
            try {
                Dataset dataset = action.run(known);
                all.add(AlterView.json(dataset));
                print(dataset.path() + ":", AlterView.lines(dataset));
            } catch (IOException e) {
                String problem = MpsrClient.answer(e);
                failed++;
                Map<String, Object> stays = new LinkedHashMap<>();
                stays.put("path", known.path());
                stays.put("problem", problem);
                all.add(stays);
                print(known.path() + ": is as before: ", problem.lines().toList());
            }
        }
        if (json) {
            out.json(Map.of("datasets", all));
        }
        return failed == 0 ? 0 : 1;
    }

    private void print(String title, List<String> lines) {
        if (!json) {
            out.line(title.strip());
            lines.forEach(line -> out.line("  " + line));
        }
    }
}
