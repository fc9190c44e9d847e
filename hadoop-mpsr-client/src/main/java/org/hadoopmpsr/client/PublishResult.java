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
package org.hadoopmpsr.client;

import java.util.List;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Fence;

/**
 * The outcome of publishing a commit.
 *
 * @param verdict {@code OPEN}: it is published now; {@code ALREADY_COMMITTED}: it was before; {@code FENCED}: it is not
 * @param reason why it was fenced, else empty
 * @param offsets the committed offsets of its topic-partitions after the call
 */
public record PublishResult(Fence.Verdict verdict, String reason, List<CommittedOffset> offsets) {}
