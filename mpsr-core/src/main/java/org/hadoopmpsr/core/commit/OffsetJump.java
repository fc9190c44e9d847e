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
package org.hadoopmpsr.core.commit;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Offsets of a topic-partition that a commit passed over although it has no records for nearly all of them: those before
 * its first commit, or far more than the commit has records. They are kept for operators, who may {@link OffsetReset undo}
 * them.
 *
 * @param from the first of them
 * @param to the offset after the last of them, above {@code from}
 * @param commitId the commit
 */
public record OffsetJump(String topic, int partition, long from, long to, String commitId) {
    private static final Pattern KEPT = Pattern.compile("([0-9]{1,19})-([0-9]{1,19})-(.+)");

    /** The form in which it is kept beside the committed offset, which names the topic-partition. */
    public String kept() {
        return from + "-" + to + "-" + commitId;
    }

    /** Reads the form that {@link #kept} writes; empty for any other form. */
    public static Optional<OffsetJump> parse(CommittedOffset offset, String kept) {
        Matcher matcher = KEPT.matcher(kept);
        try {
            return matcher.matches()
                    ? Optional.of(new OffsetJump(
                            offset.topic(),
                            offset.partition(),
                            Long.parseLong(matcher.group(1)),
                            Long.parseLong(matcher.group(2)),
                            matcher.group(3)))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty(); // above what an offset can be
        }
    }

    /** The topic-partition and the offsets, as the audit log shows them: {@code topic:partition=from..to}. */
    public String text() {
        return URLEncoder.encode(topic, StandardCharsets.UTF_8) + ":" + partition + "=" + from + ".." + to;
    }
}
