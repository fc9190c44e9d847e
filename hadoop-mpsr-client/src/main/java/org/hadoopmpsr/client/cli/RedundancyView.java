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
package org.hadoopmpsr.client.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRedundancyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RedundancyProto;

/** How many live copies the records of datasets have. */
final class RedundancyView {

    private RedundancyView() {}

    /** One line. */
    static String text(DatasetRedundancyProto dataset) {
        return "Live copies of " + dataset.getPath() + ": "
                + dataset.getRedundancyList().stream()
                        .map(r -> r.getCopies() + ": " + r.getRecords() + " records (" + r.getBytes() + " bytes)")
                        .collect(Collectors.joining(", "));
    }

    static List<Object> json(List<DatasetRedundancyProto> datasets) {
        return datasets.stream().map(RedundancyView::json).collect(Collectors.toList());
    }

    private static Object json(DatasetRedundancyProto dataset) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", dataset.getPath());
        json.put(
                "copies",
                dataset.getRedundancyList().stream().map(RedundancyView::json).toList());
        return json;
    }

    private static Object json(RedundancyProto redundancy) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("copies", redundancy.getCopies());
        json.put("records", redundancy.getRecords());
        json.put("bytes", redundancy.getBytes());
        return json;
    }

    /** True if no group holds all of some segment. */
    static boolean isLost(DatasetRedundancyProto dataset) {
        return dataset.getRedundancyList().stream().anyMatch(r -> r.getCopies() == 0 && r.getRecords() > 0);
    }
}
