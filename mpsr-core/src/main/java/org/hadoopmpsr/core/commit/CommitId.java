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

import java.util.regex.Pattern;

/** The id of a commit. The writer chooses the id; two commits with one id are the same commit. */
public final class CommitId {
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

    private CommitId() {}

    /** True if an id can be the name of a directory and a part of a file's name. */
    public static boolean isValid(String id) {
        return VALID.matcher(id).matches();
    }

    /**
     * Checks that an id can be the name of a directory and a part of a file's name.
     *
     * @return the id
     * @throws IllegalArgumentException if it cannot
     */
    public static String check(String id) {
        if (!isValid(id)) {
            throw new IllegalArgumentException(
                    "commit id '" + id
                            + "' must be 1 to 128 letters, digits, dots, hyphens or underscores, starting with a letter or digit");
        }
        return id;
    }
}
