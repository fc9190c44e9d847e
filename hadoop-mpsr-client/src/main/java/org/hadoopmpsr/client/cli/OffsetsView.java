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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.OffsetReset;

/** Committed offsets as JSON and as text. */
final class OffsetsView {

    private OffsetsView() {}

    static Map<String, Object> json(Dataset dataset) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", dataset.path());
        json.put("id", dataset.id());
        List<Object> offsets = new ArrayList<>();
        for (CommittedOffset offset : dataset.offsets()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("topic", offset.topic());
            one.put("partition", offset.partition());
            one.put("end", offset.end());
            one.put("commitId", offset.commitId());
            one.put("topicId", offset.topicId());
            one.put("passedOver", jump(dataset, offset).map(OffsetsView::json).orElse(null));
            offsets.add(one);
        }
        json.put("offsets", offsets);
        return json;
    }

    private static Map<String, Object> json(OffsetJump jump) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", jump.from());
        json.put("to", jump.to());
        json.put("commitId", jump.commitId());
        return json;
    }

    static Table table(Dataset dataset) {
        Table table = new Table("TOPIC", "PARTITION", "COMMITTED END", "COMMIT", "PASSED OVER");
        for (CommittedOffset offset : dataset.offsets()) {
            table.row(
                    offset.topic(),
                    offset.partition(),
                    offset.end(),
                    offset.commitId(),
                    jump(dataset, offset)
                            .map(j -> j.from() + " to " + j.to() + " by " + j.commitId())
                            .orElse(""));
        }
        return table;
    }

    /** What a reset means for the records. */
    static String text(OffsetReset reset) {
        String moved = reset.topic() + ":" + reset.partition() + " is committed up to " + reset.to();
        if (reset.from() == OffsetReset.NONE) {
            return moved + "; nothing was committed before";
        }
        return moved + ", not " + reset.from() + " any more: offsets "
                + (reset.to() < reset.from()
                        ? reset.to() + " to " + reset.from() + " are written again"
                        : reset.from() + " to " + reset.to() + " are left out");
    }

    private static Optional<OffsetJump> jump(Dataset dataset, CommittedOffset offset) {
        return dataset.jumps().stream()
                .filter(j -> j.topic().equals(offset.topic()) && j.partition() == offset.partition())
                .findFirst();
    }
}
