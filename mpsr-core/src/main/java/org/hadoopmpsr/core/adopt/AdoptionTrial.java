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
package org.hadoopmpsr.core.adopt;

import java.util.Map;

/**
 * An adoption of some files that was done and thrown away, to learn what it takes.
 *
 * @param files the number of files that were read, at least 1
 * @param bytes of these files, at least 1
 * @param wallMs the time that it took
 * @param busyMs the time that all tasks took together
 * @param written the bytes that were written, by the group that got them
 */
public record AdoptionTrial(int files, long bytes, long wallMs, long busyMs, Map<String, Long> written) {
    /** @throws IllegalArgumentException if no file or no byte was read */
    public AdoptionTrial {
        if (files < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "a trial reads at least one byte of one file, not " + bytes + " of " + files);
        }
        written = Map.copyOf(written);
    }
}
