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
package org.hadoopmpsr.core.transform;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A transform as a setting, the definition of a dataset and files name it. This process need not know it.
 *
 * @param version of what is written; 0 if the text does not say, as in settings
 * @param parameters without the colon before them; may be empty
 */
public record TransformName(String name, int version, String parameters) {
    private static final Pattern TEXT =
            Pattern.compile("([a-z][a-z0-9-]*)(?::([^;\\p{Cntrl}]*))?(?:;v=([1-9][0-9]{0,8}))?");

    /**
     * Reads the text of a setting or of a record.
     *
     * @throws IllegalArgumentException if it names no transform; the message says how to write it
     */
    public static TransformName parse(String text) {
        Matcher found = TEXT.matcher(text.strip());
        if (!found.matches()) {
            throw new IllegalArgumentException("'" + text.strip()
                    + "' names no transform: write name or name:parameters, such as planes:16,16,32");
        }
        String parameters = found.group(2) == null ? "" : found.group(2).strip();
        return new TransformName(
                found.group(1), found.group(3) == null ? 0 : Integer.parseInt(found.group(3)), parameters);
    }

    /** As in a setting. */
    public String text() {
        return parameters.isEmpty() ? name : name + ":" + parameters;
    }

    /** As in records and files, with the version. */
    public String recorded() {
        return text() + ";v=" + version;
    }
}
