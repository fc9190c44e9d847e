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

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hadoopmpsr.client.proto.MpsrProtos.DroppedProto;

/** Shows the representations of a dropped dataset that can still be read. */
final class DroppedView {

    private DroppedView() {}

    static String text(DroppedProto dropped) {
        return "other representations of " + dropped.getPath() + ": " + dropped.getFiles() + " files, "
                + dropped.getStoredBytes() + " bytes with all copies, in " + dropped.getStoreDir() + ", deleted after "
                + Instant.ofEpochMilli(dropped.getDeletedAt())
                + " once HDFS has made all copies of the files that stay"
                + (dropped.getLackingFiles() == 0 ? "" : "; " + dropped.getLackingFiles() + " file(s) lack copies");
    }

    static Map<String, Object> json(DroppedProto dropped) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", dropped.getPath());
        json.put("storeDir", dropped.getStoreDir());
        json.put("files", dropped.getFiles());
        json.put("storedBytes", dropped.getStoredBytes());
        json.put("lackingFiles", dropped.getLackingFiles());
        json.put("deletedAt", Instant.ofEpochMilli(dropped.getDeletedAt()).toString());
        return json;
    }
}
