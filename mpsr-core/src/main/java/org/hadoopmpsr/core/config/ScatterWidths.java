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
package org.hadoopmpsr.core.config;

import java.util.Map;
import org.hadoopmpsr.core.alloc.ScatterWidth;

/**
 * The scatter width of each replica group. Immutable.
 *
 * @param all the width of groups that have none of their own
 * @param byGroup the widths of the other groups, by name
 */
public record ScatterWidths(ScatterWidth all, Map<String, ScatterWidth> byGroup) {
    /** The width where none is configured. */
    public static final ScatterWidth DEFAULT = new ScatterWidth(2);

    public ScatterWidths {
        byGroup = Map.copyOf(byGroup);
    }

    /** The width of a group; also of one that is not configured. */
    public ScatterWidth of(String group) {
        return byGroup.getOrDefault(group, all);
    }
}
