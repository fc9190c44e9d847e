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
package org.hadoopmpsr.core.place;

import java.util.Locale;

/** Where a reduction is made. */
public enum Place {
    /** Where records were written: the statistics of files, or answers of files that were kept, tell the answer. */
    SOURCE,
    /** Where files lie: executors read them, and hand on partial results. */
    STORAGE,
    /** Where the answer is wanted: the process of the query reads the files. */
    READER;

    /** The name in options and messages, in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
