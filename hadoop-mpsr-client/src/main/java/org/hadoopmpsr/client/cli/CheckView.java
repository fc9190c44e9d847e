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
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.verify.PlacementCheck;

/** What a check of a dataset has found, as JSON and as text. */
final class CheckView {

    private CheckView() {}

    static Map<String, Object> json(String path, PlacementCheck.Result result) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("files", result.files());
        json.put("blocks", result.blocks());
        json.put(
                "violations",
                result.violations().stream()
                        .map(v -> {
                            Map<String, Object> violation = new LinkedHashMap<>();
                            violation.put("file", v.file());
                            violation.put("block", v.block());
                            violation.put("group", v.group());
                            violation.put("node", v.node());
                            violation.put("nodeGroup", v.nodeGroup());
                            return violation;
                        })
                        .toList());
        json.put("differences", result.differences());
        return json;
    }

    /** @param path with the file system */
    static void print(Output out, Path path, PlacementCheck.Result result) {
        result.violations().forEach(v -> out.line(v.text()));
        result.differences().forEach(out::line);
        out.line(result.files() + " files, " + result.blocks() + " blocks, "
                + result.violations().size() + " outside their group");
        out.line("No file was read. To compare the records: hdfs mpsr verify " + path);
    }
}
