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
package org.hadoopmpsr.client.scrub;

import java.util.Collection;
import java.util.List;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.scrub.ScrubSchedule.Candidate;

/** The segments of a dataset, as a scrub looks at them. */
public final class Candidates {
    private Candidates() {}

    /** One for each segment, in their order. */
    public static List<Candidate> of(Collection<Segments.Info> segments) {
        return segments.stream()
                .map(segment -> new Candidate(
                        segment.id(),
                        segment.timeMs(),
                        segment.newestFile(),
                        segment.groups().values().stream()
                                .mapToLong(Segment.Group::bytes)
                                .sum()))
                .toList();
    }
}
