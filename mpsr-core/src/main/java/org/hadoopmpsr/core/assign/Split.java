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
package org.hadoopmpsr.core.assign;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A file, or a part of a file, that one node is to read.
 *
 * @param bytes the length
 * @param localBytes the number of its bytes on each node, by the name of the node; nodes that are missing hold none
 */
public record Split(long bytes, Map<String, Long> localBytes) {
    public Split {
        localBytes = Map.copyOf(localBytes);
    }

    /** A split that each of the nodes holds completely. */
    public static Split on(long bytes, Collection<String> nodes) {
        return new Split(bytes, nodes.stream().distinct().collect(Collectors.toMap(Function.identity(), n -> bytes)));
    }
}
