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
package org.hadoopmpsr.core.text;

import java.util.ArrayList;
import java.util.List;

/** Lists as configuration and commands have them: {@code day(timestamp), bucket(64, `signal name`)}. */
public final class CommaList {
    private CommaList() {}

    /**
     * The parts between commas outside parentheses and backticks, stripped; empty ones are left out. Backticks are those around the
     * whole of what stands between commas or parentheses, or around a part of a path there.
     */
    public static List<String> of(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        boolean begins = true;
        for (int i = 0; i <= text.length(); i++) {
            i = begins ? Math.max(i, Backticks.pathEnd(text, i)) : i;
            char c = i == text.length() ? ',' : text.charAt(i);
            begins = c == ',' || c == '(' || begins && Character.isWhitespace(c);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && (depth <= 0 || i == text.length())) {
                String part = text.substring(from, i).trim();
                if (!part.isEmpty()) {
                    parts.add(part);
                }
                from = i + 1;
            }
        }
        return parts;
    }
}
