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
package org.hadoopmpsr.client.cli.maintain;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.maintain.Maintainer;
import org.hadoopmpsr.client.maintain.MaintenanceLog;
import org.hadoopmpsr.client.maintain.MaintenanceLog.Event;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;

/**
 * The cluster, with the datasets that are to be maintained.
 *
 * @param paths the datasets' directories; empty for all datasets
 */
record ChosenDatasets(MpsrClient client, List<String> paths, MaintenanceLog log) implements Maintainer.Cluster {
    @Override
    public LeaseAnswer ask(LeaseRequest request) throws IOException {
        UserGroupInformation.getLoginUser().checkTGTAndReloginFromKeytab();
        return client.maintain(request);
    }

    @Override
    public List<Dataset> datasets() throws IOException {
        if (paths.isEmpty()) {
            return client.listDatasets();
        }
        List<Dataset> datasets = new ArrayList<>();
        for (String path : paths) {
            try {
                datasets.add(client.getDataset(path));
            } catch (FileNotFoundException e) { // the others are maintained
                log.say(Event.FAILED, null, null, String.valueOf(e.getMessage()));
            }
        }
        return datasets;
    }
}
