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
package org.hadoopmpsr.namenode.plan;

import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.jspecify.annotations.Nullable;

/**
 * A reader's request for a page of a plan.
 *
 * @param path the dataset directory
 * @param read what is to be read
 * @param group the group to read whatever it costs; null for the cheapest
 * @param columns those of which each planned file is to have what is known
 * @param from where the page starts, as the page before said; empty for the first page
 * @param generation what the first page was planned on; without meaning in a request for the first page
 * @param pageFiles the most files of a page; 0 for as many as the NameNode gives
 * @param standbyTransaction only a standby or observer answers, and only one that knows this transaction; empty where the
 *     active NameNode answers
 * @param token of a plan that the caller keeps; null when it keeps none
 * @param question equal for requests whose plans are equal as long as nothing changes
 */
public record PlanRequest(
        String path,
        ReadRequest read,
        @Nullable String group,
        List<String> columns,
        OptionalLong from,
        long generation,
        int pageFiles,
        OptionalLong standbyTransaction,
        @Nullable ByteString token,
        ByteString question) {

    /** The most files of the page. */
    int mostFiles() {
        return pageFiles > 0 ? Math.min(PlanPage.FILES, pageFiles) : PlanPage.FILES;
    }
}
