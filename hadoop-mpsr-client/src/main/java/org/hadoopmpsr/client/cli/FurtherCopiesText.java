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
import org.apache.hadoop.util.StringUtils;
import org.hadoopmpsr.client.proto.MpsrProtos.FurtherCopiesProto;

/** The further copies of files that are read much, as commands print them. */
final class FurtherCopiesText {
    private FurtherCopiesText() {}

    static String line(FurtherCopiesProto copies) {
        return "Further copies: " + copies.getCopies() + " of " + copies.getFiles() + " file(s), "
                + StringUtils.byteDesc(copies.getBytes()) + " of " + StringUtils.byteDesc(copies.getBudgetBytes())
                + " (" + copies.getBudgetPercent() + " %)"
                + (copies.getWaiting() == 0 ? "" : "; " + copies.getWaiting() + " more wait for these")
                + (copies.getRefused() == 0 ? "" : "; " + copies.getRefused() + " more fit into no budget or quota");
    }

    static Map<String, Object> json(FurtherCopiesProto copies) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("budgetPercent", copies.getBudgetPercent());
        json.put("budgetBytes", copies.getBudgetBytes());
        json.put("bytes", copies.getBytes());
        json.put("files", copies.getFiles());
        json.put("copies", copies.getCopies());
        json.put("waiting", copies.getWaiting());
        json.put("refused", copies.getRefused());
        return json;
    }
}
