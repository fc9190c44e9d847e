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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetWorkloadProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GetWorkloadResponseProto;
import org.hadoopmpsr.client.wire.WorkloadWire;
import org.hadoopmpsr.namenode.workload.Workload;

/** Translates the question what was asked of datasets. */
final class WorkloadMessages {

    private WorkloadMessages() {}

    static GetWorkloadResponseProto answer(Workload workload, GetWorkloadRequestProto request) throws IOException {
        Workload.Told told = workload.tell(request.hasPath() ? request.getPath() : null);
        GetWorkloadResponseProto.Builder response = GetWorkloadResponseProto.newBuilder()
                .setSince(told.sinceMs())
                .setMostClasses(told.mostClasses())
                .setEvicted(told.evicted());
        told.datasets().forEach(of -> {
            DatasetWorkloadProto.Builder dataset = response.addDatasetBuilder()
                    .setPath(of.dataset().path())
                    .setDefaultGroup(of.dataset().defaultGroup());
            of.classes().forEach(c -> dataset.addClass_(WorkloadWire.of(c)));
        });
        return response.build();
    }
}
