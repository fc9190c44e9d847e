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
package org.hadoopmpsr.core.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.hadoopmpsr.core.text.Backticks;

/**
 * Text that is divided where it is neither within the brackets of a type, such as decimal(10, 2) or map&lt;string, int&gt;, nor
 * within a name in backticks.
 */
final class Brackets {
    private Brackets() {}

    /** The parts between the separators that neither brackets nor backticks enclose, in their order; at least one. */
    static List<String> split(String text, IntPredicate separator) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            i = Math.max(i, Backticks.end(text, i) - 1); // at the backtick that ends a name, if one begins here
            char c = text.charAt(i);
            if (c == '<' || c == '(') {
                depth++;
            } else if (c == '>' || c == ')') {
                depth--;
            } else if (depth <= 0 && separator.test(c)) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
