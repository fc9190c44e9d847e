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
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.plan.FilePage;
import org.hadoopmpsr.core.plan.WorkLimit;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.LocatedFile;

/**
 * Ends pages of a plan.
 *
 * @param maxBytes about how many bytes a page may have
 * @param limit ends the work
 */
record PageRules(long maxBytes, WorkLimit limit) {
    /** Of a block's numbers and the frame of its message. */
    private static final int BLOCK_BYTES = 24;
    /** Of the frame of a host's name. */
    private static final int HOST_BYTES = 2;

    /** The files of a page with the statistics that are asked for; the start is as in {@link FilePage#of}. */
    FilePage files(DatasetRecord dataset, DatasetState seen, PartSource source, PlanRequest request, long from) {
        GroupFiles files = new GroupFiles(
                dataset.groups().find(source.group()).orElseThrow(),
                source.segments().of(seen.partitions(source.group())),
                null);
        return FilePage.of(
                dataset.schema(),
                files,
                request.read().filter(),
                from,
                FilePage.Limit.of(request.mostFiles(), maxBytes, request.columns()),
                limit);
    }

    /**
     * As much of a page as the answer takes with the blocks of the files. After the last page of a part comes the first page
     * of the next part.
     *
     * @param part the part that the page is of
     * @param parts the number of parts
     */
    PlanAnswer.Files answer(int part, int parts, FilePage page, List<LocatedFile> located) {
        int count = fitting(located);
        long next = page.first(count).next();
        boolean ends = next == FilePage.END;
        boolean last = part == parts - 1;
        return new PlanAnswer.Files(
                List.of(new PlanAnswer.PartFiles(part, located.subList(0, count))),
                ends ? (last ? 0 : part + 1) : part,
                ends && !last ? 0 : next);
    }

    /** The number of files at the start, at least one, that an answer takes. */
    int fitting(List<LocatedFile> files) {
        long bytes = 0;
        for (int i = 0; i < files.size(); i++) {
            bytes += bytes(files.get(i));
            if (bytes > maxBytes && i > 0) {
                return i;
            }
        }
        return files.size();
    }

    private static long bytes(LocatedFile file) {
        long bytes = FilePage.Limit.bytes(file.file());
        for (LocatedFile.Block block : file.blocks()) {
            bytes += BLOCK_BYTES;
            for (String host : block.hosts()) {
                bytes += HOST_BYTES + host.length();
            }
        }
        return bytes;
    }
}
