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
package org.hadoopmpsr.client.workload;

import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadResponseProto;
import org.hadoopmpsr.client.wire.WorkloadWire;
import org.hadoopmpsr.core.workload.QueryClass;

/**
 * What was asked of datasets.
 *
 * @param sinceMs queries are counted since then, in milliseconds since the epoch
 * @param mostClasses the most classes that are kept; 0 if none are
 * @param evicted how many classes were forgotten to make room for others
 */
public record WorkloadReport(long sinceMs, int mostClasses, long evicted, List<OfDataset> datasets) {
    public WorkloadReport {
        datasets = List.copyOf(datasets);
    }

    /**
     * What was asked of one dataset, or of one directory.
     *
     * @param stockGroup the group that readers without MPSR read
     * @param classes the class with the most queries first
     */
    public record OfDataset(String path, String stockGroup, List<QueryClass> classes) {
        public OfDataset {
            classes = List.copyOf(classes);
        }

        /** The number of counted queries. */
        public long queries() {
            return classes.stream().mapToLong(c -> c.tally().queries()).sum();
        }
    }

    /** The report of a message. */
    public static WorkloadReport of(GetWorkloadResponseProto response) {
        return new WorkloadReport(
                response.getSince(),
                response.getMostClasses(),
                response.getEvicted(),
                response.getDatasetList().stream()
                        .map(dataset -> new OfDataset(
                                dataset.getPath(),
                                dataset.getDefaultGroup(),
                                dataset.getClass_List().stream()
                                        .map(WorkloadWire::queries)
                                        .toList()))
                        .toList());
    }
}
