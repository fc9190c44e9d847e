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

import java.util.List;
import java.util.stream.Collectors;

/** A problem of one key: the value, the cause, and the fix. */
public record ConfigProblem(String key, String value, String cause, String fix) {

    /** The problem in one line. */
    public String message() {
        return key + " = '" + value + "': " + cause + "; " + fix;
    }

    /** All problems in one message. */
    public static String message(List<ConfigProblem> problems) {
        return problems.stream()
                .map(ConfigProblem::message)
                .collect(Collectors.joining("\n  - ", "MPSR is off: " + problems.size() + " problem(s)\n  - ", ""));
    }
}
