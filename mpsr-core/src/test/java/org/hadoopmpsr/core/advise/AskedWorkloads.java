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
package org.hadoopmpsr.core.advise;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.Asked;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.AskedShape.Measured;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.WorkloadLog;

/** Workloads of tests. */
final class AskedWorkloads {
    private AskedWorkloads() {}

    /** Classes of queries, by their conditions, with how many queries there are of each. */
    static List<QueryClass> of(Map<List<Measured>, Integer> queries) {
        WorkloadLog log = new WorkloadLog(1_000);
        queries.forEach((terms, count) -> {
            for (int i = 0; i < count; i++) {
                log.asked(
                        "d",
                        "form",
                        new Asked(AskedShape.of(terms, null), null, Amount.NONE, Amount.NONE, List.of(), null),
                        i);
            }
        });
        return log.classes("d");
    }
}
