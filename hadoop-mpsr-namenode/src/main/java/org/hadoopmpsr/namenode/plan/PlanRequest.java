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
 * @param read what the reader needs
 * @param group the group to read, whatever the cost; null for the cheapest
 * @param columns the columns whose statistics each planned file should have
 * @param from the start of the page, as in the page before; empty for the first page
 * @param generation the generation of the first page; without meaning in a request for the first page
 * @param union the number of the choice of groups, as in the first page; empty if the plan has one part, and for the first
 *     page
 * @param part the part of the plan that the page is of; 0 for the first page
 * @param pageFiles the maximum number of files in a page; 0 for the NameNode's own limit
 * @param standbyTransaction only a standby or observer that knows this transaction answers; empty if the active
 *     NameNode answers
 * @param token the token of a plan that the caller keeps; null if it keeps none
 * @param question equal for requests whose plans are equal as long as nothing changes
 */
public record PlanRequest(
        String path,
        ReadRequest read,
        @Nullable String group,
        List<String> columns,
        OptionalLong from,
        long generation,
        OptionalLong union,
        int part,
        int pageFiles,
        OptionalLong standbyTransaction,
        @Nullable ByteString token,
        ByteString question) {

    /** This request, read from that group, and told of other columns. */
    PlanRequest with(ReadRequest otherRead, @Nullable String otherGroup, List<String> otherColumns) {
        return new PlanRequest(
                path,
                otherRead,
                otherGroup,
                otherColumns,
                from,
                generation,
                union,
                part,
                pageFiles,
                standbyTransaction,
                token,
                question);
    }

    /** The maximum number of files in the page. */
    int mostFiles() {
        return pageFiles > 0 ? Math.min(PlanPage.FILES, pageFiles) : PlanPage.FILES;
    }
}
